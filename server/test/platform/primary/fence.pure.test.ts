/** Which server's answers count: the fence, with a clock and heartbeats of the test. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { lookupLimits } from '../../../src/platform/database/deadlines.ts';
import { DatabaseRefused, wasCutOff } from '../../../src/platform/database/failure.ts';
import { CommitStall, isChange } from '../../../src/platform/database/primary/commit-stall.ts';
import { Fence, type ServerIdentity } from '../../../src/platform/database/primary/fence.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const millis = 3_000;
const first: ServerIdentity = { system: '7310', timeline: 1, walPosition: 1_000 };

const admit = (fence: Fence, identity: ServerIdentity | null) => fence.admit(identity, fence.seen);

const newFence = () => {
  const clock = { now: 0 };
  return { clock, fence: new Fence({ millis, now: () => clock.now }) };
};

/** A fence whose only server has confirmed a heartbeat that was sent at 0. */
const confirmed = () => {
  const made = newFence();
  const term = admit(made.fence, first);
  made.fence.confirm(term, 0, 1_100);
  return { ...made, term };
};

describe('The fence', () => {
  // Contract: operation#heartbeat-and-fence — A look-up counts only within the fence, from the sending of the last
  //   heartbeat that returned
  it('believes no server before its first heartbeat, and none longer than the fence after one was sent', () => {
    const { fence, clock } = newFence();
    const term = admit(fence, first);
    expect(fence.holds(term)).toBe(false);
    clock.now = 400;
    fence.confirm(term, 100, 1_100);
    expect(fence.holds(term)).toBe(true);
    clock.now = 100 + millis;
    expect(fence.holds(term)).toBe(true);
    clock.now += 1;
    expect(fence.holds(term)).toBe(false);
  });

  // Contract: operation#heartbeat-and-fence — An answer from before a suspension of this process is not used after it
  it('takes an answer for outdated that came later than the fence and its time limit after it was asked for', () => {
    const { fence, clock } = confirmed();
    clock.now = 1_000 + millis;
    expect(fence.isOutdated(1_000, 1_500)).toBe(false);
    expect(fence.isOutdated(999, 1_500)).toBe(true);
    expect(fence.isOutdated(999, millis + 1)).toBe(false);
    expect(fence.isOutdated(998, millis + 1)).toBe(true);
  });

  it('lets a heartbeat count that returns after a later one, but does not go back to it', () => {
    const { fence, clock, term } = confirmed();
    fence.confirm(term, 2_000, 1_300);
    fence.confirm(term, 1_000, 1_200);
    clock.now = 2_000 + millis;
    expect(fence.holds(term)).toBe(true);
  });

  it('waits for the heartbeat that is due, and then uses the answer', async () => {
    const { fence, clock, term } = confirmed();
    clock.now = millis + 1;
    const required = fence.require(term);
    fence.confirm(term, clock.now, 1_200);
    await required;
  });

  it('refuses the answer when none comes', async () => {
    const { fence, clock, term } = confirmed();
    clock.now = millis + 1;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = fence.require(term).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(lookupLimits.connectionMillis);
    const refused = await asked;
    expect(refused).toBeInstanceOf(DatabaseUnavailable);
    // Asking the same server again would tell nothing new.
    expect(wasCutOff(refused)).toBe(false);
  });

  it('ends all waits with one heartbeat, and each by itself without one', async () => {
    const { fence, clock, term } = confirmed();
    clock.now = millis + 1;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = [fence.require(term), fence.require(term)];
    expect(vi.getTimerCount()).toBe(2);
    fence.confirm(term, clock.now, 1_200);
    await Promise.all(asked);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves the sessions of an earlier timeline once it has seen a later one, and their heartbeats', async () => {
    const { fence, clock, term } = confirmed();
    const later = admit(fence, { ...first, timeline: 2, walPosition: 900 });
    expect(fence.holds(term)).toBe(false);
    expect(fence.holds(later)).toBe(true);
    const left = await fence.require(term).catch((error: unknown) => error);
    expect(wasCutOff(left)).toBe(true);
    clock.now = millis + 1;
    fence.confirm(term, clock.now, 5_000);
    expect(fence.holds(later)).toBe(false);
    fence.confirm(later, clock.now, 950);
    expect(fence.holds(later)).toBe(true);
    expect(admit(fence, { ...first, timeline: 2, walPosition: 950 })).toBe(later);
  });

  it('refuses a server on an earlier timeline, and accepts the newest again', () => {
    const { fence } = confirmed();
    const later = admit(fence, { ...first, timeline: 2 });
    expect(() => admit(fence, first)).toThrow(DatabaseRefused);
    expect(fence.refusal).toBe('earlier_timeline');
    expect(admit(fence, { ...first, timeline: 2 })).toBe(later);
    fence.confirm(later, 0, 1_200);
    expect(fence.refusal).toBe(null);
  });

  it('refuses a server with another identifier, whatever its timeline', () => {
    const { fence, term } = confirmed();
    const other = { system: '9999', timeline: 9, walPosition: 9_000 };
    expect(() => admit(fence, other)).toThrow(/another system identifier/);
    expect(fence.refusal).toBe('another_server');
    expect(fence.holds(term)).toBe(true);
    expect(admit(fence, first.walPosition < 1_100 ? { ...first, walPosition: 1_100 } : first)).toBe(term);
  });

  it('refuses every server after one whose log ends before a commit that was seen', async () => {
    const { fence, term } = confirmed();
    expect(() => admit(fence, { ...first, walPosition: 1_099 })).toThrow(/ends before a commit/);
    expect(fence.refusal).toBe('restored_copy');
    // By now it has grown past it.
    expect(() => admit(fence, { ...first, walPosition: 5_000 })).toThrow(DatabaseRefused);
    fence.confirm(term, 0, 5_000);
    expect(fence.holds(term)).toBe(false);
    await expect(fence.require(term)).rejects.toThrow(/restored copy/);
  });

  it('takes a server that was asked before the last heartbeat for the same', () => {
    const { fence, term } = confirmed();
    const { seen } = fence;
    fence.confirm(term, 0, 5_000);
    expect(() => fence.admit({ ...first, walPosition: 1_100 }, seen)).not.toThrow();
    expect(fence.holds(term)).toBe(true);
    expect(fence.refusal).toBe(null);
  });

  it('takes a server that has kept every commit for the same, after a crash too', () => {
    const { fence, term } = confirmed();
    expect(admit(fence, { ...first, walPosition: 1_100 })).toBe(term);
  });

  it('has all sessions left when a new one met a server in recovery', () => {
    const { fence, term } = confirmed();
    fence.leaveSessions();
    expect(fence.holds(term)).toBe(false);
    const next = admit(fence, { ...first, walPosition: 1_100 });
    expect(fence.holds(next)).toBe(true);
    expect(() => admit(fence, { ...first, walPosition: 1_099 })).toThrow(DatabaseRefused);
  });

  it('compares timelines and logs where the role may not read the identifier', () => {
    const { fence } = newFence();
    const unnamed = { ...first, system: null };
    const term = admit(fence, unnamed);
    fence.confirm(term, 0, 1_100);
    expect(() => admit(fence, null)).toThrow(DatabaseUnavailable);
    admit(fence, { ...unnamed, timeline: 2 });
    expect(() => admit(fence, unnamed)).toThrow(DatabaseRefused);
    expect(fence.holds(term)).toBe(false);
  });

  it('has the sessions before left when a heartbeat goes on at a server that does not say which it is', () => {
    const { fence } = newFence();
    const term = admit(fence, null);
    fence.confirm(term, 0, 10);
    const next = fence.leaveSessions();
    expect(fence.holds(term)).toBe(false);
    expect(admit(fence, null)).toBe(next);
    expect(fence.holds(next)).toBe(true);
  });

  it('judges servers that do not report who they are by their heartbeats alone', () => {
    const { fence, clock } = newFence();
    const term = admit(fence, null);
    fence.confirm(term, 0, 10);
    expect(admit(fence, null)).toBe(term);
    expect(fence.holds(term)).toBe(true);
    clock.now = millis + 1;
    expect(fence.holds(term)).toBe(false);
  });

  it('uses no session that does not report its server once others did', () => {
    const { fence } = confirmed();
    expect(() => admit(fence, null)).toThrow(DatabaseUnavailable);
  });
});

describe('Commits that do not return', () => {
  // Contract: operation#commits-that-wait — No change is begun while the server waits for a standby, until a commit
  //   returns
  it('refuse changes until one returns, and try one at a time', async () => {
    const stall = new CommitStall(silentLogger);
    stall.requireNone();
    stall.begin();
    expect(() => stall.requireNone()).toThrow(DatabaseUnavailable);
    const tries: PromiseWithResolvers<void>[] = [];
    const commit = (): Promise<void> => {
      const next = Promise.withResolvers<void>();
      tries.push(next);
      return next.promise;
    };
    stall.probe(commit);
    stall.probe(commit);
    expect(tries).toHaveLength(1);
    tries[0]?.reject(new DatabaseUnavailable('late'));
    await new Promise(setImmediate);
    expect(() => stall.requireNone()).toThrow(DatabaseUnavailable);
    stall.probe(commit);
    tries[1]?.resolve();
    await new Promise(setImmediate);
    stall.requireNone();
    stall.probe(commit);
    expect(tries).toHaveLength(2);
  });

  it.each([
    ['SELECT 1', false],
    ['WITH found AS (SELECT 1) SELECT * FROM found', false],
    ['SELECT updated_at, deleted FROM rows', false],
    ['INSERT INTO rows VALUES (1)', true],
    ['WITH gone AS (DELETE FROM rows RETURNING id) SELECT id FROM gone', true],
    ['SELECT id FROM rows FOR UPDATE', true],
    ['SELECT record_mcp_tool_calls($1)', true],
  ])('are those of %s: %s', (text, isOne) => {
    expect(isChange({ name: text, text })).toBe(isOne);
  });
});

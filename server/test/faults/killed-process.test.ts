/**
 * kill -9 of one of two processes, again and again, while people refresh, sign up, accept, complete, switch, sign out and
 * call tools on both: judged by what each of them was told. The other process goes on meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseUpTo, tally } from '../support/concurrency.ts';
import type { Operation } from './support/history.ts';
import { keepResult } from './support/results.ts';
import { Site } from './support/site.ts';
import { sized } from './support/size.ts';
import { everyKind, kinds, underLoad } from './support/storm.ts';

const kills = sized(8, 200);
const readyMillis = 3_000;
/** Of ten requests the one that is struck gets this many. */
const victimsShare = 0.75;

/** Operations that were under way at one of these instants and whose client never learned what became of them. */
const struck = (operations: readonly Operation[], instants: readonly number[]): Record<string, number> =>
  tally(
    operations
      .filter(
        ({ outcome, invokedAt, returnedAt }) =>
          outcome === 'unknown' && instants.some((instant) => invokedAt <= instant && instant <= returnedAt),
      )
      .map(({ name }) => name),
  );

describe(`kill -9 of one of two processes, ${kills} times`, () => {
  let site: Site;
  const killedAt: number[] = [];
  const readyAfter: number[] = [];

  beforeAll(async () => {
    site = await Site.start({ processes: 2 });
  });
  afterAll(() => site.close());

  const killOnce = async (index: number): Promise<void> => {
    const victim = site.servers[index % 2] ?? site.first;
    await pauseUpTo(400);
    await sleep(100);
    killedAt.push(performance.now());
    await victim.kill();
    const begun = performance.now();
    await victim.restart();
    readyAfter.push(performance.now() - begun);
  };

  const strike = async (): Promise<void> => {
    let round = 0;
    const url = (): string => {
      const victim = site.servers[round % 2] ?? site.first;
      return Math.random() < victimsShare ? victim.url : site.anyUrl();
    };
    const killAll = async (): Promise<void> => {
      for (; round < kills; round += 1) await killOnce(round);
      await sleep(500);
    };
    await underLoad(site, await everyKind(site), killAll, url);
  };

  it('breaks no rule, and is ready again in three seconds', async () => {
    await strike();
    const { operations } = site.history;
    const violations = await site.judge({ mostMails: 2 });
    const hit = struck(operations, killedAt);
    const worst = Math.max(...readyAfter);
    const note = `struck: ${JSON.stringify(hit)}`;
    await keepResult({
      fault: 'kill -9 of one of two processes',
      runs: kills,
      violations,
      operations,
      defects: site.defects,
      worstRecoveryMillis: worst,
      note,
    });
    expect(violations).toEqual([]);
    expect(site.defects).toEqual([]);
    // Each kind was done, and was under way at a kill.
    const done = new Set(operations.filter(({ outcome }) => outcome === 'ok').map(({ name }) => name));
    expect(kinds.filter((kind) => !done.has(kind))).toEqual([]);
    expect(hit['refresh'] ?? 0).toBeGreaterThan(0);
    expect(worst).toBeLessThanOrEqual(readyMillis);
  });
});

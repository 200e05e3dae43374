/** Turns for the pool: how many one person has, who is next, what is kept for sign-ins, and the end of a wait. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { waitLimits } from '../../../src/platform/database/deadlines.ts';
import { FairQueue } from '../../../src/platform/database/turns/fair-queue.ts';
import { claimInProgress, Turns } from '../../../src/platform/database/turns/turns.ts';
import { nameParty, type Party, withContext } from '../../../src/platform/observability/context.ts';
import { type OwnWork, tellOwnWork } from '../../support/checks/own-work.ts';

const partyOf = (known: Partial<Party>): Party => ({
  network: '192.0.2.1',
  person: null,
  organization: null,
  signsIn: false,
  ...known,
});

interface Taken {
  readonly who: string;
  readonly end: () => void;
}

/** Asks for turns, and writes down in which order they begin. */
class Callers {
  readonly turns: Turns;
  readonly begun: Taken[] = [];
  readonly failed: unknown[] = [];

  constructor(size: number) {
    this.turns = new Turns(size);
  }

  /** @param who names the turn @param party null for work that many requests share */
  async ask(who: string, party: Partial<Party> | null, isTransaction = true): Promise<void> {
    const take = () => this.turns.take(claimInProgress(isTransaction));
    const work = { correlationId: who, ...(party === null ? {} : { party: partyOf(party) }) };
    withContext(work, take).then(
      (end) => this.begun.push({ who, end }),
      (error: unknown) => this.failed.push(error),
    );
    await this.settle();
  }

  /** Ends the turn that began first. */
  async endFirst(): Promise<void> {
    this.begun.shift()?.end();
    await this.settle();
  }

  /** Lets the promises of the turns settle, which wait for nothing else. */
  async settle(): Promise<void> {
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
  }

  get names(): readonly string[] {
    return this.begun.map(({ who }) => who);
  }
}

describe('Turns of a pool of eight', () => {
  it('are two at a time for one person, and the others of that person wait without one', async () => {
    const callers = new Callers(8);
    for (const who of ['a1', 'a2', 'a3', 'a4']) await callers.ask(who, { person: 'a' });
    await callers.ask('b1', { person: 'b' });
    expect(callers.names).toEqual(['a1', 'a2', 'b1']);
    expect(callers.turns.stats).toEqual({ waiting: 2, heldBack: 2, refused: 0 });
    await callers.endFirst();
    expect(callers.names).toEqual(['a2', 'b1', 'a3']);
  });

  it('are two at a time for transactions in one organization, of one person or of several; its statements are not counted', async () => {
    const callers = new Callers(8);
    for (const who of ['a', 'b', 'c']) await callers.ask(who, { person: who, organization: 'o' });
    await callers.ask('reads', { person: 'd', organization: 'o' }, false);
    await callers.ask('elsewhere', { person: 'e', organization: 'p' });
    expect(callers.names).toEqual(['a', 'b', 'reads', 'elsewhere']);
    await callers.endFirst();
    expect(callers.names).toContain('c');
  });

  it('are kept for sign-ins, and for work that many requests share: two of them', async () => {
    const callers = new Callers(8);
    for (let person = 0; person < 10; person += 1) await callers.ask(`p${person}`, { person: `p${person}` });
    await callers.ask('signed out', { network: '192.0.2.9' });
    expect(callers.begun).toHaveLength(6);
    expect(callers.turns.stats).toEqual({ waiting: 5, heldBack: 0, refused: 0 });
    await callers.ask('sign-in', { network: '192.0.2.1', signsIn: true });
    await callers.ask('permits', null);
    expect(callers.names.slice(6)).toEqual(['sign-in', 'permits']);
  });

  it('are six at most for the sign-ins of one network', async () => {
    const callers = new Callers(8);
    for (let nth = 0; nth < 8; nth += 1) await callers.ask('flood', { network: '192.0.2.1', signsIn: true });
    await callers.ask('neighbour', { network: '192.0.2.2', signsIn: true });
    expect(callers.names).toEqual([...Array<string>(6).fill('flood'), 'neighbour']);
  });

  it('are four at most for a network that is signed out, beside its sign-ins', async () => {
    const callers = new Callers(8);
    for (let nth = 0; nth < 6; nth += 1) await callers.ask('flood', { network: '192.0.2.1' });
    expect(callers.turns.stats).toEqual({ waiting: 2, heldBack: 2, refused: 0 });
    await callers.ask('person', { network: '192.0.2.1', person: 'a' });
    await callers.ask('neighbour', { network: '192.0.2.2' });
    await callers.ask('sign-in', { network: '192.0.2.1', signsIn: true });
    expect(callers.names).toEqual([...Array<string>(4).fill('flood'), 'person', 'neighbour', 'sign-in']);
    await callers.endFirst();
    expect(callers.names.at(-1)).toBe('flood');
  });

  it('are two at most for the sign-ins of a known person, and do not wait for the rest of their work', async () => {
    const callers = new Callers(8);
    for (const who of ['a1', 'a2', 'a3']) await callers.ask(who, { person: 'a' });
    for (const who of ['s1', 's2', 's3']) await callers.ask(who, { person: 'a', signsIn: true });
    await callers.ask('neighbour', { signsIn: true });
    expect(callers.names).toEqual(['a1', 'a2', 's1', 's2', 'neighbour']);
    expect(callers.turns.stats).toEqual({ waiting: 2, heldBack: 2, refused: 0 });
  });

  it('go round among those who wait, not in order of arrival', async () => {
    const callers = new Callers(1);
    await callers.ask('first', null);
    for (const who of ['a1', 'a2', 'a3']) await callers.ask(who, { person: 'a' });
    await callers.ask('b1', { person: 'b' });
    await callers.ask('n1', { network: '192.0.2.7' });
    const order: (string | undefined)[] = [];
    while (callers.begun.length > 0) {
      order.push(callers.names[0]);
      await callers.endFirst();
    }
    expect(order).toEqual(['first', 'a1', 'b1', 'n1', 'a2', 'a3']);
  });

  it('are not passed to a later one of the same person while an earlier one waits for its organization', async () => {
    const callers = new Callers(8);
    for (const who of ['a', 'b']) await callers.ask(who, { person: who, organization: 'o' });
    await callers.ask('c1', { person: 'c', organization: 'o' });
    await callers.ask('c2', { person: 'c' });
    expect(callers.names).toEqual(['a', 'b']);
    await callers.endFirst();
    expect(callers.names).toEqual(['b', 'c1', 'c2']);
  });
});

describe('A small pool', () => {
  it('leaves one of two connections to others', async () => {
    const callers = new Callers(2);
    for (const who of ['a1', 'a2']) await callers.ask(who, { person: 'a' });
    await callers.ask('b1', { person: 'b' });
    expect(callers.names).toEqual(['a1', 'b1']);
  });

  it.each([
    [3, 2],
    [2, 1],
  ])('of %i connections gives a network that is signed out %i', async (size, most) => {
    const callers = new Callers(size);
    for (let nth = 0; nth < size; nth += 1) await callers.ask('signed out', { network: '192.0.2.1' });
    await callers.ask('person', { person: 'a' });
    expect(callers.names).toEqual([...Array<string>(most).fill('signed out'), 'person']);
  });

  it('of one connection serves one after the other', async () => {
    const callers = new Callers(1);
    for (const who of ['a1', 'a2']) await callers.ask(who, { person: 'a' });
    expect(callers.names).toEqual(['a1']);
    await callers.endFirst();
    expect(callers.names).toEqual(['a2']);
  });
});

describe('A turn that does not come', () => {
  let worked: OwnWork;
  beforeEach(() => {
    vi.useFakeTimers();
    worked = tellOwnWork();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is waited for as much longer as the thread works meanwhile', async () => {
    const callers = new Callers(8);
    for (const who of ['a1', 'a2', 'a3']) await callers.ask(who, { person: 'a' });
    worked.millis += 100;
    await vi.advanceTimersByTimeAsync(waitLimits.connectMillis + 99);
    expect(callers.failed).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(callers.failed).toEqual([expect.any(DatabaseUnavailable)]);
  });

  it('is refused as unavailable, and takes none when it would come later', async () => {
    const callers = new Callers(8);
    for (const who of ['a1', 'a2', 'a3']) await callers.ask(who, { person: 'a' });
    await vi.advanceTimersByTimeAsync(waitLimits.connectMillis + 1);
    expect(callers.failed).toEqual([expect.any(DatabaseUnavailable)]);
    expect(callers.turns.stats).toEqual({ waiting: 0, heldBack: 0, refused: 1 });
    await callers.endFirst();
    await callers.ask('a4', { person: 'a' });
    expect(callers.names).toEqual(['a2', 'a4']);
  });

  it('does not hold up the one behind it, which may start', async () => {
    const callers = new Callers(8);
    for (const who of ['a', 'b']) await callers.ask(who, { person: who, organization: 'o' });
    await callers.ask('c1', { person: 'c', organization: 'o' });
    await vi.advanceTimersByTimeAsync(waitLimits.connectMillis / 2);
    await callers.ask('c2', { person: 'c' });
    await vi.advanceTimersByTimeAsync(waitLimits.connectMillis / 2 + 1);
    expect(callers.names).toEqual(['a', 'b', 'c2']);
  });
});

describe('The party of a request', () => {
  it('is completed as more is known, and nothing is kept outside of a request', () => {
    nameParty({ person: 'another' });
    const party = partyOf({});
    withContext({ correlationId: 'c', party }, () => nameParty({ person: 'a', organization: 'o' }));
    expect(party).toEqual(partyOf({ person: 'a', organization: 'o' }));
  });
});

describe('A fair queue', () => {
  it('forgets what is removed', () => {
    const queue = new FairQueue<{ readonly group: string }>();
    const [one, two] = [{ group: 'a' }, { group: 'a' }];
    for (const item of [one, two]) queue.add(item);
    queue.remove(one);
    expect(queue.all()).toEqual([two]);
    expect(queue.next()).toBe(two);
    expect(queue.next()).toBeUndefined();
    expect(queue.has('a')).toBe(false);
  });
});

/** Requests of one turn of the event loop that share a statement: never a row read before the call. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TurnBatch } from '../../../src/platform/turn-batch.ts';

type Rows = ReadonlyMap<string, string>;

const lookUp = (read: (keys: readonly string[]) => Promise<Rows>, maximumInFlight: number): TurnBatch<string | null> =>
  new TurnBatch({
    maximumInFlight,
    run: async (requests) => {
      const rows = await read([...requests.keys()]);
      return (key) => rows.get(key) ?? null;
    },
  });

/** A batch whose statements the test answers itself. */
const heldBatch = (maximumInFlight: number) => {
  const statements: { readonly keys: readonly string[]; answer(rows: Rows): void; fail(error: Error): void }[] = [];
  const batch = lookUp((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>();
    statements.push({ keys, answer: resolve, fail: reject });
    return promise;
  }, maximumInFlight);
  return { batch, statements, keysAsked: () => statements.map(({ keys }) => keys) };
};

const upperCased = (keys: readonly string[]): Rows => new Map(keys.map((key) => [key, key.toUpperCase()]));

describe('A batch of one turn', () => {
  it('reads the keys of one event-loop tick in one statement and gives each caller its own row', async () => {
    const asked: (readonly string[])[] = [];
    const batch = lookUp(async (keys) => {
      asked.push(keys);
      return upperCased(keys);
    }, 2);
    expect(await Promise.all(['a', 'b', 'c'].map((key) => batch.get(key)))).toEqual(['A', 'B', 'C']);
    expect(asked).toEqual([['a', 'b', 'c']]);
  });

  it('reads a key once for several callers', async () => {
    const { batch, statements, keysAsked } = heldBatch(2);
    const both = Promise.all([batch.get('a'), batch.get('a')]);
    await nextTurn();
    expect(keysAsked()).toEqual([['a']]);
    statements[0]?.answer(upperCased(['a']));
    expect(await both).toEqual(['A', 'A']);
  });

  it('answers each request of a key by its place, and fails only those whose result throws', async () => {
    const batch = new TurnBatch<string>({
      maximumInFlight: 1,
      run: async (requests) => (key, nth) => {
        if (nth > 1) throw new Error('none left');
        return `${key} ${nth + 1} of ${requests.get(key) ?? 0}`;
      },
    });
    const settled = await Promise.allSettled(['a', 'a', 'b', 'a'].map((key) => batch.get(key)));
    expect(settled).toMatchObject([
      { value: 'a 1 of 3' },
      { value: 'a 2 of 3' },
      { value: 'b 1 of 1' },
      { reason: { message: 'none left' } },
    ]);
  });

  it('answers null for a key without a row', async () => {
    const batch = lookUp(async () => new Map([['other', 'row']]), 2);
    expect(await batch.get('a')).toBeNull();
  });

  it('never answers with a row that was read before the call', async () => {
    const { batch, statements, keysAsked } = heldBatch(2);
    const first = batch.get('a');
    await nextTurn();
    const second = batch.get('a');
    await nextTurn();
    expect(keysAsked()).toEqual([['a'], ['a']]);
    statements[1]?.answer(new Map([['a', 'new']]));
    statements[0]?.answer(new Map([['a', 'old']]));
    expect(await Promise.all([first, second])).toEqual(['old', 'new']);
  });

  it('gathers new keys for the next statement while the allowed statements are running', async () => {
    const { batch, statements, keysAsked } = heldBatch(1);
    const all = [batch.get('a')];
    await nextTurn();
    for (const key of ['b', 'c']) {
      all.push(batch.get(key));
      await nextTurn();
    }
    expect(keysAsked()).toEqual([['a']]);
    statements[0]?.answer(upperCased(['a']));
    await nextTurn();
    await nextTurn();
    expect(keysAsked()).toEqual([['a'], ['b', 'c']]);
    statements[1]?.answer(upperCased(['b', 'c']));
    expect(await Promise.all(all)).toEqual(['A', 'B', 'C']);
  });

  it('fails all callers of a failed statement, and no later caller', async () => {
    const { batch, statements } = heldBatch(1);
    const failing = Promise.allSettled([batch.get('a'), batch.get('b')]);
    await nextTurn();
    const later = batch.get('a');
    const reason = new Error('cut off');
    statements[0]?.fail(reason);
    expect(await failing).toEqual(Array(2).fill({ status: 'rejected', reason }));
    await expect.poll(() => statements.length).toBe(2);
    statements[1]?.answer(upperCased(['a']));
    expect(await later).toBe('A');
  });
});

/** Permits of one limit that are consumed in one turn of the event loop: how they are counted together. */
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable, type Queryable, statement } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { createDatabaseRateLimits } from '../../src/platform/rate-limit/database-rate-limits.ts';
import type { Count } from '../../src/platform/rate-limit/gcra.ts';
import { range } from '../support/checks/concurrency.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { fixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

/** Five at once, then one a minute. */
const pace = { each: 60, maxAhead: 240, mostInWindow: 0 };
const other = { each: 30, maxAhead: 30, mostInWindow: 0 };
/** Five in any five minutes. */
const sliding = { ...pace, mostInWindow: 5 };

const stored = fixture(createTestDatabase, (database) => database.drop());
const database = fixture(
  () => openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger, poolSize: 4 }),
  (opened) => opened.close(),
);

/** A store whose statements are noted by name, or fail. */
const newStore = () => {
  const statements: string[] = [];
  const state = { isDown: false };
  const recorded: Pick<Queryable, 'many'> = {
    many: async (statement, params) => {
      statements.push(statement.name);
      if (state.isDown) throw new DatabaseUnavailable('The database is down');
      return database.many(statement, params);
    },
  };
  return { statements, state, store: createDatabaseRateLimits(recorded) };
};

const rowsOf = statement<{ readonly key: string }, [keys: readonly string[]]>(
  'test.permit_rows',
  'SELECT key FROM rate_limits WHERE key = ANY ($1::text[])',
);

const newKey = (limit = 'test'): string => `${limit}:${crypto.randomUUID()}`;
const taken = (counts: readonly Count[]): boolean[] => counts.map(({ isTaken }) => isTaken);
/** In whole permits: the clock goes on between two statements. */
const ahead = (counts: readonly Count[]): number[] => counts.map(({ secondsAhead }) => Math.ceil(secondsAhead / 60));

describe('Permits of one turn of the event loop', () => {
  it('are counted by one statement, however many subjects they have', async () => {
    const { statements, store } = newStore();
    const keys = range(20).map(() => newKey());
    const counts = await Promise.all(keys.map((key) => store.consume(key, pace)));
    expect(counts.every(({ isTaken }) => isTaken)).toBe(true);
    expect(ahead(counts)).toEqual(keys.map(() => 1));
    expect(statements).toEqual(['rate_limits.grant_permits']);
    const rows = await database.many(rowsOf, [keys]);
    expect(rows).toHaveLength(20);
  });

  // Contract: requests#rate-limits — Concurrent requests of one subject share its permits in the order of their arrival
  it('of one subject are granted in the order of arrival, each with its own remainder, and not beyond the burst', async () => {
    const { statements, store } = newStore();
    const key = newKey();
    const first = await Promise.all(range(3).map(() => store.consume(key, pace)));
    expect(taken(first)).toEqual([true, true, true]);
    expect(ahead(first)).toEqual([1, 2, 3]);
    const second = await Promise.all(range(4).map(() => store.consume(key, pace)));
    expect(taken(second)).toEqual([true, true, false, false]);
    expect(ahead(second)).toEqual([4, 5, 5, 5]);
    const third = await Promise.all(range(2).map(() => store.consume(key, pace)));
    expect(taken(third)).toEqual([false, false]);
    expect(ahead(third)).toEqual([5, 5]);
    expect(statements).toHaveLength(3);
  });

  it('grants no more than the burst to a subject without a row', async () => {
    const { store } = newStore();
    const key = newKey();
    const counts = await Promise.all(range(9).map(() => store.consume(key, pace)));
    expect(counts.filter(({ isTaken }) => isTaken)).toHaveLength(5);
    expect(ahead(counts)).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5]);
  });

  it('of a sliding window are granted as many as it has left, each with its own remainder', async () => {
    const { statements, store } = newStore();
    const [key, another] = [newKey(), newKey()];
    const first = await Promise.all([
      ...range(3).map(() => store.consume(key, sliding)),
      store.consume(another, sliding),
    ]);
    expect(first.map(({ inWindow }) => inWindow)).toEqual([1, 2, 3, 1]);
    const second = await Promise.all(range(4).map(() => store.consume(key, sliding)));
    expect(taken(second)).toEqual([true, true, false, false]);
    expect(second.map(({ inWindow }) => inWindow)).toEqual([4, 5, 5, 5]);
    expect(ahead([...first, ...second])).toEqual(range(8).map(() => 5));
    const unknown = await Promise.all(range(9).map(() => store.consume(newKey(), sliding)));
    expect(taken(unknown)).toEqual(range(9).map(() => true));
    const beyond = newKey();
    const all = await Promise.all(range(9).map(() => store.consume(beyond, sliding)));
    expect(all.filter(({ isTaken }) => isTaken)).toHaveLength(5);
    expect(statements).toEqual(range(4).map(() => 'rate_limits.grant_permits_in_window'));
  });

  it('wait for the statement in flight, and limits do not wait for each other', async () => {
    const { statements, store } = newStore();
    const key = newKey();
    const flying = store.consume(key, pace);
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toHaveLength(1);
    const later = range(5).map(() => store.consume(newKey(), pace));
    const ofAnother = store.consume(newKey('another'), other);
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toHaveLength(2);
    await Promise.all([flying, ...later, ofAnother]);
    expect(statements).toHaveLength(3);
  });

  // Contract: credentials#unavailable-database — A permit that could not be counted is refused as unavailable, and the
  //   next one is counted
  it('fail together when their statement fails, and the next are counted', async () => {
    const { state, store } = newStore();
    const key = newKey();
    state.isDown = true;
    const failed = await Promise.allSettled(range(3).map(() => store.consume(key, pace)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await database.many(rowsOf, [[key]])).toEqual([]);
    state.isDown = false;
    expect(taken(await Promise.all(range(6).map(() => store.consume(key, pace))))).toEqual([
      ...range(5).map(() => true),
      false,
    ]);
  });

  it('are refunded together, each at most to a full burst', async () => {
    const { statements, store } = newStore();
    const [used, full] = [newKey(), newKey()];
    for (const _permit of range(2)) await store.consume(used, pace);
    statements.length = 0;
    const counts = await store.refundAll([
      { key: full, pace: other },
      { key: used, pace },
    ]);
    expect(ahead(counts)).toEqual([0, 1]);
    expect(statements).toEqual(['rate_limits.refund_permits']);
    expect(await database.many(rowsOf, [[full]])).toEqual([]);
  });
});

/** Turns counted in the database. */
import type { Queryable } from './database/database.ts';
import type { Count, Pace, Permit, RateLimitStore } from './rate-limit-counting.ts';
import { giveTurnBack, takePermits, takeTurn } from './rate-limits-store.ts';

/** Takes a turn in the database, or in a transaction, where it stands or falls with it. */
export const countedIn = (queryable: Pick<Queryable, 'one'>, key: string, { each, mostAhead }: Pace): Promise<Count> =>
  queryable.one(takeTurn, [key, each, mostAhead]);

export const createDatabaseRateLimits = (database: Pick<Queryable, 'one' | 'maybeOne' | 'many'>): RateLimitStore => ({
  take: (key, pace) => countedIn(database, key, pace),
  takeAll: (permits) => takeAllIn(database, permits),
  giveBack: async (key, { each }) => {
    const row = await database.maybeOne(giveTurnBack, [key, each]);
    return { isTaken: true, secondsAhead: row?.secondsAhead ?? 0 };
  },
});

const takeAllIn = async (database: Pick<Queryable, 'many'>, permits: readonly Permit[]): Promise<readonly Count[]> => {
  const rows = await database.many(takePermits, [
    permits.map(({ key }) => key),
    permits.map(({ pace }) => pace.each),
    permits.map(({ pace }) => pace.mostAhead),
  ]);
  return permits.map(({ key }) => {
    const row = rows.find((each) => each.key === key);
    if (row === undefined) throw new Error('A permit was not counted');
    return { isTaken: row.isFree, secondsAhead: row.secondsAhead };
  });
};

/** Turns counted in the database. */
import type { Queryable } from './database/database.ts';
import type { Count, Pace, RateLimitStore } from './rate-limit-counting.ts';
import { giveTurnBack, takeTurn } from './rate-limits-store.ts';

/** Takes a turn in the database, or in a transaction, where it stands or falls with it. */
export const countedIn = (queryable: Pick<Queryable, 'one'>, key: string, { each, mostAhead }: Pace): Promise<Count> =>
  queryable.one(takeTurn, [key, each, mostAhead]);

export const createDatabaseRateLimits = (database: Pick<Queryable, 'one' | 'maybeOne'>): RateLimitStore => ({
  take: (key, pace) => countedIn(database, key, pace),
  giveBack: async (key, { each }) => {
    const row = await database.maybeOne(giveTurnBack, [key, each]);
    return { isTaken: true, secondsAhead: row?.secondsAhead ?? 0 };
  },
});

/** Owns what time it is: the database's, for whatever more than one process looks at. */
import type { Queryable } from './database.ts';
import { statement } from './statement.ts';

const readClock = statement<{ now: Date }>('database.clock', 'SELECT clock_timestamp() AS now');

/** The database's time. @throws DatabaseUnavailable */
export const databaseNow = async (database: Pick<Queryable, 'one'>): Promise<Date> =>
  (await database.one(readClock, [])).now;

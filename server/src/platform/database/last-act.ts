/** A database whose transactions all end with the same act. */
import type { Database, Transaction } from './database.ts';

/**
 * The same database, but before a transaction commits, `act` runs in it. Work that fails, or that is taken back, ends
 * without it; and when the act fails, nothing is committed.
 */
export const withLastAct = (database: Database, act: (transaction: Transaction) => Promise<void>): Database => ({
  engine: database.engine,
  lookups: database.lookups,
  many: (statement, params) => database.many(statement, params),
  maybeOne: (statement, params) => database.maybeOne(statement, params),
  one: (statement, params) => database.one(statement, params),
  execute: (statement, params) => database.execute(statement, params),
  transaction: (work) =>
    database.transaction(async (transaction) => {
      const result = await work(transaction);
      await act(transaction);
      return result;
    }),
  ping: () => database.ping(),
  stats: () => database.stats(),
  close: () => database.close(),
});

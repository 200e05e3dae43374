/** Halts an operation at one of its statements, so that another one surely meets it there. */
import type { Database, Transaction } from '../../../src/platform/database/database.ts';

interface Halt {
  /** Resolves when the operation has come to the statement: the rows that it answered, or none before it runs. */
  readonly reached: Promise<readonly unknown[]>;
  /** Lets it go on. Every further statement of this name passes. */
  release(): void;
}

/**
 * Halts the first transaction of a database that reads many rows by this statement, before or after it.
 * @param name of the statement
 */
export const haltAt = (database: Pick<Database, 'transaction'>, moment: 'before' | 'after', name: string): Halt => {
  const begin: Database['transaction'] = database.transaction.bind(database);
  const reached = Promise.withResolvers<readonly unknown[]>();
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  const halt = async (rows: readonly unknown[]): Promise<void> => {
    reached.resolve(rows);
    await gate.promise;
  };
  const halting = (transaction: Transaction): Transaction => {
    const many: Transaction['many'] = async (statement, params) => {
      if (statement.name !== name || !isFirst) return transaction.many(statement, params);
      isFirst = false;
      if (moment === 'before') await halt([]);
      const rows = await transaction.many(statement, params);
      if (moment === 'after') await halt(rows);
      return rows;
    };
    return new Proxy(transaction, {
      get: (target, key): unknown => {
        if (key === 'many') return many;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  database.transaction = (work) => begin((transaction) => work(halting(transaction)));
  return {
    reached: reached.promise,
    release: () => {
      Object.assign(database, { transaction: begin });
      gate.resolve();
    },
  };
};

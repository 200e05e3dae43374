/** A dry run: the work of a transaction, taken back. */
import type { Database, Transaction } from './database.ts';

/**
 * Runs work in a transaction and rolls it back: every check and every answer, and nothing changed. What waits for the
 * commit (logs, mail) never happens.
 * @throws whatever the work throws
 */
export const rehearse = async <Result>(
  database: Pick<Database, 'transaction'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => {
  const results: Result[] = [];
  const takenBack = new Error('A rehearsal is taken back');
  try {
    await database.transaction(async (transaction) => {
      results.push(await work(transaction));
      throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  }
  for (const result of results) return result;
  throw takenBack;
};

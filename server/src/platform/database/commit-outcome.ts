/** Owns the question what became of a transaction whose session ended under its commit, to be asked on another session. */
import { queryable, runStatement, type StatementClient } from './connection.ts';
import { DatabaseUnavailable } from './database.ts';
import { type Ending, endingAfter } from './failure.ts';
import { statement } from './statement.ts';
import { answerMillis } from './time-limits.ts';

/** What is needed of a pool. */
interface Sessions<Client> {
  take(): Promise<Client>;
  timelineOf(client: Client): string | null;
  give(client: Client, ending: Ending): void;
  putBack(client: Client): void;
}

/** Null for one that was over long ago. */
const findStatus = statement<{ readonly status: string | null }, [transactionId: string]>(
  'database.transaction_status',
  'SELECT pg_xact_status($1::xid8) AS status',
);

/**
 * Whether a transaction was committed.
 * @param timeline that of the session that it ran on
 * @throws DatabaseUnavailable while it is in progress still, when nobody can be asked, and when the server writes another
 *   timeline than that one did: the id would be of another transaction
 */
export const wasCommitted = async <Client extends StatementClient>(
  pool: Sessions<Client>,
  transactionId: string,
  timeline: string | null,
): Promise<boolean> => {
  const client = await pool.take();
  if (timeline === null || pool.timelineOf(client) !== timeline) {
    pool.putBack(client);
    throw unknown('its server is another one now');
  }
  const status = await askFor(pool, client, transactionId);
  if (status === 'committed') return true;
  if (status === 'aborted') return false;
  throw unknown(status ?? 'it was over long ago');
};

const askFor = async <Client extends StatementClient>(
  pool: Sessions<Client>,
  client: Client,
  transactionId: string,
): Promise<string | null> => {
  const session = queryable((asked, params) => runStatement(client, asked, params, answerMillis));
  try {
    const { status } = await session.one(findStatus, [transactionId]);
    pool.give(client, 'usable');
    return status;
  } catch (error) {
    pool.give(client, endingAfter(error));
    throw error;
  }
};

const unknown = (why: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`What became of a transaction is not known: ${why}`);

/** Owns the question what became of a transaction whose session ended under its commit, to be asked on another session. */
import { queryable, runStatement, type StatementClient } from './connection.ts';
import { DatabaseUnavailable } from './database.ts';
import { type Ending, endingAfter } from './failure.ts';
import type { ServerHistory } from './postgres-session.ts';
import { type Statement, statement } from './statement.ts';
import { answerMillis } from './time-limits.ts';

/** What is needed of a pool. */
interface Sessions<Client> {
  take(): Promise<Client>;
  historyOf(client: Client): ServerHistory | null;
  give(client: Client, ending: Ending): void;
  putBack(client: Client): void;
}

/** A null status is that of a transaction which ended long ago. */
interface Outcome {
  readonly status: string | null;
}

const findStatus = statement<Outcome, [transactionId: string]>(
  'database.transaction_status',
  'SELECT pg_xact_status($1::xid8) AS status',
);

/**
 * After a crash the server gives out again the ids of transactions that had not reached its log, and the checkpoint at the
 * end of its recovery holds the first of them. Such a checkpoint begins where it is written. Nothing is known of an id from
 * that one on, nor of any id once another checkpoint has taken its place or the server was started once more.
 */
const findStatusAfterCrash = statement<Outcome, [transactionId: string]>(
  'database.transaction_status_after_crash',
  `SELECT CASE WHEN is_of_recovery AND $1::xid8 < first_new_id THEN pg_xact_status($1::xid8)
               ELSE 'unknown since the server crashed' END AS status
     FROM (SELECT redo_lsn = checkpoint_lsn AND stats_reset > pg_postmaster_start_time() AS is_of_recovery,
                  ((split_part(next_xid, ':', 1)::bigint << 32) + split_part(next_xid, ':', 2)::bigint)::text::xid8
                    AS first_new_id
             FROM pg_control_checkpoint(), pg_stat_bgwriter) AS checkpoint`,
);

/**
 * Whether a transaction was committed.
 * @param before the history that the server of its session wrote
 * @throws DatabaseUnavailable while it is in progress still, when no session can be had, and when the server's ids are of
 *   another history: the id may be another transaction's there
 */
export const wasCommitted = async <Client extends StatementClient>(
  pool: Sessions<Client>,
  transactionId: string,
  before: ServerHistory | null,
): Promise<boolean> => {
  const client = await pool.take();
  const now = pool.historyOf(client);
  if (before === null || now === null || now.timeline !== before.timeline) {
    pool.putBack(client);
    throw unknown('its server is another one now');
  }
  const question = now.countsSince === before.countsSince ? findStatus : findStatusAfterCrash;
  const { status } = await ask(pool, client, question, transactionId);
  if (status === 'committed') return true;
  if (status === 'aborted') return false;
  throw unknown(status ?? 'it ended long ago');
};

const ask = async <Client extends StatementClient>(
  pool: Sessions<Client>,
  client: Client,
  question: Statement<Outcome, [transactionId: string]>,
  transactionId: string,
): Promise<Outcome> => {
  const session = queryable((asked, params) => runStatement(client, asked, params, answerMillis));
  try {
    const outcome = await session.one(question, [transactionId]);
    pool.give(client, 'usable');
    return outcome;
  } catch (error) {
    pool.give(client, endingAfter(error));
    throw error;
  }
};

const unknown = (why: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`What became of a transaction is not known: ${why}`);

/**
 * Owns how each session with a PostgreSQL server begins: with its settings, and with a check of the server. After a
 * fail-over it may be another one than at the start, and a standby would answer with stale data.
 */
import { queryable, runStatement, runText, type StatementClient } from './connection.ts';
import { DatabaseUnavailable, type Queryable, type Statement, sessionSettings, statement } from './database.ts';
import { waitLimits } from './deadlines.ts';
import { DatabaseRefused, IsStandby, type SessionState, stateAfter } from './failure.ts';
import { poolsTransactions } from './postgres-client.ts';
import type { SessionKey } from './primary/abandoned-sessions.ts';
import type { ServerIdentity } from './primary/fence.ts';

const oldestServer = 150_000;

/** SQL: how long the server lets a session wait. Not in the startup packet, of which a pooler refuses or drops them. */
export const limitsOfSession = (): string => `SET statement_timeout = ${waitLimits.statementMillis};
  SET lock_timeout = ${waitLimits.lockMillis};
  SET idle_in_transaction_session_timeout = ${waitLimits.idleInTransactionMillis}`;

interface SessionFacts {
  readonly synchronousCommit: string;
  readonly serverVersion: number;
  readonly isStandby: boolean;
  /** The encoding of the database: `UTF8`. */
  readonly encoding: string;
  /** The limits of waits as the session has them; 0 is none. */
  readonly statementMillis: number;
  readonly lockMillis: number;
  readonly idleInTransactionMillis: number;
}

const millisOf = (setting: string): string =>
  `(extract(epoch FROM current_setting('${setting}')::interval) * 1000)::float8`;

const facts = statement<SessionFacts>(
  'database.begin_session',
  `SELECT current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('server_version_num')::int AS "serverVersion",
          pg_is_in_recovery() AS "isStandby",
          current_setting('server_encoding') AS encoding, ${millisOf('statement_timeout')} AS "statementMillis",
          ${millisOf('lock_timeout')} AS "lockMillis",
          ${millisOf('idle_in_transaction_session_timeout')} AS "idleInTransactionMillis"`,
);

/** The server on which a session began; both are null when the server does not report it. */
export interface BegunSession {
  readonly identity: ServerIdentity | null;
  readonly key: SessionKey | null;
}

/**
 * Applies the settings and checks the server in one round trip, once per connection.
 * @param settings of this kind of session, in addition to the common ones
 * @throws DatabaseRefused: the server cannot be used; the message is one sentence for the operator
 */
export const beginSession = async (
  client: StatementClient,
  settings: string,
  timeoutMillis: number,
): Promise<BegunSession> => {
  const session = queryable(({ text }) => runText(client, text, timeoutMillis));
  const [, servers, begun] = await Promise.all([
    runText(client, `${sessionSettings}; ${limitsOfSession()}; ${settings}`, timeoutMillis),
    session.many(facts, []),
    readIdentity(session),
  ]);
  servers.forEach(requireUsable);
  return begun;
};

interface PlaceFacts {
  /** Hexadecimal. */
  readonly timeline: string;
  readonly walPosition: number;
  readonly pid: number;
  readonly begunAt: string;
}

/** The timeline is read from the name of the present file of the log: the last checkpoint may be of the one before. */
const place = statement<PlaceFacts>(
  'database.place',
  `SELECT left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline,
          (pg_current_wal_flush_lsn() - '0/0')::bigint AS "walPosition", pid,
          extract(epoch FROM backend_start)::text AS "begunAt"
     FROM pg_stat_get_activity(pg_backend_pid())`,
);

/** Apart from the place, because a role may lack the right to this alone. */
const systemIdentifier = statement<{ readonly system: string }>(
  'database.system_identifier',
  'SELECT system_identifier::text AS system FROM pg_control_system()',
);

/** Both null on a standby, and on a service that lacks these functions. */
export const readIdentity = async (session: Queryable): Promise<BegunSession> => {
  const [places, systems] = await Promise.all([
    unlessRefused(session.many(place, [])),
    unlessRefused(session.many(systemIdentifier, [])),
  ]);
  const [first] = places;
  if (first === undefined) return { identity: null, key: null };
  const { timeline, walPosition, pid, begunAt } = first;
  const system = systems[0]?.system ?? null;
  return { identity: { system, timeline: Number.parseInt(timeline, 16), walPosition }, key: { pid, begunAt } };
};

const unlessRefused = <Row>(answer: Promise<readonly Row[]>): Promise<readonly Row[]> =>
  answer.catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) throw error;
    return [];
  });

/** Identifies a server's history: in the same history, two sessions mean the same transaction by one id. */
export interface ServerHistory {
  /** Changes whenever a standby is promoted to primary. */
  readonly timeline: string;
  /** Start of the server's statistics. They restart after crash recovery. */
  readonly countsSince: string;
}

const history = statement<{ readonly timeline: string; readonly countsSince: string | null }>(
  'database.history',
  `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline, stats_reset::text AS "countsSince"
     FROM pg_stat_bgwriter`,
);

/**
 * Which history the server writes: after a failover or a crash, the same id may belong to another transaction. Shares
 * the round trip of {@link beginSession}.
 * @returns null when the server does not report it; not every PostgreSQL-compatible service does
 */
export const readHistory = async (client: StatementClient, timeoutMillis: number): Promise<ServerHistory | null> => {
  const session = queryable((asked) => runText(client, asked.text, timeoutMillis));
  try {
    const { timeline, countsSince } = await session.one(history, []);
    return countsSince === null ? null : { timeline, countsSince };
  } catch (error) {
    if (stateAfter(error) === 'usable') return null;
    throw error;
  }
};

const isKept = (millis: number, most: number): boolean => millis > 0 && millis <= most;

/**
 * Two sessions that are open at once have a process of the server each. A pooler that gives both the same one pools
 * transactions: neither settings nor prepared statements of a session would last.
 * @param one null where the server does not tell, as the other
 * @throws DatabaseRefused
 */
export const requireOwnProcesses = (one: SessionKey | null, other: SessionKey | null): void => {
  if (one !== null && one.pid === other?.pid && one.begunAt === other.begunAt) throw poolsTransactions();
};

const requireUsable = (server: SessionFacts): void => {
  if (server.serverVersion < oldestServer) {
    const major = Math.floor(server.serverVersion / 10_000);
    throw new DatabaseRefused(`The server at DATABASE_URL is PostgreSQL ${major}; Gatehouse needs 15 or newer.`);
  }
  if (server.isStandby) {
    throw new IsStandby('The server at DATABASE_URL is a read-only standby; point DATABASE_URL at the primary.');
  }
  if (server.synchronousCommit === 'off') {
    throw new DatabaseRefused(
      'The server at DATABASE_URL has synchronous_commit off and would lose acknowledged writes; set it to on, ' +
        'for example with ALTER DATABASE … SET synchronous_commit TO on.',
    );
  }
  const { statementMillis, lockMillis, idleInTransactionMillis } = waitLimits;
  if (
    !isKept(server.statementMillis, statementMillis) ||
    !isKept(server.lockMillis, lockMillis) ||
    !isKept(server.idleInTransactionMillis, idleInTransactionMillis)
  ) {
    throw poolsTransactions();
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseRefused(
      `The database at DATABASE_URL has the encoding ${server.encoding}; create it with UTF8, for example with ` +
        "CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'.",
    );
  }
};

// Owns determining the outcome of a transaction whose session ended during COMMIT, on another session.

interface Sessions<Client> {
  take(): Promise<Client>;
  historyOf(client: Client): ServerHistory | null;
  give(client: Client, state: SessionState): void;
  putBack(client: Client): void;
}

/** A null status means that the transaction ended long ago. */
interface Outcome {
  readonly status: string | null;
}

const findStatus = statement<Outcome, [transactionId: string]>(
  'database.transaction_status',
  'SELECT pg_xact_status($1::xid8) AS status',
);

/**
 * After a crash the server reuses the ids of transactions that had not reached its log, and the checkpoint at the end
 * of recovery, whose REDO location is its own, records the first of them. Nothing is known of ids from that one on, nor
 * of any id once another checkpoint has replaced it or the server was restarted again.
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
 * @param before the history that the server of its session wrote
 * @throws DatabaseUnavailable: while the transaction is in progress, when no session can be opened, and when the
 *   server's ids are of another history, where the id may belong to another transaction
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
  const session = queryable((asked, params) => runStatement(client, asked, params, waitLimits.answerMillis));
  try {
    const outcome = await session.one(question, [transactionId]);
    pool.give(client, 'usable');
    return outcome;
  } catch (error) {
    pool.give(client, stateAfter(error));
    throw error;
  }
};

const unknown = (why: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`What became of a transaction is not known: ${why}`);

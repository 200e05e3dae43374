/**
 * Owns how each session with a PostgreSQL server begins: with its settings, and with a check of the server. After a
 * fail-over it may be another one than at the start, and a standby would answer with stale data.
 */
import { byTransaction, place } from './by-transaction.ts';
import { queryable, runStatement, runText, type StatementClient } from './connection.ts';
import { DatabaseUnavailable, type Queryable, sessionSettings, statement } from './database.ts';
import { waitLimits } from './deadlines.ts';
import { DatabaseRefused, IsStandby, type SessionState, sqlState, stateAfter } from './failure.ts';
import { keepsNoStatements, poolsStatements, poolsTransactions } from './postgres-client.ts';
import type { ServerIdentity, SessionKey } from './primary/fence.ts';

const oldestServer = 150_000;

/** SQL: how long the server lets a session wait. Not in the startup packet, of which a pooler refuses or drops them. */
export const limitsOfSession = (): string => `SET statement_timeout = ${waitLimits.statementMillis};
  SET lock_timeout = ${waitLimits.lockMillis};
  SET idle_in_transaction_session_timeout = ${waitLimits.idleInTransactionMillis}`;

interface SessionProperties {
  readonly synchronousCommit: string;
  readonly serverVersion: number;
  readonly isStandby: boolean;
  /** The encoding of the database: `UTF8`. */
  readonly encoding: string;
  /** The limits of waits as the session has them; 0 is none. */
  readonly statementMillis: number;
  readonly lockMillis: number;
  readonly idleInTransactionMillis: number;
  readonly timeZone: string;
  readonly clientEncoding: string;
}

const millisOf = (setting: string): string =>
  `(extract(epoch FROM current_setting('${setting}')::interval) * 1000)::float8`;

const sessionProperties = statement<SessionProperties>(
  'database.begin_session',
  `SELECT current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('server_version_num')::int AS "serverVersion",
          pg_is_in_recovery() AS "isStandby",
          current_setting('server_encoding') AS encoding, ${millisOf('statement_timeout')} AS "statementMillis",
          ${millisOf('lock_timeout')} AS "lockMillis",
          ${millisOf('idle_in_transaction_session_timeout')} AS "idleInTransactionMillis",
          current_setting('TimeZone') AS "timeZone", current_setting('client_encoding') AS "clientEncoding"`,
);

/** The server on which a session began; both are null when the server does not report it. */
export interface BegunSession {
  readonly identity: ServerIdentity | null;
  /** Null through a pooler of transactions, too: each has its own. */
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
  const own = `${sessionSettings}; ${limitsOfSession()}; ${settings}`;
  const sessions = byTransaction.get(client);
  if (sessions !== undefined) {
    sessions.use(own);
    requireUsable(client, await askTwice(client, timeoutMillis));
    return { identity: sessions.identity, key: null };
  }
  const session = queryable(({ text }) => runText(client, text, timeoutMillis));
  const [, servers, begun] = await Promise.all([
    runText(client, own, timeoutMillis),
    session.many(sessionProperties, []),
    readIdentity(session),
  ]);
  for (const server of servers) requireUsable(client, server);
  return begun;
};

/** By its name, so that a pooler which keeps no prepared statements is refused where it gives another process. */
const askTwice = async (client: StatementClient, timeoutMillis: number): Promise<SessionProperties> => {
  const session = queryable((asked, params) => runStatement(client, asked, params, timeoutMillis));
  try {
    await session.one(sessionProperties, []);
    return await session.one(sessionProperties, []);
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    const state = byTransaction.has(client) ? (sqlState(cause) ?? '') : '';
    if (/^(26000|42P05)$/.test(state)) throw keepsNoStatements();
    // PgBouncer refuses BEGIN; another one runs each statement elsewhere, without the settings.
    if (state === '08P01' && /statement pool/.test(String(cause))) throw poolsStatements();
    if (/^(42501|42883)$/.test(state)) throw withoutIdentity();
    throw error;
  }
};

/** Sets a session up for the doctor. @throws DatabaseRefused: it does not keep its settings or prepared statements */
export const requireKept = async (client: StatementClient, settings: string, timeoutMillis: number): Promise<void> => {
  const sessions = byTransaction.get(client);
  if (sessions === undefined) await runText(client, settings, timeoutMillis);
  else sessions.use(settings);
  requireSettings(client, await askTwice(client, timeoutMillis));
};

const withoutIdentity = (): DatabaseRefused =>
  new DatabaseRefused(
    'The user of DATABASE_URL may not call pg_control_system(), by which DATABASE_POOLER=transaction recognizes its server; grant it, or let the pooler pool sessions.',
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
  const session = queryable((asked, params) => runStatement(client, asked, params, timeoutMillis));
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

const requireSettings = (client: StatementClient, session: SessionProperties): void => {
  const { statementMillis, lockMillis, idleInTransactionMillis } = waitLimits;
  if (
    !isKept(session.statementMillis, statementMillis) ||
    !isKept(session.lockMillis, lockMillis) ||
    !isKept(session.idleInTransactionMillis, idleInTransactionMillis) ||
    session.timeZone !== 'UTC'
  ) {
    throw byTransaction.has(client) ? poolsStatements() : poolsTransactions();
  }
  if (session.clientEncoding !== 'UTF8') {
    throw new DatabaseRefused(
      `Sessions at DATABASE_URL have the client_encoding ${session.clientEncoding}; make it UTF8, for example with ` +
        'ALTER ROLE … SET client_encoding TO UTF8.',
    );
  }
};

const requireUsable = (client: StatementClient, server: SessionProperties): void => {
  if (server.serverVersion < oldestServer) {
    const major = Math.floor(server.serverVersion / 10_000);
    throw new DatabaseRefused(`The server at DATABASE_URL is PostgreSQL ${major}; Gatehouse needs 15 or newer.`);
  }
  if (server.isStandby) {
    throw new IsStandby();
  }
  if (server.synchronousCommit === 'off') {
    throw new DatabaseRefused(
      'The server at DATABASE_URL has synchronous_commit off and would lose acknowledged writes; set it to on, ' +
        'for example with ALTER DATABASE … SET synchronous_commit TO on.',
    );
  }
  requireSettings(client, server);
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
  give(client: Client, state: SessionState): void;
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
  const asked = inOneTransaction(client, () => askStatus(client, transactionId, before));
  const status = await asked.catch((error: unknown) => {
    pool.give(client, stateAfter(error));
    throw error;
  });
  pool.give(client, 'usable');
  if (status === 'committed' || status === 'aborted') return status === 'committed';
  throw new DatabaseUnavailable(`What became of a transaction is not known: ${status}`);
};

/** Runs reads on one server. */
const inOneTransaction = async <T>(client: StatementClient, read: () => Promise<T>): Promise<T> => {
  const sessions = byTransaction.get(client);
  if (sessions === undefined) return read();
  try {
    await sessions.begin('', waitLimits.answerMillis);
    return await read();
  } finally {
    await sessions.end('ROLLBACK', waitLimits.answerMillis);
  }
};

const askStatus = async (
  client: StatementClient,
  transactionId: string,
  before: ServerHistory | null,
): Promise<string> => {
  // Anew, because a pooler goes on with a server that has crashed.
  const now = await readHistory(client, waitLimits.answerMillis);
  if (before === null || now === null || now.timeline !== before.timeline) return 'its server is another one now';
  const question = now.countsSince === before.countsSince ? findStatus : findStatusAfterCrash;
  const session = queryable((asked, params) => runStatement(client, asked, params, waitLimits.answerMillis));
  return (await session.one(question, [transactionId])).status ?? 'it ended long ago';
};

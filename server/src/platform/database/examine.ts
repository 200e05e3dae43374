/**
 * Read-only inspection of a database. On PostgreSQL the session itself refuses writes, and a server on which the
 * service would refuse to start can be inspected too, but for a standby behind a pooler of transactions.
 */
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import { queryable, runStatement, runText } from './connection.ts';
import { type Queryable, sessionSettings, statement } from './database.ts';
import { waitLimits } from './deadlines.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { openingFailure } from './postgres-client.ts';
import { limitsOfSession, readIdentity, requireKept, requireOwnProcesses } from './postgres-session.ts';
import { newClient, type PoolerOptions } from './primary-host.ts';

const timeoutMillis = 5_000;

/** The settings and rights that a server reports about itself and the current role. */
export interface ServerState {
  /** Format of server_version_num: 150004. */
  readonly serverVersion: number;
  readonly synchronousCommit: string;
  readonly isStandby: boolean;
  readonly hasFsync: boolean;
  /** The encoding of the database: `UTF8`. */
  readonly encoding: string;
  /** Whether the role may create tables in the current schema. */
  readonly mayCreate: boolean;
  /** Whether a standby, or another receiver of the log, is connected while commits wait for none. */
  readonly hasUnawaitedStandby: boolean;
  /** Whether commits wait for a standby and none is connected that counts. */
  readonly isStandbyMissing: boolean;
}

/** Those who may not see details of other sessions still see that there is one. */
const hasUnawaitedStandby =
  "(current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') = 'local') AND EXISTS (SELECT FROM pg_stat_replication)";

export const serverState = statement<ServerState>(
  'database.examine',
  `SELECT current_setting('server_version_num')::int AS "serverVersion",
          current_setting('synchronous_commit') AS "synchronousCommit",
          pg_is_in_recovery() AS "isStandby",
          current_setting('fsync') = 'on' AS "hasFsync",
          current_setting('server_encoding') AS encoding,
          coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
          ${hasUnawaitedStandby} AS "hasUnawaitedStandby",
          current_setting('synchronous_standby_names') <> '' AND NOT EXISTS (
            SELECT FROM pg_stat_replication WHERE coalesce(sync_state, 'sync') IN ('sync', 'quorum')
          ) AS "isStandbyMissing"`,
);

const unawaited = statement<Pick<ServerState, 'hasUnawaitedStandby'>>(
  'database.unawaited_standby',
  `SELECT ${hasUnawaitedStandby} AS "hasUnawaitedStandby"`,
);

/** Warns of a fail-over that can lose acknowledged changes. */
export const warnOfUnawaitedStandby = async (database: Queryable, logger: Logger): Promise<void> => {
  if (!(await database.one(unawaited, [])).hasUnawaitedStandby) return;
  logger.warn(
    { event: 'database.standby_not_awaited' },
    'A standby follows PostgreSQL, and no commit waits for it (synchronous_standby_names is empty, or synchronous_commit is local): a fail-over can lose acknowledged changes',
  );
};

/**
 * Inspects the server behind a `postgres://` address.
 * @throws DatabaseRefused, DatabaseUnavailable: when no session can be opened; the message is one sentence
 */
export const examinePostgres = async <T>(
  url: string,
  look: (session: Queryable) => Promise<T>,
  pooling: PoolerOptions = {},
): Promise<T> => {
  const client = await connect(url, pooling);
  try {
    await requireOwnProcess(client, url, pooling);
    return await look(queryable((asked, params) => runStatement(client, asked, params, waitLimits.answerMillis)));
  } finally {
    await client.end();
  }
};

/**
 * Opens a second session, which must not have the process of the first one; through a pooler of transactions it may,
 * with the same prepared statements.
 */
const requireOwnProcess = async (first: pg.Client, url: string, pooling: PoolerOptions): Promise<void> => {
  const keyOf = async (client: pg.Client) => {
    const session = queryable(({ text }) => runText(client, text, waitLimits.answerMillis));
    return (await readIdentity(session)).key;
  };
  const second = await connect(url, pooling);
  try {
    if (pooling.pooler !== 'transaction') requireOwnProcesses(await keyOf(first), await keyOf(second));
  } finally {
    await second.end();
  }
};

const connect = async (url: string, pooling: PoolerOptions): Promise<pg.Client> => {
  try {
    const client = newClient(url, { connectionTimeoutMillis: timeoutMillis, pipeline: true }, pooling);
    // A waiting call rejects with the same error; without a listener the process would end.
    client.on('error', () => undefined);
    await begin(client);
    return client;
  } catch (error) {
    throw openingFailure(error, url);
  }
};

const begin = async (client: pg.Client): Promise<void> => {
  try {
    await client.connect();
    const settings = `${sessionSettings}; ${limitsOfSession()}; SET default_transaction_read_only TO on`;
    await requireKept(client, settings, waitLimits.answerMillis);
  } catch (error) {
    // A server that does not answer may not complete a graceful close either.
    client.connection.stream.destroy();
    throw error;
  }
};

/** Directory of the embedded engine's database files. */
export const embeddedFiles = (dataDirectory: string): string => join(dataDirectory, 'database');

/**
 * Inspects the embedded database in a read-only transaction.
 * @throws DirectoryInUse: when a process holds it
 * @throws DatabaseRefused: when it does not open
 */
export const examineEmbedded = async <T>(
  dataDirectory: string,
  logger: Logger,
  look: (session: Queryable) => Promise<T>,
): Promise<T> => {
  // A failing engine rejects every statement, so `onFatal` has nothing to do.
  const database = await openEmbedded({ dataDirectory, logger, onFatal: () => undefined });
  try {
    return await database.transaction(async (transaction) => {
      await transaction.script('SET TRANSACTION READ ONLY', timeoutMillis);
      return look(transaction);
    });
  } finally {
    await database.close();
  }
};

/**
 * Owns looking at a database without changing it. On PostgreSQL the session itself refuses to write, and a server that
 * the service would not start on can be looked at too.
 */
import { join } from 'node:path';
import pg from 'pg';
import { queryable, runStatement, runText } from './connection.ts';
import type { Queryable } from './database.ts';
import { sessionSettings } from './database.ts';
import { answerMillis } from './deadlines.ts';
import { openEmbedded } from './embedded/embedded.ts';
import type { Logger } from './logger.ts';
import { clientConfig, refusalOf } from './postgres-client.ts';
import { statement } from './statement.ts';

const timeoutMillis = 5_000;

/** What a server says of itself and of the role that asks. */
export interface ServerFacts {
  /** As in server_version_num: 150004. */
  readonly serverVersion: number;
  readonly synchronousCommit: string;
  readonly isStandby: boolean;
  readonly hasFsync: boolean;
  /** Whether the role may create tables where it would. */
  readonly mayCreate: boolean;
}

export const serverFacts = statement<ServerFacts>(
  'database.examine',
  `SELECT current_setting('server_version_num')::int AS "serverVersion",
          current_setting('synchronous_commit') AS "synchronousCommit",
          pg_is_in_recovery() AS "isStandby",
          current_setting('fsync') = 'on' AS "hasFsync",
          coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate"`,
);

export const serverTime = statement<{ now: Date }>('database.time', 'SELECT clock_timestamp() AS now');

/**
 * Looks at the server behind a `postgres://` address.
 * @throws DatabaseRefused or DatabaseUnavailable with one sentence when there is no session to be had
 */
export const examinePostgres = async <T>(url: string, look: (session: Queryable) => Promise<T>): Promise<T> => {
  const client = await connect(url);
  try {
    return await look(queryable((asked, params) => runStatement(client, asked, params, answerMillis)));
  } finally {
    await client.end();
  }
};

const connect = async (url: string): Promise<pg.Client> => {
  try {
    const client = new pg.Client({ ...clientConfig(url), connectionTimeoutMillis: timeoutMillis });
    // A call that is waiting is told of the same; without a listener the process would end.
    client.on('error', () => undefined);
    await begin(client);
    return client;
  } catch (error) {
    throw refusalOf(error, url);
  }
};

const begin = async (client: pg.Client): Promise<void> => {
  try {
    await client.connect();
    await runText(client, `${sessionSettings}; SET default_transaction_read_only TO on`, answerMillis);
  } catch (error) {
    // Whoever does not answer may not say good-bye either.
    client.connection.stream.destroy();
    throw error;
  }
};

/** Where the embedded engine keeps the files of a database. */
export const embeddedFiles = (dataDirectory: string): string => join(dataDirectory, 'database');

/**
 * Looks at the embedded database, opened and closed as a start and a stop do, in a transaction that may only read.
 * @throws DirectoryInUse when a process holds it; DatabaseRefused when it does not open
 */
export const examineEmbedded = async <T>(
  dataDirectory: string,
  logger: Logger,
  look: (session: Queryable) => Promise<T>,
): Promise<T> => {
  // A failing engine rejects what is asked of it.
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

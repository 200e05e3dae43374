/**
 * Owns the PostgreSQL engine: a pool for statements and transactions, and one pipelined connection for look-ups.
 */
import pg from 'pg';
import { Admission } from './admission.ts';
import { type Answer, type NamedText, queryable, runStatement } from './connection.ts';
import { DatabaseUnavailable, type Queryable } from './database.ts';
import { DatabaseRefused, leavesSessionUsable, toFailure } from './failure.ts';
import type { Logger } from './logger.ts';
import { LookupConnection } from './lookup-connection.ts';
import { refusalOf } from './postgres-refusal.ts';
import { rowTypes } from './row-types.ts';
import { sessionSettings } from './session.ts';
import { type SqlValue, statement } from './statement.ts';
import {
  type EndOfTransaction,
  runTransaction,
  type ScriptDatabase,
  type ScriptTransaction,
  TransactionScope,
} from './transaction.ts';

const defaultPoolSize = 8;
const connectMillis = 2_000;
const statementMillis = 5_000;
/** Longer than the server's own time-out, so that it only ends calls to a server that went silent. */
const answerMillis = statementMillis + 1_000;
const idleInTransactionMillis = 10_000;
const idleConnectionMillis = 60_000;

const oldestServer = 150_000;

const facts = statement<{ synchronousCommit: string; serverVersion: number; readOnly: boolean }>(
  'database.facts',
  `SELECT current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('server_version_num')::int AS "serverVersion",
          pg_is_in_recovery() AS "readOnly"`,
);

const trivial = statement<{ one: number }>('database.ping', 'SELECT 1 AS one');

/** What every connection to the server is opened with. */
export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'gatehouse',
  connectionTimeoutMillis: connectMillis,
  statement_timeout: statementMillis,
  query_timeout: answerMillis,
  idle_in_transaction_session_timeout: idleInTransactionMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: rowTypes,
});

const openPool = (url: string, size: number, logger: Logger): pg.Pool => {
  const pool = new pg.Pool({
    ...clientConfig(url),
    // The statements of a transaction that do not wait for each other share a round trip.
    pipeline: true,
    max: size,
    idleTimeoutMillis: idleConnectionMillis,
    // Runs once on each new connection, before anyone gets it.
    verify: (client, done) => {
      client.query(sessionSettings, (error: Error | null) => done(error ?? undefined));
    },
  });
  // Each client keeps a listener while it is checked out too: an 'error' event without one ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      logger.warn({ event: 'database.connection_cut', err: error }, 'A database connection was cut');
    });
  });
  pool.on('error', (error) => {
    logger.warn(
      { event: 'database.connection_cut', err: error },
      'An idle database connection was cut and leaves the pool',
    );
  });
  return pool;
};

/** Every failure to get a connection is the server's, or its operator's, and may pass: never a 500. */
const checkOut = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  try {
    return await pool.connect();
  } catch (error) {
    const failure = toFailure(error);
    if (failure instanceof DatabaseUnavailable) throw failure;
    throw new DatabaseUnavailable(`No connection to the database: ${failure.message}`, { cause: failure });
  }
};

const runOnPool = async (pool: pg.Pool, asked: NamedText, params: readonly SqlValue[]): Promise<Answer> => {
  const client = await checkOut(pool);
  try {
    const answer = await runStatement(client, asked, params);
    client.release();
    return answer;
  } catch (error) {
    client.release(!leavesSessionUsable(error));
    throw error;
  }
};

const checkServer = async (run: Queryable): Promise<void> => {
  const server = await run.one(facts, []);
  if (server.serverVersion < oldestServer) {
    const major = Math.floor(server.serverVersion / 10_000);
    throw new DatabaseRefused(`The server at DATABASE_URL is PostgreSQL ${major}; Gatehouse needs 15 or newer.`);
  }
  if (server.readOnly) {
    throw new DatabaseRefused('The server at DATABASE_URL is a read-only standby; point DATABASE_URL at the primary.');
  }
  if (server.synchronousCommit === 'off') {
    throw new DatabaseRefused(
      'The server at DATABASE_URL has synchronous_commit off and would lose acknowledged writes; set it to on, ' +
        'for example with ALTER DATABASE … SET synchronous_commit TO on.',
    );
  }
};

const transactionOnPool = async <T>(
  pool: pg.Pool,
  work: (transaction: ScriptTransaction) => Promise<T>,
  logger: Logger,
): Promise<T> => {
  const client = await checkOut(pool);
  const end: EndOfTransaction = {
    sent: () => undefined,
    settled: (ending) => client.release(ending === 'unusable'),
  };
  return runTransaction(client, work, end, logger);
};

const databaseOver = (pool: pg.Pool, lookupConnection: LookupConnection, logger: Logger): ScriptDatabase => {
  const scope = new TransactionScope();
  const admission = new Admission();
  const statements = queryable(async (asked, params) => {
    scope.refuseInside(`The statement ${asked.name}`);
    return admission.admit(() => runOnPool(pool, asked, params));
  });
  const lookups = queryable(async (asked, params) => {
    scope.refuseInside(`The look-up ${asked.name}`);
    return lookupConnection.run(asked, params);
  });
  let closing: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    await Promise.all([admission.close(), lookupConnection.close()]);
    await pool.end();
  };
  return {
    engine: 'postgres',
    ...statements,
    lookups,
    transaction: async (work) => {
      scope.refuseInside('A transaction');
      const inScope: typeof work = (transaction) => scope.run(() => work(transaction));
      return admission.admit(() => transactionOnPool(pool, inScope, logger));
    },
    ping: async () => {
      await Promise.all([statements.one(trivial, []), lookups.one(trivial, [])]);
    },
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
};

/** Opens the database behind a `postgres://` address. Throws DatabaseRefused or DatabaseUnavailable with one sentence. */
export const openPostgres = async (options: {
  readonly url: string;
  readonly logger: Logger;
  readonly poolSize?: number;
}): Promise<ScriptDatabase> => {
  const { url, logger, poolSize = defaultPoolSize } = options;
  const lookupConnection = new LookupConnection(() => clientConfig(url), logger);
  try {
    await lookupConnection.open();
    const database = databaseOver(openPool(url, poolSize, logger), lookupConnection, logger);
    await checkServer(database.lookups);
    await database.ping();
    return database;
  } catch (error) {
    await lookupConnection.close();
    throw refusalOf(error, url);
  }
};

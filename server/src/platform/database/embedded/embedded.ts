/**
 * Owns: the embedded engine: its thread, its wire protocol, its files.
 * Promises: One process at a time has the files open; a commit is durable when it is answered.
 *
 * One session, shared by statements, look-ups and transactions in turn.
 */
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { scaledMillis } from '../../../kernel/waits/wait-scale.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Answer, queryable, runStatement, runText, type StatementClient } from '../connection.ts';
import { lookupSettings, type Queryable, sessionSettings, statement } from '../database.ts';
import { DatabaseRefused, type SessionState, sqlState } from '../failure.ts';
import { rowTypes } from '../postgres-client.ts';
import { runTransaction, type ScriptDatabase, TransactionScope } from '../transaction.ts';
import { startCleanup } from './embedded-cleanup.ts';
import { claimDirectory, type DirectoryLock, lockDirectory } from './embedded-directory.ts';
import { type EmbeddedEngine, openEngine } from './embedded-engine.ts';
import { SessionQueue } from './session-queue.ts';

const limits = scaledMillis({ turnMillis: 10_000 });

/**
 * The data directory that means a database in memory, which is lost when it is closed.
 * @internal A test runs it alone.
 */
export const inMemory = 'memory:';

interface EmbeddedOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** Called once when the engine cannot continue; statements fail from then on. */
  readonly onFatal: (reason: string) => void;
  /** Default: in a worker thread; tests may pass another. */
  readonly openEngine?: typeof openEngine;
}

const trivial = statement<{ one: number }>('database.ping', 'SELECT 1 AS one');

/** States after which the engine's files cannot be written: disk full, I/O error. */
const diskStates: ReadonlySet<string | null> = new Set(['53100', '58030']);

/** Passes statements on, and reports disk errors. */
const watched = (client: pg.Client, diskFailed: (reason: string) => void): StatementClient => ({
  query: (options, answered) => {
    client.query(options, (error: Error | null, answer: Answer) => {
      if (error !== null && diskStates.has(sqlState(error))) diskFailed(error.message);
      answered(error, answer);
    });
  },
});

/** The directory and its free space; a full disk is the most likely cause of a failure. */
const describeDirectory = (directory: string): string => {
  if (directory === inMemory) return 'memory';
  try {
    const { bavail, bsize } = statfsSync(directory);
    return `${directory} (${Math.floor((bavail * bsize) / 1_048_576)} MB free)`;
  } catch {
    // The volume is gone: only its path is known.
    return directory;
  }
};

const openClient = async (engine: EmbeddedEngine, fatal: (reason: string) => void): Promise<pg.Client> => {
  const client = new pg.Client({
    stream: () => engine.stream,
    pipeline: true,
    // Environment variables (PGHOST, PGPASSWORD, PGSSLMODE) do not apply to this client.
    host: 'embedded',
    user: 'postgres',
    password: '',
    database: 'postgres',
    ssl: false,
    types: rowTypes,
  });
  client.on('error', (error) => fatal(error.message));
  client.on('end', () => fatal('the connection to it ended'));
  await client.connect();
  await client.query(`${sessionSettings}; ${lookupSettings}`);
  return client;
};

interface Parts {
  readonly client: pg.Client;
  readonly engine: EmbeddedEngine;
  readonly lock: DirectoryLock | null;
  readonly fatal: (reason: string) => void;
  /** Call before an intended shutdown: from then on the end of the engine is not fatal. */
  readonly retire: () => void;
  readonly logger: Logger;
}

/** Queries, each in its place in the queue; refused inside a transaction, which still holds the session. */
const statementsAt = (queue: SessionQueue, client: StatementClient, scope: TransactionScope): Queryable =>
  queryable(async (asked, params) => {
    scope.refuseInside(`The statement ${asked.name}`);
    return queue.statement(() => runStatement(client, asked, params));
  });

const closeParts = async (parts: Parts, queue: SessionQueue): Promise<void> => {
  const free = await queue.close();
  if (!free)
    parts.logger.warn(
      { event: 'database.closed_in_transaction' },
      'The embedded database is closed during a transaction',
    );
  parts.retire();
  await parts.client.end();
  await parts.engine.close();
  await parts.lock?.release();
};

const databaseOver = (parts: Parts): ScriptDatabase => {
  const { fatal, logger } = parts;
  const scope = new TransactionScope();
  const queue = new SessionQueue(limits.turnMillis);
  const client = watched(parts.client, fatal);
  const statements = statementsAt(queue, client, scope);
  const stopCleanup = startCleanup(
    {
      run: (asked, params) => queue.statement(() => runStatement(client, asked, params)),
      runText: (text) => queue.statement(() => runText(client, text)),
    },
    logger,
  );
  const settled = (state: SessionState): void => {
    if (state !== 'usable') fatal('a transaction could not be ended');
  };
  let closing: Promise<void> | null = null;
  return {
    engine: 'embedded',
    ...statements,
    lookups: statements,
    transaction: async (work) => {
      scope.refuseInside('A transaction');
      const inScope: typeof work = (transaction) => scope.run(() => work(transaction));
      return queue.transaction((end) => runTransaction(client, inScope, { sent: end, settled }, logger));
    },
    ping: async () => {
      await statements.one(trivial, []);
    },
    openAhead: async () => undefined,
    stats: () => ({ turns: queue.stats }),
    count: () => undefined,
    close: () => {
      stopCleanup();
      closing ??= closeParts(parts, queue);
      return closing;
    },
  };
};

/** Opens engine and client; closes the engine again when the client cannot be set up. */
const openParts = async (
  directory: string | null,
  fatal: (reason: string) => void,
  { logger, openEngine: open = openEngine }: EmbeddedOptions,
): Promise<Pick<Parts, 'client' | 'engine'>> => {
  const tell = (seconds: number): void => {
    const isNew = directory !== null && !existsSync(join(directory, 'PG_VERSION'));
    const what = `The embedded database is being ${isNew ? 'created' : 'opened'}`;
    logger.info(
      { event: 'database.opening', seconds, isNew },
      `${what}, for ${seconds} s so far: this machine is busy`,
    );
  };
  const engine = await open(directory, fatal, {}, tell);
  try {
    return { engine, client: await openClient(engine, fatal) };
  } catch (error) {
    await engine.close();
    throw error;
  }
};

/**
 * Opens the database in `<dataDirectory>/database`, created when missing and accessible to its owner only.
 * @throws DatabaseRefused: another process holds the directory, or the engine cannot open its files
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<ScriptDatabase> => {
  const { dataDirectory, logger } = options;
  const stored = dataDirectory !== inMemory;
  if (stored) claimDirectory(dataDirectory);
  const lock = stored ? await lockDirectory(dataDirectory, logger) : null;
  // While opening, a failure rejects; while closing, the end of the engine is intended.
  let alive = false;
  const fatal = (reason: string): void => {
    if (!alive) return;
    alive = false;
    options.onFatal(`The embedded database in ${describeDirectory(dataDirectory)} stopped: ${reason}.`);
  };
  const retire = (): void => {
    alive = false;
  };
  try {
    const parts = await openParts(stored ? join(dataDirectory, 'database') : null, fatal, options);
    alive = true;
    return databaseOver({ ...parts, lock, fatal, retire, logger });
  } catch (error) {
    await lock?.release();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseRefused(`The embedded database in ${describeDirectory(dataDirectory)} did not open: ${reason}.`, {
      cause: error,
    });
  }
};

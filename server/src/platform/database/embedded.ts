/**
 * Owns the embedded engine as a Database: one session, shared in turns by statements, look-ups and transactions, on
 * files that this process alone has open.
 */
import { statfsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Answer, queryable, runStatement, type StatementClient } from './connection.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { type EmbeddedEngine, openEngine } from './embedded-engine.ts';
import { sqlState } from './failure.ts';
import type { Logger } from './logger.ts';
import { rowTypes } from './row-types.ts';
import { lookupSettings, sessionSettings } from './session.ts';
import { statement } from './statement.ts';
import { type Ending, runTransaction, type ScriptDatabase, TransactionScope } from './transaction.ts';
import { Turns } from './turns.ts';

const patienceMillis = 10_000;
const silentSeconds = 30;

/** The data directory that stands for a database in memory, gone when it is closed. */
export const inMemory = 'memory:';

export interface EmbeddedOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** Called once when the engine cannot go on; statements fail from then on. */
  readonly onFatal: (reason: string) => void;
}

const trivial = statement<{ one: number }>('database.ping', 'SELECT 1 AS one');

/** States after which the engine's files cannot be written any more: disk full, input or output error. */
const diskStates: ReadonlySet<string | null> = new Set(['53100', '58030']);

/** Passes statements on, and reports the errors of a disk that takes no more. */
const watched = (client: pg.Client, diskFailed: (reason: string) => void): StatementClient => ({
  query: (options, answered) => {
    client.query(options, (error: Error | null, answer: Answer) => {
      if (error !== null && diskStates.has(sqlState(error))) diskFailed(error.message);
      answered(error, answer);
    });
  },
});

const freeSpaceOf = (directory: string): string => {
  const { bavail, bsize } = statfsSync(directory);
  return `${Math.floor((bavail * bsize) / 1_048_576)} MB are free there`;
};

const openClient = async (engine: EmbeddedEngine, fatal: (reason: string) => void): Promise<pg.Client> => {
  const client = new pg.Client({
    stream: () => engine.stream,
    pipeline: true,
    // Nothing of the environment (PGHOST, PGPASSWORD, PGSSLMODE) concerns this client.
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
  readonly logger: Logger;
}

const closeParts = async ({ client, engine, lock }: Omit<Parts, 'fatal' | 'logger'>): Promise<void> => {
  await client.end();
  await engine.close();
  await lock?.release();
};

const databaseOver = (parts: Parts, closing: { begun: boolean }): ScriptDatabase => {
  const { fatal, logger } = parts;
  const scope = new TransactionScope();
  const turns = new Turns(patienceMillis);
  const client = watched(parts.client, fatal);
  const statements = queryable(async (asked, params) => {
    scope.refuseInside(`The statement ${asked.name}`);
    return turns.statement(() => runStatement(client, asked, params));
  });
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    // The last turn of all: what came before is answered, what comes after is refused by the closed client.
    const free = turns.transaction(async () => {
      closing.begun = true;
    });
    await free.catch((error: unknown) => {
      closing.begun = true;
      logger.warn({ err: error }, 'The embedded database is closed while a transaction runs');
    });
    await closeParts(parts);
  };
  return {
    engine: 'embedded',
    ...statements,
    lookups: statements,
    transaction: async (work) => {
      scope.refuseInside('A transaction');
      return turns.transaction((end) => {
        const done = (ending: Ending): void => {
          if (ending === 'unusable') fatal('a transaction could not be rolled back');
          end();
        };
        return runTransaction(client, (transaction) => scope.run(() => work(transaction)), done, logger);
      });
    },
    ping: async () => {
      await statements.one(trivial, []);
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
};

/**
 * Opens the embedded database in `<dataDirectory>/database`, which is made when it is missing.
 * @throws DatabaseRefused when another process has the directory, or the engine cannot open its files
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<ScriptDatabase> => {
  const { dataDirectory, logger } = options;
  const stored = dataDirectory !== inMemory;
  if (stored) await mkdir(dataDirectory, { recursive: true });
  const lock = stored ? await lockDirectory(dataDirectory, logger) : null;
  const state = { begun: false, open: false };
  const fatal = (reason: string): void => {
    if (state.begun || !state.open) return;
    state.begun = true;
    const where = stored ? `${dataDirectory}, where ${freeSpaceOf(dataDirectory)}` : 'memory';
    options.onFatal(`The embedded database in ${where}, stopped: ${reason}.`);
  };
  try {
    const engine = await openEngine(stored ? join(dataDirectory, 'database') : null, silentSeconds, fatal);
    const client = await openClient(engine, fatal);
    state.open = true;
    return databaseOver({ client, engine, lock, fatal, logger }, state);
  } catch (error) {
    await lock?.release();
    throw error;
  }
};

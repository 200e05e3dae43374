/**
 * What the crash tests strike: one process on the embedded engine, restarted on its directory, or one of two processes
 * on a PostgreSQL database. Mails leave by SMTP, so that none is lost with the memory of a process.
 */
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { isOnPostgres } from './cluster.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { MailSink } from './mail-sink.ts';
import { ServerProcess } from './processes.ts';
import { silentLogger } from './silent-logger.ts';

export interface CrashSite {
  /** The process to kill. */
  readonly victim: ServerProcess;
  /** The process that goes on meanwhile; null on the embedded engine. */
  readonly survivor: ServerProcess | null;
  readonly urls: readonly string[];
  readonly sink: MailSink;
  /** Opens the database for `work`; on the embedded engine the process is down meanwhile. */
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>;
  defects(): readonly string[];
  close(): Promise<void>;
}

/** @param seed fills the empty database before any process starts */
export const startCrashSite = async <T>(
  seed: (database: Database) => Promise<T>,
): Promise<{ site: CrashSite; seeded: T }> => {
  const stored = await createTestDatabase();
  const seeded = await inDatabase(stored, seed);
  const sink = await MailSink.start();
  const environment = {
    DATA_DIR: stored.dataDirectory,
    SMTP_URL: sink.url,
    ...(stored.url === undefined ? {} : { DATABASE_URL: stored.url }),
  };
  const victim = await ServerProcess.start(environment);
  const survivor = isOnPostgres ? await ServerProcess.start(environment) : null;
  const processes = survivor === null ? [victim] : [victim, survivor];
  const site: CrashSite = {
    victim,
    survivor,
    urls: processes.map(({ url }) => url),
    sink,
    withDatabase: async (work) => {
      if (survivor === null) await victim.stop();
      const result = await inDatabase(stored, work);
      if (survivor === null) await victim.restart();
      return result;
    },
    defects: () => processes.flatMap(({ defects }) => defects),
    close: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      await sink.close();
      await stored.drop();
    },
  };
  return { site, seeded };
};

const inDatabase = async <T>(stored: TestDatabase, work: (database: Database) => Promise<T>): Promise<T> => {
  const { url, dataDirectory } = stored;
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

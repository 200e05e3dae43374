/** The target of the crash tests: the one process on the embedded engine, or one of two on PostgreSQL. */
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { createTestDatabase, type TestDatabase } from '../database/databases.ts';
import { isOnPostgres } from '../database/engines.ts';
import { type ReceivedMail, startSmtp } from '../servers/smtp.ts';
import { orCleanUp, ServerProcess } from './processes.ts';
import { silentLogger } from './silent-logger.ts';

export interface CrashSite {
  /** The process to kill. */
  readonly victim: ServerProcess;
  /** The process that continues; null on the embedded engine. */
  readonly survivor: ServerProcess | null;
  readonly urls: readonly string[];
  /** All sent mails, oldest first. */
  readonly mails: readonly ReceivedMail[];
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
  return orCleanUp(
    async () => {
      const seeded = await inDatabase(stored, seed);
      return { site: await startOn(stored), seeded };
    },
    () => stored.drop(),
  );
};

const startOn = async (stored: TestDatabase): Promise<CrashSite> => {
  const smtp = await startSmtp();
  const environment = {
    DATA_DIR: stored.dataDirectory,
    SMTP_URL: smtp.url,
    ...(stored.url === undefined ? {} : { DATABASE_URL: stored.url }),
  };
  const victim = await ServerProcess.start(environment);
  const survivor = isOnPostgres ? await ServerProcess.start(environment) : null;
  const processes = survivor === null ? [victim] : [victim, survivor];
  return {
    victim,
    survivor,
    urls: processes.map(({ url }) => url),
    mails: smtp.mails,
    withDatabase: async (work) => {
      if (survivor === null) await victim.stop();
      const result = await inDatabase(stored, work);
      if (survivor === null) await victim.restart();
      return result;
    },
    defects: () => processes.flatMap(({ defects }) => defects),
    close: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      await smtp.down();
      await stored.drop();
    },
  };
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

/** Raw verification tokens that were mailed to an address, oldest first. */
export const tokensMailedTo = ({ mails }: Pick<CrashSite, 'mails'>, address: string): string[] =>
  mails
    .filter(({ to }) => to.includes(address))
    .flatMap(({ text }) => /\/verify\/([0-9a-f]{64})/.exec(text)?.[1] ?? []);

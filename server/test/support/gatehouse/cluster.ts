/** The target of the race tests: two processes on PostgreSQL, else the one that the embedded engine allows. */

import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import type { MailboxEntry } from '../../../src/platform/mail/transport.ts';
import { until } from '../checks/concurrency.ts';
import { createTestDatabase, type TestDatabase } from '../database/databases.ts';
import { isOnPostgres } from '../database/engines.ts';
import { type Sql, sqlOn } from '../database/sql.ts';
import { startService } from './gatehouse.ts';
import { orCleanUp, ServerProcess } from './processes.ts';
import { silentLogger } from './silent-logger.ts';

/** For titles: the processes and the engine. */
export const setting = isOnPostgres ? 'two processes on PostgreSQL' : 'one process on the embedded engine';

export interface Cluster {
  readonly urls: readonly string[];
  /** A second way to the same database, for seeding. */
  readonly database: Database;
  readonly sql: Sql;
  defects(): readonly string[];
  /** All mails to an address, from any process; waits until the outbox is empty. */
  mailsTo(address: string): Promise<readonly MailboxEntry[]>;
  close(): Promise<void>;
}

/** Four files at a time, with two processes and one lookup connection each, need 84 of PostgreSQL's 100. */
const poolSize = 6;

type Variables = Readonly<Record<string, string>>;

/** @param environment of every process, on top of the test defaults */
export const startCluster = (environment: Variables = {}): Promise<Cluster> =>
  isOnPostgres ? startProcesses(environment) : startHere(environment);

/** The process of the index, modulo their number. */
export const urlOf = ({ urls }: Pick<Cluster, 'urls'>, index: number): string => urls[index % urls.length] ?? '';

const startHere = async (environment: Variables): Promise<Cluster> => {
  const service = await startService({ LOG_LEVEL: 'warn', SALT_ROUNDS: '10', ...environment });
  return {
    urls: [service.url],
    database: service.database,
    sql: service.sql,
    defects: () => service.logs.filter((line) => line.includes('"request.failed"')),
    mailsTo: (address) => service.mailsTo(address),
    close: () => service.close(),
  };
};

const startProcesses = async (environment: Variables): Promise<Cluster> => {
  const stored = await createTestDatabase();
  return orCleanUp(
    () => startOn(stored, environment),
    () => stored.drop(),
  );
};

const startOn = async (stored: TestDatabase, environment: Variables): Promise<Cluster> => {
  const variables = {
    DATABASE_URL: stored.url ?? '',
    DATA_DIR: stored.dataDirectory,
    DATABASE_POOL_SIZE: String(poolSize),
    ...environment,
  };
  // Both at once: they migrate the empty database together.
  const processes = await Promise.all([ServerProcess.start(variables), ServerProcess.start(variables)]);
  const { url, dataDirectory } = stored;
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger, poolSize });
  const sql = sqlOn(database);
  return {
    urls: processes.map(({ url }) => url),
    database,
    sql,
    defects: () => processes.flatMap(({ defects }) => defects),
    mailsTo: async (address) => {
      await until(
        'the outbox is empty',
        async () => (await sql.value<number>('SELECT count(*)::integer AS waiting FROM mail_outbox')) === 0,
      );
      const boxes = await Promise.all(processes.map(({ url }) => readMailbox(url)));
      return boxes.flat().filter(({ to }) => to === address);
    },
    close: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      await database.close();
      await stored.drop();
    },
  };
};

const readMailbox = async (url: string): Promise<readonly MailboxEntry[]> => {
  const response = await fetch(`${url}/dev/mailbox.json`);
  return (await response.json()) as readonly MailboxEntry[];
};

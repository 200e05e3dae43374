/** The database of a world: in memory, from an archive prepared once for each schema, or one on a PostgreSQL server. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asUrl, faultOfHosts } from '../kernel/postgres-address.ts';
import { statement } from '../platform/database/database.ts';
import { openEmbedded } from '../platform/database/embedded/embedded.ts';
import { openEngine } from '../platform/database/embedded/embedded-engine.ts';
import { engineProgram } from '../platform/database/embedded/embedded-program.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openPostgres } from '../platform/database/postgres.ts';
import { newClient } from '../platform/database/primary-host.ts';
import type { ScriptDatabase } from '../platform/database/transaction.ts';
import { createLogger, type Logger } from '../platform/observability/logger.ts';
import type { WorldOptions } from '../testing-support.d.ts';

export interface WorldDatabase {
  /** Migrated and empty; closed by the service. */
  readonly database: ScriptDatabase;
  /** Closes it and deletes what it stores. Idempotent. */
  readonly drop: () => Promise<void>;
}

const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));

/** @throws Error the database cannot be created or opened; the message names the reason */
export const openWorldDatabase = ({ databaseUrl, cacheDirectory }: WorldOptions): Promise<WorldDatabase> => {
  const logger = createLogger('error', process.stderr);
  return databaseUrl === undefined
    ? openInMemory(cacheDirectory ?? join(homedir(), '.cache', 'gatehouse'), logger)
    : openOnServer(databaseUrl, logger);
};

// In memory. Creating a database takes three seconds, and loading an archive of one a third of a second.

const openInMemory = async (cacheDirectory: string, logger: Logger): Promise<WorldDatabase> => {
  const prepared = { archive: await preparedArchive(cacheDirectory, logger), program: await engineProgram() };
  const database = await openEmbedded({
    dataDirectory: 'memory:',
    logger,
    // Its statements fail from then on, and with them the test.
    onFatal: (reason) => logger.error({ event: 'database.fatal' }, reason),
    openEngine: (directory, broken) => openEngine(directory, broken, prepared),
  });
  return { database, drop: () => database.close() };
};

const archives = new Map<string, Promise<string>>();

/** The archive of this schema, created by the first world that needs it. @returns its path */
const preparedArchive = async (cacheDirectory: string, logger: Logger): Promise<string> => {
  const name = `world-${await schemaFingerprint()}.tar`;
  const path = join(cacheDirectory, name);
  if (existsSync(path)) return path;
  const preparing = archives.get(path) ?? prepareArchive(cacheDirectory, name, logger);
  archives.set(path, preparing);
  return preparing.finally(() => archives.delete(path));
};

/** The digest of everything that decides the contents of an archive. */
const schemaFingerprint = async (): Promise<string> => {
  const names = (await readdir(migrationsDirectory)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(migrationsDirectory, name), 'utf8')));
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(engine, '../../package.json'), 'utf8')) as { version: string };
  return createHash('sha256')
    .update(JSON.stringify([archiveFormat, version, names, texts]))
    .digest('hex')
    .slice(0, 16);
};

/** Raise it when the statements below change. */
const archiveFormat = 1;

/** The archive is renamed when it is whole, so that processes may prepare it at the same time. */
const prepareArchive = async (cacheDirectory: string, name: string, logger: Logger): Promise<string> => {
  const directory = await writableDirectory(cacheDirectory);
  const unfinished = await mkdtemp(join(directory, 'unfinished-'));
  try {
    const dataDirectory = join(unfinished, 'data');
    await migrateEmbedded(dataDirectory, logger);
    const { archiveFiles } = await import('../platform/database/embedded/embedded-files.ts');
    const archive = await archiveFiles(join(dataDirectory, 'database'));
    await writeFile(join(unfinished, name), archive.stream());
    await rename(join(unfinished, name), join(directory, name));
    return join(directory, name);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};

/** A directory for this run where the one for all runs cannot be written, as in a container without a home. */
const writableDirectory = async (wanted: string): Promise<string> => {
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return wanted;
  } catch {
    return mkdtemp(join(tmpdir(), 'gatehouse-world-'));
  }
};

const migrateEmbedded = async (dataDirectory: string, logger: Logger): Promise<void> => {
  const onFatal = (reason: string): void => logger.error({ event: 'database.fatal' }, reason);
  const database = await openEmbedded({ dataDirectory, logger, onFatal });
  try {
    await migrate(database, migrationsDirectory);
    // The databases that come with an engine and that the service never opens: half of the archive.
    await database.execute(releaseTemplates, []);
    for (const unused of dropTemplates) await database.execute(unused, []);
  } finally {
    await database.close();
  }
};

const releaseTemplates = statement('world.release_templates', 'UPDATE pg_database SET datistemplate = false');
const dropTemplates = [
  statement('world.drop_template0', 'DROP DATABASE template0'),
  statement('world.drop_template1', 'DROP DATABASE template1'),
];

// On a PostgreSQL server. A world never opens a database that it did not create: moving time changes every row.

const openOnServer = async (serverUrl: string, logger: Logger): Promise<WorldDatabase> => {
  const fault = faultOfHosts(serverUrl);
  if (fault !== null) throw new Error(`databaseUrl ${fault}`);
  const name = `gatehouse_world_${randomBytes(6).toString('hex')}`;
  const url = new URL(asUrl(serverUrl));
  url.pathname = `/${name}`;
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const dropDatabase = (): Promise<void> => administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    const database = await openPostgres({ url: url.href, logger });
    const drop = async (): Promise<void> => {
      await database.close();
      await dropDatabase();
    };
    await migrate(database, migrationsDirectory).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    return { database, drop };
  } catch (error) {
    await dropDatabase();
    throw error;
  }
};

/** Runs a statement that copies or removes the files of a database, which waits for a checkpoint of a busy server. */
const administer = async (serverUrl: string, text: string): Promise<void> => {
  const client = newClient(serverUrl);
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query(text);
  } finally {
    await client.end();
  }
};

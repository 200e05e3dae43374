/** The migrated database that tests copy: a directory for the embedded engine, a database of its own on PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { silentLogger } from '../gatehouse/silent-logger.ts';
import { type Sql, sqlOn } from './sql.ts';

export interface Template {
  /** Everything that tests store is below it, and is deleted with the run. */
  readonly directory: string;
  /** The embedded template, which all suites of a command share, or null on PostgreSQL. */
  readonly embedded: string | null;
  /** The PostgreSQL template, or null on the embedded engine. */
  readonly postgres: { readonly serverUrl: string; readonly name: string } | null;
}

export const migrationsDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url));

export const urlOf = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

const prefix = 'gatehouse_';

/** A name for a database that no other run uses. @param purpose or the name of the one that it is copied from */
export const newName = (purpose: string): string =>
  `${purpose.startsWith(prefix) ? '' : prefix}${purpose}_${randomBytes(6).toString('hex')}`;

/** Copies that tests have given to services are deleted with the run. */
const dropWithCopies = async (serverUrl: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [name],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
};

/** Runs statements on the server's own database, where databases are created and dropped. */
export const administer = async (serverUrl: string, ...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
};

const migrateAt = async (
  url: string | undefined,
  dataDirectory: string,
  then: (sql: Sql) => Promise<void> = async () => undefined,
): Promise<void> => {
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
  try {
    await migrate(database, migrationsDirectory);
    await then(sqlOn(database));
  } finally {
    await database.close();
  }
};

/** The databases that come with an engine and that the service never opens: half of the files that tests copy. */
const dropUnused = async (sql: Sql): Promise<void> => {
  await sql('UPDATE pg_database SET datistemplate = false');
  for (const name of ['template0', 'template1']) await sql(`DROP DATABASE ${name}`);
};

/** Creates the embedded template, unless an earlier suite of the command has. It is created whole or not at all. */
const makeEmbedded = async (embedded: string): Promise<void> => {
  if (existsSync(embedded)) return;
  const unfinished = await mkdtemp(`${embedded}-`);
  await migrateAt(undefined, unfinished, dropUnused);
  await rename(unfinished, embedded);
};

/** @param serverUrl of a PostgreSQL server whose user may create databases; absent: the embedded engine */
export const makeTemplate = async (
  directory: string,
  serverUrl: string | undefined,
): Promise<{ template: Template; drop: () => Promise<void> }> => {
  if (serverUrl === undefined) {
    const embedded = process.env['TEST_TEMPLATE'] ?? join(directory, 'template');
    await makeEmbedded(embedded);
    return { template: { directory, embedded, postgres: null }, drop: async () => {} };
  }
  const name = newName('template');
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const drop = () => dropWithCopies(serverUrl, name);
  try {
    await migrateAt(urlOf(serverUrl, name), directory);
  } catch (error) {
    await drop();
    throw error;
  }
  return { template: { directory, embedded: null, postgres: { serverUrl, name } }, drop };
};

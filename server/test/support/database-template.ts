/** The migrated database that tests copy: a directory for the embedded engine, a database of its own on PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { silentLogger } from './silent-logger.ts';

export interface Template {
  /** Everything that tests store lies below, and goes with the run. */
  readonly directory: string;
  /** The embedded template below `directory`, or null on PostgreSQL. */
  readonly embedded: string | null;
  /** The PostgreSQL template, or null on the embedded engine. */
  readonly postgres: { readonly serverUrl: string; readonly name: string } | null;
}

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The address of another database on the same server. */
export const urlOf = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

/** A name for a database that no other run uses. */
export const newName = (purpose: string): string => `gatehouse_${purpose}_${randomBytes(6).toString('hex')}`;

/** Runs statements on the server's own database, where databases are made and dropped. */
export const administer = async (serverUrl: string, ...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
};

const migrateAt = async (url: string | undefined, dataDirectory: string): Promise<void> => {
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
  try {
    await migrate(database, migrationsDirectory);
  } finally {
    await database.close();
  }
};

/** @param serverUrl of a PostgreSQL server whose user may create databases; absent: the embedded engine */
export const makeTemplate = async (
  directory: string,
  serverUrl: string | undefined,
): Promise<{ template: Template; drop: () => Promise<void> }> => {
  if (serverUrl === undefined) {
    const embedded = join(directory, 'template');
    await mkdir(embedded);
    await migrateAt(undefined, embedded);
    return { template: { directory, embedded, postgres: null }, drop: async () => {} };
  }
  const name = newName('template');
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const drop = () => administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    await migrateAt(urlOf(serverUrl, name), directory);
  } catch (error) {
    await drop();
    throw error;
  }
  return { template: { directory, embedded: null, postgres: { serverUrl, name } }, drop };
};

/** A migrated and empty database for each test file, copied from the template of the run (`global-setup.ts`). */
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { administer, newName, urlOf } from './database-template.ts';
import '../gatehouse/wait-limits.ts';

export interface TestDatabase {
  /** DATABASE_URL on PostgreSQL; absent for the embedded engine. */
  readonly url?: string;
  /** DATA_DIR: on PostgreSQL an empty directory, for other files of a service. */
  readonly dataDirectory: string;
  /** Deletes all of it. Close the database first. */
  drop(): Promise<void>;
}

/** A new directory that is deleted with the run. */
export const newDirectory = (): Promise<string> => mkdtemp(join(inject('databaseTemplate').directory, 'data-'));

/** An empty database on the PostgreSQL server of the run, without tables. */
export const createEmptyPostgres = async (
  serverUrl: string,
  templateName = 'template1',
  name = newName('test'),
): Promise<{ url: string; drop: () => Promise<void> }> => {
  await administer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${templateName}`);
  return {
    url: urlOf(serverUrl, name),
    drop: () => administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};

export const createTestDatabase = async (): Promise<TestDatabase> => {
  const { embedded, postgres } = inject('databaseTemplate');
  const dataDirectory = await newDirectory();
  const removeDirectory = () => rm(dataDirectory, { recursive: true, force: true });
  if (postgres !== null) {
    const { url, drop } = await createEmptyPostgres(postgres.serverUrl, postgres.name, newName(postgres.name));
    return { url, dataDirectory, drop: async () => void (await Promise.all([drop(), removeDirectory()])) };
  }
  // Some thousand small files: the synchronous copy takes a third of the time of the asynchronous one.
  if (embedded !== null) cpSync(embedded, dataDirectory, { recursive: true });
  return { dataDirectory, drop: removeDirectory };
};

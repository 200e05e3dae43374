/**
 * Owns the schema's versions: numbered SQL files, applied in order, each once, forward only.
 *
 * Each file runs in a transaction with its row in `schema_migrations`, under an advisory lock: of several instances
 * that start at once, one applies it, and a killed one leaves neither half a file nor a lock.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Queryable, statement } from './database.ts';
import { DatabaseRefused, sqlState, wasLockedOut } from './failure.ts';
import type { ScriptDatabase, ScriptTransaction } from './transaction.ts';

/** Limit for one file, including the wait for other instances. */
const migrationMillis = 600_000;

/**
 * A table change waits for the table's users, and all later ones queue behind it, so that the service would stop while
 * a report is being read. So the change gives up its place quickly and retries.
 */
const lockMillis = 1_000;
const pauseMillis = 1_000;

/** The result of migrating. */
export interface MigrationResult {
  /** Names of the files that this call applied, in order. */
  readonly applied: readonly string[];
  /** The version that the database now has; 0 for none. */
  readonly version: number;
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly text: string;
}

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/** An arbitrary number, the same in every version of the product. */
const takeLock = 'SELECT pg_advisory_xact_lock(7046029254386353131)';

const createTable = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version int PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

const listApplied = statement<AppliedMigration>(
  'schema_migrations.list',
  'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
);

const recordApplied = statement<never, readonly [number, string, string]>(
  'schema_migrations.record',
  'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)',
);

const hasTable = statement<{ found: boolean }>(
  'schema_migrations.has_table',
  `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
);

/** Reads the catalog in one statement: a session caches failed name look-ups for a while. */
const findForeignTable = statement<{ name: string }>(
  'schema_migrations.find_foreign_table',
  `WITH tables AS (
     SELECT c.oid, c.relname AS name FROM pg_class c
     WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'p'))
   SELECT t.name FROM tables t
   WHERE NOT EXISTS (SELECT FROM tables WHERE name = 'schema_migrations') AND NOT EXISTS (
     SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = t.oid AND d.deptype = 'e')
   ORDER BY t.name LIMIT 1`,
);

const fileName = /^(\d{4})-[a-z0-9-]+\.sql$/;

const readMigration = async (directory: string, file: string): Promise<Migration> => {
  const match = fileName.exec(file);
  if (match === null) throw new DatabaseRefused(`The migration ${file} is not named like 0001-what-it-does.sql.`);
  // Line endings as git stores them, so that a checkout on Windows has the same checksum.
  const text = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
  const checksum = createHash('sha256').update(text).digest('hex');
  return { version: Number(match[1]), name: file.slice(0, -'.sql'.length), checksum, text };
};

const readMigrations = async (directory: string): Promise<Migration[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(files.map((file) => readMigration(directory, file)));
  for (const [index, { version, name }] of migrations.entries()) {
    if (version !== index + 1) throw new DatabaseRefused(`The migration ${name} should have the number ${index + 1}.`);
  }
  return migrations;
};

/** Refuses a database whose history is not a prefix of this build's. */
const checkHistory = (applied: readonly AppliedMigration[], migrations: readonly Migration[]): void => {
  for (const [index, row] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      throw new DatabaseRefused(
        `The database was created by a newer version of Gatehouse: it has the migration ${row.name}, and this build ends ` +
          `at ${migrations.length}; start a build that includes it.`,
      );
    }
    if (row.version !== known.version || row.checksum !== known.checksum) throw otherMigration(row.name, known.name);
  }
};

const otherMigration = (applied: string, known: string): DatabaseRefused =>
  new DatabaseRefused(
    applied === known
      ? `The migration ${known} is not the one that was applied to this database; restore the file as it was and put the ` +
          'change into a new migration.'
      : `The database has the migration ${applied} where this build has ${known}: a build with other migrations created ` +
          'it; start that build, or use a new database.',
  );

const runMigration = async (transaction: ScriptTransaction, migration: Migration): Promise<void> => {
  await transaction.script(`SET LOCAL lock_timeout = ${lockMillis}; ${migration.text}`, migrationMillis);
  await transaction.execute(recordApplied, [migration.version, migration.name, migration.checksum]);
};

/** Applies the first missing migration and returns it; null when none is missing. */
const applyNext = async (database: ScriptDatabase, migrations: readonly Migration[]): Promise<Migration | null> => {
  const end = performance.now() + migrationMillis;
  for (;;) {
    try {
      return await tryNext(database, migrations);
    } catch (error) {
      if (!wasLockedOut(error) || performance.now() > end) throw error;
      await sleep(pauseMillis);
    }
  }
};

const tryNext = (database: ScriptDatabase, migrations: readonly Migration[]): Promise<Migration | null> =>
  database.transaction(async (transaction) => {
    await transaction.script(takeLock, migrationMillis);
    await requireOwnSchema(transaction);
    await transaction.script(createTable, migrationMillis);
    const applied = await transaction.many(listApplied, []);
    checkHistory(applied, migrations);
    const next = migrations[applied.length];
    if (next !== undefined) await runMigration(transaction, next);
    return next ?? null;
  });

/**
 * Detects another program's tables before the first file is applied, also those that a later file would collide with.
 * Tables of extensions are allowed.
 */
const requireOwnSchema = async (transaction: ScriptTransaction): Promise<void> => {
  const foreignTable = await transaction.maybeOne(findForeignTable, []);
  if (foreignTable !== null) throw anothersTables(`the table ${foreignTable.name}`);
};

/**
 * Brings the database to the version of this build. When nothing is missing, no rights are needed.
 * @param directory of the `0001-name.sql` files
 * @throws DatabaseRefused: the database is newer than this build, belongs to another program, or an applied file was
 *   changed
 */
export const migrate = async (database: ScriptDatabase, directory: string): Promise<MigrationResult> => {
  const migrations = await readMigrations(directory);
  try {
    const pending = await pendingOf(database, migrations);
    return pending.length === 0 ? { applied: [], version: migrations.length } : await applyAll(database, migrations);
  } catch (error) {
    throw migrationRefusalOf(error);
  }
};

const applyAll = async (database: ScriptDatabase, migrations: readonly Migration[]): Promise<MigrationResult> => {
  const applied: string[] = [];
  for (let next = await applyNext(database, migrations); next !== null; next = await applyNext(database, migrations)) {
    applied.push(next.name);
  }
  return { applied, version: migrations.length };
};

/**
 * The names of the migrations that this build would still apply; changes nothing.
 * @throws DatabaseRefused: the database is newer than this build, or an applied file was changed
 */
export const listPendingMigrations = async (database: Queryable, directory: string): Promise<readonly string[]> => {
  const pending = await pendingOf(database, await readMigrations(directory));
  return pending.map(({ name }) => name);
};

const pendingOf = async (database: Queryable, migrations: readonly Migration[]): Promise<readonly Migration[]> => {
  const { found } = await database.one(hasTable, []);
  const applied = found ? await database.many(listApplied, []) : [];
  checkHistory(applied, migrations);
  return migrations.slice(applied.length);
};

// Refusals for a database that cannot be migrated as it is. Work in progress has been rolled back by then.

/** @param found the conflicting object */
const anothersTables = (found: string, options?: ErrorOptions): DatabaseRefused =>
  new DatabaseRefused(
    `The database contains objects of another program (${found}): give Gatehouse its own database or schema.`,
    options,
  );

/** @returns DatabaseRefused when the operator can fix the cause, else the error as thrown */
const migrationRefusalOf = (thrown: unknown): unknown => {
  const said = thrown instanceof Error ? thrown.message : '';
  switch (sqlState(thrown)) {
    case '42501':
      return new DatabaseRefused(
        `The user in DATABASE_URL lacks a right that the migration needs (${said}): let it create tables in the schema ` +
          '(GRANT CREATE ON SCHEMA … TO …), or run gatehouse migrate as a user who may.',
        { cause: thrown },
      );
    case '3F000':
      return new DatabaseRefused(
        'The user in DATABASE_URL has no schema to create tables in: create one that its search_path names, and let it ' +
          'create tables there.',
        { cause: thrown },
      );
    case '42P07':
    case '42710':
    case '42723':
      return anothersTables(said, { cause: thrown });
    case '42703':
      return new DatabaseRefused(
        `The table schema_migrations in the database belongs to another program (${said}): give Gatehouse its own ` +
          'database or schema.',
        { cause: thrown },
      );
    default:
      return thrown;
  }
};

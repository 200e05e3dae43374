/**
 * Databases that the services of one test process use one after the other: making one costs half a second on either
 * engine, emptying one a tenth of that. A database whose schema a test has changed is not lent again.
 */
import pg from 'pg';
import { DatabaseUnavailable, type Queryable } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import type { SqlValue } from '../../src/platform/database/statement.ts';
import type { ScriptDatabase } from '../../src/platform/database/transaction.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { embedded } from './engines.ts';
import { silentLogger } from './silent-logger.ts';
import { type Sql, sqlOn } from './sql.ts';

interface PooledDatabase {
  readonly database: ScriptDatabase;
  readonly sql: Sql;
  /** Of the template: what a test changes in the schema shows as another one. */
  readonly schema: string;
  /** The directory that `lend` names; the embedded database lies in it. */
  readonly dataDirectory: string;
}

export interface LentDatabase {
  /** `close` ends what was lent, not the database. */
  readonly database: ScriptDatabase;
  readonly dataDirectory: string;
  /** Empties the database for the next service. What was lent refuses statements from then on. */
  giveBack(): Promise<void>;
}

const idle: PooledDatabase[] = [];

/** An empty, migrated database on the embedded engine. */
export const lendDatabase = async (): Promise<LentDatabase> => {
  const pooled = idle.pop() ?? (await openAnother());
  const { database, dataDirectory } = pooled;
  const lease = { isOver: false };
  return {
    dataDirectory,
    database: {
      ...database,
      ...whileLent(database, lease),
      lookups: whileLent(database.lookups, lease),
      transaction: (work) => run(lease, () => database.transaction(work)),
      close: async () => {
        lease.isOver = true;
      },
    },
    giveBack: async () => {
      lease.isOver = true;
      if (await isCleaned(pooled)) idle.push(pooled);
      else await database.close();
    },
  };
};

interface Lease {
  isOver: boolean;
}

const run = async <Answer>({ isOver }: Lease, statement: () => Promise<Answer>): Promise<Answer> => {
  if (isOver) throw new DatabaseUnavailable('The service that this database was lent to is closed');
  return statement();
};

const whileLent = (database: Queryable, lease: Lease): Queryable => ({
  many: (statement, params) => run(lease, () => database.many(statement, params)),
  maybeOne: (statement, params) => run(lease, () => database.maybeOne(statement, params)),
  one: (statement, params) => run(lease, () => database.one(statement, params)),
  execute: (statement, params) => run(lease, () => database.execute(statement, params)),
});

const openAnother = async (): Promise<PooledDatabase> => {
  const { dataDirectory } = await createTestDatabase();
  const database = await openDatabase({ url: undefined, dataDirectory, logger: silentLogger });
  const sql = sqlOn(database);
  return { database, sql, dataDirectory, schema: await schemaOf(sql) };
};

const idlePostgres: PooledPostgres[] = [];

interface PooledPostgres {
  readonly stored: TestDatabase & { readonly url: string };
  readonly schema: string;
}

/** An empty, migrated database on the PostgreSQL server of the run. `drop` empties it for the next service. */
export const lendPostgres = async (): Promise<TestDatabase & { readonly url: string }> => {
  const pooled = idlePostgres.pop() ?? (await makeAnother());
  const { stored, schema } = pooled;
  let isOver = false;
  return {
    ...stored,
    drop: async () => {
      if (isOver) return;
      isOver = true;
      if (await onPostgres(stored.url, (sql) => isEmptiedAlone(sql, schema))) idlePostgres.push(pooled);
      else await stored.drop();
    },
  };
};

/** Nothing that is still connected reaches the next service. */
const isEmptiedAlone = async (sql: Sql, schema: string): Promise<boolean> => {
  await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  await sql(`SET LOCAL lock_timeout = '10s'`);
  return isEmptied(sql, schema);
};

const makeAnother = async (): Promise<PooledPostgres> => {
  const { url, ...rest } = await createTestDatabase();
  if (url === undefined) throw new Error('The databases of this run are embedded');
  return { stored: { ...rest, url }, schema: await onPostgres(url, schemaOf) };
};

/** On one connection, in one transaction. */
const onPostgres = async <Answer>(url: string, work: (sql: Sql) => Promise<Answer>): Promise<Answer> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const sql: Sql = async <Row>(text: string, params: readonly SqlValue[] = []) => {
      const { rows } = await client.query<pg.QueryResultRow>(text, [...params]);
      return rows as Row[];
    };
    await client.query('BEGIN');
    const answer = await work(sql);
    await client.query('COMMIT');
    return answer;
  } finally {
    await client.end();
  }
};

/** @returns whether the database is as the template is */
const isCleaned = ({ database, schema }: PooledDatabase): Promise<boolean> =>
  database.transaction((transaction) => isEmptied(sqlOn(transaction), schema));

/** @param sql in a transaction @returns false where nothing was emptied, since the schema is another one by now */
const isEmptied = async (sql: Sql, schema: string): Promise<boolean> => {
  if ((await schemaOf(sql)) !== schema) return false;
  const tables = await filledTables(sql);
  if (tables.length === 0) return true;
  // The record of tool calls refuses to be emptied; its trigger is one of the ordinary ones, which this leaves out.
  await sql('SET LOCAL session_replication_role = replica');
  await sql(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY CASCADE`);
  return true;
};

/** The roles of a PostgreSQL server are no part of one of its databases. */
const whoseRoles = embedded ? 'true' : 'false';

/** Everything that the migrations make, by name, and how it is defined. */
const schemaOf = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ schema: string }>(`
    SELECT md5(string_agg(part, E'\\n' ORDER BY part)) AS schema FROM (
      SELECT concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attnotnull) AS part
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT concat_ws(' ', oid::regclass, relkind, reloptions, relacl) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger
      UNION ALL SELECT concat_ws(' ', pg_get_functiondef(oid), proacl) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
      UNION ALL SELECT rolname::text FROM pg_roles WHERE ${whoseRoles}
      UNION ALL SELECT setconfig::text FROM pg_db_role_setting
        WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
      UNION ALL SELECT nspname::text FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_temp%'
      UNION ALL SELECT concat_ws(' ', version) FROM schema_migrations
    ) AS parts`);
  return row?.schema ?? '';
};

const filledTables = async (sql: Sql): Promise<string[]> => {
  const tables = await sql<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  const filled = await sql<{ name: string }>(
    tables.map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`).join(' UNION ALL '),
  );
  return filled.map(({ name }) => name);
};

/** Databases that the tests of one process use one after the other: emptying one costs a tenth of creating one. */
import pg from 'pg';
import { DatabaseUnavailable, type Queryable, type SqlValue } from '../../../src/platform/database/database.ts';
import { openEmbedded } from '../../../src/platform/database/embedded/embedded.ts';
import { type DatabaseOptions, openDatabase } from '../../../src/platform/database/open.ts';
import type { ScriptDatabase } from '../../../src/platform/database/transaction.ts';
import { silentLogger } from '../gatehouse/silent-logger.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { openHere } from './embedded-in-thread.ts';
import { embedded } from './engines.ts';
import { type Sql, sqlBy, sqlOn } from './sql.ts';

interface PooledDatabase {
  readonly database: ScriptDatabase;
  readonly sql: Sql;
  /** Of the template: a changed schema has another one. */
  readonly schema: string;
  /** The directory that `lend` names; the embedded database is in it. */
  readonly dataDirectory: string;
}

export interface LentDatabase {
  /** DATABASE_URL on PostgreSQL; absent for the embedded engine. */
  readonly url?: string;
  readonly dataDirectory: string;
  /** Opens it, any number of times. `close` ends what was opened, not the database. */
  open(options?: Partial<Pick<DatabaseOptions, 'url' | 'logger' | 'poolSize'>>): Promise<ScriptDatabase>;
  /** Empties the database for the next test; close everything that was opened first. */
  drop(): Promise<void>;
}

export const lendDatabase = (): Promise<LentDatabase> => (embedded ? lendEmbedded() : lendPostgres());

const idleEmbedded: PooledDatabase[] = [];

const lendEmbedded = async (): Promise<LentDatabase> => {
  const pooled = idleEmbedded.pop() ?? (await openAnother());
  const { database, dataDirectory } = pooled;
  const leases: Lease[] = [];
  let isDropped = false;
  return {
    dataDirectory,
    open: async () => {
      const lease = { isOver: false };
      leases.push(lease);
      return openedFor(lease, database);
    },
    drop: async () => {
      if (isDropped) return;
      isDropped = true;
      for (const lease of leases) lease.isOver = true;
      if (await isCleaned(pooled)) idleEmbedded.push(pooled);
      else await database.close();
    },
  };
};

const openedFor = (lease: Lease, database: ScriptDatabase): ScriptDatabase => ({
  ...database,
  ...whileLent(database, lease),
  lookups: whileLent(database.lookups, lease),
  transaction: (work) => run(lease, () => database.transaction(work)),
  ping: () => run(lease, () => database.ping()),
  close: async () => {
    lease.isOver = true;
  },
});

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
  const onFatal = (reason: string): void => {
    throw new Error(reason);
  };
  const database = await openEmbedded({ dataDirectory, logger: silentLogger, onFatal, openEngine: openHere });
  const sql = sqlOn(database);
  // For its one session: no test of these databases cuts the power, and a sync of the disk takes as long as the rest.
  await sql('SET synchronous_commit = off');
  return { database, sql, dataDirectory, schema: await schemaOf(sql) };
};

const idlePostgres: PooledPostgres[] = [];

interface PooledPostgres {
  readonly stored: TestDatabase & { readonly url: string };
  readonly schema: string;
}

const lendPostgres = async (): Promise<LentDatabase> => {
  const pooled = idlePostgres.pop() ?? (await makeAnother());
  const { stored, schema } = pooled;
  let isDropped = false;
  return {
    url: stored.url,
    dataDirectory: stored.dataDirectory,
    open: (options) =>
      openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger, ...options }),
    drop: async () => {
      if (isDropped) return;
      isDropped = true;
      if (await onPostgres(stored.url, (sql) => isEmptiedAlone(sql, schema))) idlePostgres.push(pooled);
      else await stored.drop();
    },
  };
};

/** Ends every connection before the next service. @returns false also where a connection does not end */
const isEmptiedAlone = async (sql: Sql, schema: string): Promise<boolean> => {
  if (!(await isAlone(sql))) return false;
  await sql(`SET LOCAL lock_timeout = '10s'`);
  return isEmptied(sql, schema);
};

const others = 'datname = current_database() AND pid <> pg_backend_pid()';
const mostMillisToEnd = 10_000;

/** Ends all other connections, and waits: one that is still ending may commit. */
const isAlone = async (sql: Sql): Promise<boolean> => {
  await sql(`SELECT pg_terminate_backend(pid, ${mostMillisToEnd}) FROM pg_stat_activity WHERE ${others}`);
  // A transaction sees the same statistics until it requests a new snapshot. This shows more than the answers above: a
  // connection that ended by itself meanwhile counts there as not ended.
  await sql('SELECT pg_stat_clear_snapshot()');
  return (await sql(`SELECT pid FROM pg_stat_activity WHERE ${others}`)).length === 0;
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
    const sql = sqlBy(async <Row>(text: string, params: readonly SqlValue[] = []) => {
      const { rows } = await client.query<pg.QueryResultRow>(text, [...params]);
      return rows as Row[];
    });
    await client.query('BEGIN');
    const answer = await work(sql);
    await client.query('COMMIT');
    return answer;
  } finally {
    await client.end();
  }
};

/** @returns whether the database equals the template */
const isCleaned = ({ database, schema }: PooledDatabase): Promise<boolean> =>
  database.transaction((transaction) => isEmptied(sqlOn(transaction), schema));

/** @param sql in a transaction @returns false where nothing was emptied, because the schema has changed */
const isEmptied = async (sql: Sql, schema: string): Promise<boolean> => {
  if ((await schemaOf(sql)) !== schema) return false;
  // Disables the ordinary trigger by which the record of tool calls refuses this, and foreign keys with it.
  await sql('SET LOCAL session_replication_role = replica');
  for (const { name, isLarge } of await filledTables(sql)) {
    await sql(isLarge ? `TRUNCATE ${name} CASCADE` : `DELETE FROM ${name}`);
  }
  await sql(`SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`);
  return true;
};

/** The roles of a PostgreSQL server are not part of one of its databases. */
const whoseRoles = embedded ? 'true' : 'false';

/** All objects of the migrations, as the catalogs store them: printing definitions takes three times as long. */
const schemaOf = async (sql: Sql): Promise<string> =>
  (await sql.value<string>(`
    WITH relations AS MATERIALIZED (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    SELECT md5(string_agg(part, E'\\n' ORDER BY part)) AS schema FROM (
      SELECT concat_ws(' ', oid, relname, relkind, reloptions, relacl) AS part FROM relations
      UNION ALL SELECT concat_ws(' ', attrelid, attname, atttypid, attnotnull, attacl) FROM pg_attribute
        WHERE attrelid IN (SELECT oid FROM relations) AND attnum > 0
      UNION ALL SELECT adbin::text FROM pg_attrdef
      UNION ALL SELECT i::text FROM pg_index i WHERE indexrelid IN (SELECT oid FROM relations)
      UNION ALL SELECT r::text FROM pg_rewrite r WHERE ev_class IN (SELECT oid FROM relations)
      UNION ALL SELECT concat_ws(' ', oid, typname, typtype) FROM pg_type WHERE typnamespace = 'public'::regnamespace
      UNION ALL SELECT c::text FROM pg_constraint c WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT t::text FROM pg_trigger t
      UNION ALL SELECT p::text FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT rolname::text FROM pg_roles WHERE ${whoseRoles}
      UNION ALL SELECT setconfig::text FROM pg_db_role_setting
        WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
      UNION ALL SELECT nspname::text FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_temp%'
      UNION ALL SELECT concat_ws(' ', version) FROM schema_migrations
    ) AS parts`)) ?? '';

interface FilledTable {
  readonly name: string;
  /** TRUNCATE creates new files for a table and its indexes, which takes longer than deleting some rows. */
  readonly isLarge: boolean;
}

const filledTables = async (sql: Sql): Promise<FilledTable[]> => {
  const tables = await sql<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  return sql<FilledTable>(
    tables
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, pg_relation_size('${name}') > 500000 AS "isLarge"
           WHERE EXISTS (SELECT FROM ${name})`,
      )
      .join(' UNION ALL '),
  );
};

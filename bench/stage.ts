/** The benchmark's own database on the given PostgreSQL server: created, migrated, filled, observed and dropped. */
import { randomBytes } from 'node:crypto';
import { hashSync } from 'bcrypt';
import pg from 'pg';
import { migrationsDirectory } from '../server/src/cli/open.ts';
import { migrate } from '../server/src/platform/database/migrate.ts';
import { openDatabase } from '../server/src/platform/database/open.ts';
import type { Options } from './options.ts';
import { type Crowd, type Seeded, seed } from './seed.ts';

export interface Stage {
  readonly databaseUrl: string;
  readonly seeded: Seeded;
  readonly passwordHash: string;
  /** Such as `15.20`. */
  readonly serverVersion: string;
  /** Process ids of the sessions on this database, except the observer's. */
  backends(): Promise<readonly number[]>;
  drop(): Promise<void>;
}

const password = 'Correct.horse7';
const silent = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };

/** Who is in the database. */
export type Population = Omit<Crowd, 'password' | 'passwordHash'>;

export const openStage = async (
  { serverUrl, cost }: Pick<Options, 'serverUrl' | 'cost'>,
  population: Population,
): Promise<Stage> => {
  const name = `gatehouse_bench_${process.pid}_${randomBytes(3).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const drop = async (): Promise<void> => {
    await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  };
  try {
    return await fill(url.href, { ...population, password, passwordHash: hashSync(password, cost) }, drop);
  } catch (error) {
    await drop();
    throw error;
  }
};

const onServer = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const fill = async (databaseUrl: string, crowd: Crowd, drop: () => Promise<void>): Promise<Stage> => {
  const database = await openDatabase({ url: databaseUrl, dataDirectory: '', logger: silent });
  try {
    await migrate(database, migrationsDirectory);
  } finally {
    await database.close();
  }
  const observer = new pg.Client(databaseUrl);
  await observer.connect();
  const seeded = await seed(observer, crowd);
  const version = await observer.query<{ server_version: string }>('SHOW server_version');
  return {
    databaseUrl,
    seeded,
    passwordHash: crowd.passwordHash,
    serverVersion: version.rows[0]?.server_version.split(' ')[0] ?? 'unknown',
    backends: async () => (await observer.query<{ pid: number }>(listBackends)).rows.map(({ pid }) => pid),
    drop: async () => {
      await observer.end();
      await drop();
    },
  };
};

const listBackends = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

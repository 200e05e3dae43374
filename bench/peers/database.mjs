/** The schema of a peer in the benchmark's database, and its users. */
import { readFileSync } from 'node:fs';
import pg from 'pg';

/** Each is a person with one live session; the load presents these tokens. */
export const people = JSON.parse(readFileSync(process.env.BENCH_TOKENS ?? '', 'utf8')).map((token, number) => ({
  id: crypto.randomUUID(),
  email: `person-${number}@bench.example`,
  name: `Person ${number}`,
  token,
}));

/** A pool as large as the service's, with the new schema `schema` as its search path. */
export const openSchema = async (schema) => {
  const url = new URL(process.env.DATABASE_URL ?? '');
  url.searchParams.set('options', `-c search_path=${schema}`);
  const pool = new pg.Pool({ connectionString: url.href, max: 8 });
  await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await pool.query(`CREATE SCHEMA ${schema}`);
  return pool;
};

/** The values of one property over all people, for `unnest`. */
export const column = (name) => people.map((person) => person[name]);

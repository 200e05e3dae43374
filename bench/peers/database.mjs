/** The schema of its own that a peer has in the benchmark's database, and the people in it. */
import { readFileSync } from 'node:fs';
import pg from 'pg';

/** Each is a person with one live session; the tokens are the ones that the load presents. */
export const people = JSON.parse(readFileSync(process.env.BENCH_TOKENS ?? '', 'utf8')).map((token, number) => ({
  id: crypto.randomUUID(),
  email: `person-${number}@bench.example`,
  name: `Person ${number}`,
  token,
}));

/** A pool as large as the one of the service, whose unqualified names are in `schema`, which is made anew. */
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

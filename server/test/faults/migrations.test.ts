/**
 * Three instances find an empty database at the same moment and bring it to the present schema, while one of them is
 * killed at any point: each migration is applied once, whole, and the others go on as if nothing had happened.
 */

import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { pauseUpTo, range } from '../support/concurrency.ts';
import { migrationsDirectory } from '../support/database-template.ts';
import { createEmptyPostgres, newDirectory } from '../support/databases.ts';
import { environmentFor, startGatehouse } from '../support/gatehouse-process.ts';
import { postgresOfRun } from './support/postgres-server.ts';
import { keepResult } from './support/results.ts';
import { sized } from './support/size.ts';

const rounds = sized(3, 20);
/** From when the victim is seen migrating: about as long as one file takes with three who apply them in turn. */
const killWithinMillis = 30;
const seenWithinMillis = 20_000;

const victimName = 'victim';

/** The victim's sessions have this name at the server. */
const namedVictim = (url: string): string => {
  const named = new URL(url);
  named.searchParams.set('application_name', victimName);
  return named.href;
};

/** Resolves once the victim has the lock under which a file is applied, or waits for it. */
const isSeenMigrating = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const locked = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND application_name = $1 AND datname = current_database()`;
    const end = performance.now() + seenWithinMillis;
    while ((await client.query(locked, [victimName])).rowCount === 0 && performance.now() < end) await sleep(1);
  } finally {
    await client.end();
  }
};

describe(`Three instances that migrate at once, one of them killed, ${rounds} times`, () => {
  const postgres = postgresOfRun();
  let dataDirectory: string;
  let expected: string;

  /** Every table, function and constraint, as text. */
  const schemaOf = async (url: string): Promise<string> => {
    const dump = await postgres.ask('pg_dump', '--schema-only', '--no-owner', '-d', new URL(url).pathname.slice(1));
    // Random in each dump.
    return dump.replaceAll(/^\\(un)?restrict .*$/gm, '');
  };

  beforeAll(async () => {
    dataDirectory = await newDirectory();
    const { url, drop } = await createEmptyPostgres(postgres.url);
    const { code } = await startGatehouse(['migrate'], environmentFor({ url, dataDirectory })).ended;
    expect(code).toBe(0);
    expected = await schemaOf(url);
    await drop();
  });
  const names = readdirSync(migrationsDirectory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.slice(0, -'.sql'.length));

  it('applies each migration once and whole', async () => {
    let killedMeanwhile = 0;
    for (const _ of range(rounds)) {
      const { url, drop } = await createEmptyPostgres(postgres.url);
      const environment = environmentFor({ url, dataDirectory });
      const victim = startGatehouse(['migrate'], { ...environment, DATABASE_URL: namedVictim(url) });
      const others = range(2).map(() => startGatehouse(['migrate'], environment));
      await Promise.race([isSeenMigrating(url), victim.ended]);
      await pauseUpTo(killWithinMillis);
      victim.signal('SIGKILL');
      const ended = await Promise.all(others.map((instance) => instance.ended));
      if ((await victim.ended).code === null) killedMeanwhile += 1;
      expect(
        ended.map(({ code }) => code),
        ended.map(({ output }) => output).join('\n'),
      ).toEqual([0, 0]);
      const dumped = await postgres.ask(
        'psql',
        '-d',
        new URL(url).pathname.slice(1),
        '-Atc',
        'SELECT name FROM schema_migrations ORDER BY version',
      );
      expect(dumped.trim().split('\n')).toEqual(names);
      expect(await schemaOf(url)).toBe(expected);
      await drop();
    }
    // Otherwise nothing was tried.
    expect(killedMeanwhile).toBeGreaterThan(0);
    await keepResult({
      fault: 'three instances migrating, one killed',
      runs: rounds,
      violations: [],
      operations: [],
      note: `${killedMeanwhile} killed in the middle`,
    });
  });
});

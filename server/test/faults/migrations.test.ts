/** Three instances migrate an empty database at once, one is killed: each migration is applied once and whole. */

import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { pauseUpTo, range } from '../support/checks/concurrency.ts';
import { migrationsDirectory } from '../support/database/database-template.ts';
import { createEmptyPostgres, newDirectory } from '../support/database/databases.ts';
import { environmentFor, startGatehouse } from '../support/gatehouse/gatehouse-process.ts';
import { sized } from './support/load/size.ts';
import { postgresOfRun } from './support/sites/postgres-server.ts';
import { keepResult } from './support/verdicts/results.ts';

const rounds = sized(3, 20);
/**
 * From when the victim is seen migrating: about the time of one file with three instances that apply them alternately.
 */
const killWithinMillis = 30;
const seenWithinMillis = 20_000;
/** How often a round is tried whose victim ends before it is killed. */
const mostTries = 5;
const appliedInOrder = 'SELECT name FROM schema_migrations ORDER BY version';

const victimName = 'victim';

/** The application_name of the victim's sessions. */
const namedVictim = (url: string): string => {
  const named = new URL(url);
  named.searchParams.set('application_name', victimName);
  return named.href;
};

/**
 * Resolves with true once the victim has the lock under which a file is applied; with false when it has exited before.
 */
const isSeenMigrating = async (url: string, hasEnded: () => boolean): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const locked = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND application_name = $1 AND datname = current_database()`;
    const end = performance.now() + seenWithinMillis;
    while (!hasEnded() && performance.now() < end) {
      if ((await client.query(locked, [victimName])).rowCount !== 0) return true;
      await sleep(1);
    }
    return false;
  } finally {
    await client.end();
  }
};

describe(`Three instances that migrate at once, one of them killed, ${rounds} times`, () => {
  const postgres = postgresOfRun();
  let dataDirectory: string;
  let expected: string;

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

  interface Round {
    /** Whether the victim had begun to apply a file, and had not finished. */
    readonly isKilledInTheMiddle: boolean;
    readonly codes: readonly (number | null)[];
    readonly said: string;
    readonly applied: readonly string[];
    readonly schema: string;
  }

  const migrateAtOnce = async (): Promise<Round> => {
    const { url, drop } = await createEmptyPostgres(postgres.url);
    const environment = environmentFor({ url, dataDirectory });
    const victim = startGatehouse(['migrate'], { ...environment, DATABASE_URL: namedVictim(url) });
    const state = { hasEnded: false };
    const victimEnded = victim.ended.then((ended) => {
      state.hasEnded = true;
      return ended;
    });
    const others = range(2).map(() => startGatehouse(['migrate'], environment));
    const isSeen = await isSeenMigrating(url, () => state.hasEnded);
    await pauseUpTo(killWithinMillis);
    victim.signal('SIGKILL');
    const ended = await Promise.all(others.map((instance) => instance.ended));
    const isKilled = (await victimEnded).code === null;
    const name = new URL(url).pathname.slice(1);
    const applied = await postgres.ask('psql', '-d', name, '-Atc', appliedInOrder);
    const schema = await schemaOf(url);
    await drop();
    return {
      isKilledInTheMiddle: isSeen && isKilled,
      codes: ended.map(({ code }) => code),
      said: ended.map(({ output }) => output).join('\n'),
      applied: applied.trim().split('\n'),
      schema,
    };
  };

  // Contract: operation#concurrent-migrations — Three instances migrating at once, one killed: each migration once
  it('applies each migration once and whole', async () => {
    const tried: Round[] = [];
    const killedIn = () => tried.filter(({ isKilledInTheMiddle }) => isKilledInTheMiddle).length;
    // An instance may end before the signal arrives; that round is repeated.
    while (killedIn() < rounds && tried.length < mostTries * rounds) tried.push(await migrateAtOnce());
    const killed = killedIn();
    await keepResult({
      fault: 'three instances migrating, one killed',
      runs: tried.length,
      violations: [],
      operations: [],
      note: `${killed} killed in the middle`,
    });
    for (const { codes, said, applied, schema } of tried) {
      expect(codes, said).toEqual([0, 0]);
      expect(applied).toEqual(names);
      expect(schema).toBe(expected);
    }
    // Otherwise nothing was tested.
    expect(killed).toBe(rounds);
  });
});

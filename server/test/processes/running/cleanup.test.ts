/** Expired rows are deleted by processes: by one of two, after a kill, by the database's clock, and by the command. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cleanupJobsFor } from '../../../src/domain/cleanup/jobs.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { until } from '../../support/checks/concurrency.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { embedded, postgresOnly } from '../../support/database/engines.ts';
import { type Sql, sqlOn } from '../../support/database/sql.ts';
import { runHere } from '../../support/gatehouse/command-line.ts';
import { runGatehouse } from '../../support/gatehouse/gatehouse-process.ts';
import { ServerProcess } from '../../support/gatehouse/processes.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

const cleanupJobs = cleanupJobsFor(30);
const environmentOfUpkeep = { NODE_ENV: 'test', GATEHOUSE_SECRET: 'x'.repeat(32) };

type Variables = Readonly<Record<string, string>>;

const inStored = async (work: (stored: TestDatabase, variables: Variables) => Promise<void>): Promise<void> => {
  const stored = await createTestDatabase();
  const url: Variables = stored.url === undefined ? {} : { DATABASE_URL: stored.url };
  try {
    await work(stored, { DATA_DIR: stored.dataDirectory, ...url });
  } finally {
    await stored.drop();
  }
};

/** On the embedded engine no process may have it open meanwhile. */
const inDatabase = async <T>(stored: TestDatabase, work: (sql: Sql, database: Database) => Promise<T>): Promise<T> => {
  const { url, dataDirectory } = stored;
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
  try {
    return await work(sqlOn(database), database);
  } finally {
    await database.close();
  }
};

const insertOver = (sql: Sql, count: number): Promise<unknown> =>
  sql(
    `INSERT INTO helper_session_entries (session_hash, name, sealed_value, expires_at)
     SELECT sha256(n::text::bytea), 'over', '', now() - interval '1 hour' FROM generate_series(1, $1::integer) AS n`,
    [count],
  );

const countOver = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ left: number }>('SELECT count(*)::integer AS left FROM helper_session_entries');
  return row?.left ?? Number.NaN;
};

const noteRuns = async (sql: Sql): Promise<void> => {
  await sql('CREATE TABLE runs (name text, run_id uuid, UNIQUE (name, run_id))');
  await sql(
    `CREATE FUNCTION note_run() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN INSERT INTO runs VALUES (NEW.name, NEW.run_id) ON CONFLICT DO NOTHING; RETURN NULL; END'`,
  );
  await sql(
    `CREATE TRIGGER runs AFTER UPDATE ON scheduled_jobs FOR EACH ROW WHEN (NEW.run_id IS NOT NULL)
     EXECUTE FUNCTION note_run()`,
  );
};

/** Those that delete expired rows, and those that delete nothing. */
const allJobs = [
  ...cleanupJobs.map(({ name }) => name),
  'database_origin',
  'machine_token_reminders',
  'revoked_client_credentials',
];

// Contract: organizations#expired-rows — Jobs run once across processes
it.runIf(!embedded)(
  `Two processes on one database${postgresOnly} run each job once between them`,
  () =>
    inStored((stored, variables) =>
      inDatabase(stored, async (sql) => {
        await noteRuns(sql);
        await insertOver(sql, 1000);
        const processes = await Promise.all([ServerProcess.start(variables), ServerProcess.start(variables)]);
        try {
          const runs = (): Promise<{ name: string }[]> => sql('SELECT name FROM runs ORDER BY name');
          await until('each job has run', async () => {
            const rows = await sql<{ done: number }>(
              'SELECT count(last_succeeded_at)::integer AS done FROM scheduled_jobs',
            );
            return rows[0]?.done === allJobs.length;
          });
          // Both have checked by then, and no job is due again.
          await sleep(7000);
          expect((await runs()).map(({ name }) => name)).toEqual(allJobs.toSorted());
          expect(await countOver(sql)).toBe(0);
        } finally {
          await Promise.all(processes.map((process) => process.stop()));
        }
      }),
    ),
  120_000,
);

describe('A process', () => {
  // Contract: organizations#expired-rows — A process that is killed during a run
  it(
    'that is killed while it deletes leaves the rest to the next one, once its lease has expired',
    () =>
      inStored(async (stored, variables) => {
        const many = 16_000;
        await inDatabase(stored, async (sql) => {
          await insertOver(sql, many);
          // Of an earlier job, so that its log line shows the progress of the process.
          await sql(`INSERT INTO external_exchanges VALUES ('', '', now(), now())`);
        });
        const victim = await ServerProcess.start({ ...variables, LOG_LEVEL: 'info' });
        await untilDeleted(victim, 'external_exchanges');
        const killed = async (): Promise<{ readonly isHeld: boolean | undefined; readonly left: number }> => {
          await sleep(500);
          await victim.kill();
          return inDatabase(stored, async (sql) => {
            const isHeld = await sql.value<boolean>(
              `SELECT run_id IS NOT NULL FROM scheduled_jobs WHERE name = 'helper_session_entries'`,
            );
            await sql('UPDATE scheduled_jobs SET lease_ends_at = now() WHERE run_id IS NOT NULL');
            return { isHeld, left: await countOver(sql) };
          });
        };
        // All of it takes three seconds of pauses alone. A busy process may not have begun when it is killed.
        let { isHeld, left } = await killed();
        while (isHeld !== true && left === many) {
          await victim.restart();
          ({ isHeld, left } = await killed());
        }
        expect(isHeld).toBe(true);
        expect(left).toBeGreaterThan(0);
        expect(left % 250).toBe(0);
        await victim.restart();
        try {
          await untilDeleted(victim, 'helper_session_entries');
        } finally {
          await victim.stop();
        }
        expect(await inDatabase(stored, countOver)).toBe(0);
      }),
    120_000,
  );

  // The embedded engine has no clock but the process's.
  // Contract: organizations#expired-rows — The database's clock decides
  it.runIf(!embedded)(`whose clock is forty days ahead deletes no live row${postgresOnly}`, () =>
    inStored(async (stored, variables) => {
      await inDatabase(stored, async (sql) => {
        await sql(
          `INSERT INTO rate_limits (key, due_at) VALUES ('alive', now() + interval '1 hour'), ('over', now() - interval '1 hour')`,
        );
      });
      const ahead = 'data:text/javascript,const now = Date.now; Date.now = () => now() + 40 * 86400000;';
      const { code } = await runGatehouse(['upkeep'], {
        ...environmentOfUpkeep,
        ...variables,
        NODE_OPTIONS: `--import "${ahead}"`,
      });
      expect(code).toBe(0);
      expect(await inDatabase(stored, (sql) => sql('SELECT key FROM rate_limits'))).toEqual([{ key: 'alive' }]);
    }),
  );
});

const untilDeleted = (process: ServerProcess, job: string): Promise<void> =>
  until(`rows of ${job} are deleted`, async () => process.output.includes(`"event":"upkeep.deleted","job":"${job}"`));

describe('gatehouse upkeep', () => {
  // Contract: organizations#expired-rows — `gatehouse upkeep`
  it('deletes expired rows and reports the number as JSON', () =>
    inStored(async (stored, variables) => {
      await inDatabase(stored, (sql) => insertOver(sql, 600));
      const { code, stdout, stderr } = await runHere(['upkeep', '--json'], { ...environmentOfUpkeep, ...variables });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { jobs } = JSON.parse(stdout) as { readonly jobs: readonly object[] };
      expect(jobs).toHaveLength(cleanupJobs.length);
      expect(jobs).toContainEqual({ job: 'helper_session_entries', outcome: 'done', deletedRows: 600 });
    }));
});

/** When jobs run and in which process: once, in any process; resumed after a crash; later after a failure. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { JobSchedule, runAllJobs } from '../../src/platform/jobs/job-schedule.ts';
import { claimJob, listJobs, rowsAtOnce, runJob, type ScheduledJob } from '../../src/platform/jobs/scheduled-jobs.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { range } from '../support/checks/concurrency.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { embedded } from '../support/database/engines.ts';
import { type Sql, sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';
import { watchDatabase } from '../support/gatehouse/watched-gatehouse.ts';

/** Two processes, where the engine allows them. */
let databases: readonly [Database, Database];
let database: Database;
let sql: Sql;
const stored = fixture(lendDatabase, (stored) => stored.drop());
beforeAll(async () => {
  const open = () => stored.open({ poolSize: 4 });
  database = await open();
  databases = [database, embedded ? database : await open()];
  sql = sqlOn(database);
});
afterAll(async () => {
  for (const each of new Set(databases)) await each.close();
});
beforeEach(() => sql('DELETE FROM scheduled_jobs'));

interface Line {
  readonly level: string;
  readonly event: string;
  readonly job?: string;
  readonly deletedRows?: number;
}
let lines: Line[] = [];
afterEach(() => {
  lines = [];
});
const logger = createLogger('trace', { write: (line: string) => void lines.push(JSON.parse(line) as Line) });

/** A job that returns one of these numbers after the other, finally 0; it records each call. */
const newJob = (name: string, answers: readonly number[] = [], everySeconds = 100) => {
  const calls: number[] = [];
  const job: ScheduledJob = {
    name,
    everySeconds,
    purge: async () => {
      calls.push(performance.now());
      return answers[calls.length - 1] ?? 0;
    },
  };
  return { job, calls };
};

const scheduleOf = (jobs: readonly ScheduledJob[], by: Database = database): JobSchedule =>
  new JobSchedule({ database: by, logger, jobs });

interface Row {
  readonly name: string;
  readonly isHeld: boolean;
  /** Seconds from now, rounded up to tens, because the test takes its time. */
  readonly dueIn: number;
  readonly failures: number;
  readonly deletedRows: number;
}
const rowOf = async (name: string): Promise<Row | undefined> => {
  const [row] = await sql<Row>(
    `SELECT name, run_id IS NOT NULL AS "isHeld", (10 * ceil(extract(epoch FROM due_at - now()) / 10))::integer AS "dueIn",
       failures, deleted_rows AS "deletedRows" FROM scheduled_jobs WHERE name = $1`,
    [name],
  );
  return row;
};
const makeDue = (): Promise<unknown> => sql(`UPDATE scheduled_jobs SET due_at = now() - interval '1 second'`);

describe('A due job', () => {
  // Contract: organizations#expired-rows — Jobs run once across instances
  it('runs once, however many processes check at the same moment, and again at its next time', async () => {
    const { job, calls } = newJob('once');
    const schedules = range(10).map((index) => scheduleOf([job], databases[index % 2 === 0 ? 0 : 1]));
    const look = (): Promise<unknown> => Promise.all(schedules.map((schedule) => schedule.look()));
    await look();
    expect(calls).toHaveLength(1);
    await look();
    expect(calls).toHaveLength(1);
    expect(await rowOf('once')).toMatchObject({ isHeld: false, dueIn: 100 });
    await makeDue();
    await look();
    expect(calls).toHaveLength(2);
  });

  it('must be known to the process', async () => {
    await sql(`INSERT INTO scheduled_jobs (name, due_at) VALUES ('of another version', '2000-01-01')`);
    const { job, calls } = newJob('known');
    await scheduleOf([job]).look();
    expect(calls).toHaveLength(1);
    expect(await rowOf('of another version')).toMatchObject({ isHeld: false, deletedRows: 0 });
  });

  it('is left to its running process until that was silent for a minute', async () => {
    const { job, calls } = newJob('held');
    const schedule = scheduleOf([job]);
    await schedule.look();
    await makeDue();
    expect(await database.maybeOne(claimJob, ['held', newId(), 60])).toEqual({ name: 'held' });
    await schedule.look();
    expect(calls).toHaveLength(1);
    expect(await database.maybeOne(claimJob, ['held', newId(), 60])).toBeNull();
    await sql(`UPDATE scheduled_jobs SET lease_ends_at = lease_ends_at - interval '61 seconds'`);
    await schedule.look();
    expect(calls).toHaveLength(2);
  });

  it('continues batch by batch until one is empty, because some rows may be locked, and reports the number of deleted rows', async () => {
    const { job, calls } = newJob('batches', [rowsAtOnce, 7, rowsAtOnce]);
    await scheduleOf([job]).look();
    expect(calls).toHaveLength(4);
    expect(lines).toMatchObject([{ event: 'upkeep.deleted', job: 'batches', deletedRows: 2 * rowsAtOnce + 7 }]);
    const [row] = await database.many(listJobs, []);
    expect(row).toMatchObject({ name: 'batches', failures: 0, deletedRows: 2 * rowsAtOnce + 7 });
    expect(row?.lastSucceededAt).toBeInstanceOf(Date);
  });

  it('ends a run at its limit, and is due at once for the rest', async () => {
    const { job, calls } = newJob(
      'much',
      range(10).map(() => rowsAtOnce),
    );
    const runId = newId();
    await sql(`INSERT INTO scheduled_jobs (name) VALUES ('much')`);
    await database.maybeOne(claimJob, ['much', runId, 60]);
    const report = await runJob({ database, logger }, { job, runId, maxBatches: 4, isStopped: () => false });
    expect(report).toEqual({ job: 'much', outcome: 'more', deletedRows: 4 * rowsAtOnce });
    expect(calls).toHaveLength(4);
    expect(await rowOf('much')).toMatchObject({ isHeld: false, dueIn: 0 });
    // Monitoring has to see a job that never ends.
    expect(await database.many(listJobs, [])).toMatchObject([{ name: 'much', lastSucceededAt: null }]);
  });
});

describe('A run', () => {
  it('that lost its job to another ends before its next batch, and leaves the other alone', async () => {
    const other = newId();
    let calls = 0;
    const job: ScheduledJob = {
      name: 'lost',
      everySeconds: 100,
      purge: async () => {
        calls += 1;
        await sql('UPDATE scheduled_jobs SET run_id = $1', [other]);
        return rowsAtOnce;
      },
    };
    await scheduleOf([job]).look();
    expect(calls).toBe(1);
    expect(await sql('SELECT run_id::text AS "runId" FROM scheduled_jobs')).toEqual([{ runId: other }]);
  });

  // Contract: organizations#expired-rows — A stopping process
  it('that is stopped ends after its batch, and another process can continue at once', async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<number>();
    let calls = 0;
    const job: ScheduledJob = {
      name: 'stopped',
      everySeconds: 100,
      purge: async () => {
        calls += 1;
        begun.resolve();
        return held.promise;
      },
    };
    const schedule = scheduleOf([job]);
    const looking = schedule.look();
    await begun.promise;
    const stopping = schedule.stop().then(() => 'stopped');
    const aWhile = new Promise((resolve) => {
      setTimeout(resolve, 100, 'still running');
    });
    expect(await Promise.race([stopping, aWhile])).toBe('still running');
    held.resolve(rowsAtOnce);
    expect(await stopping).toBe('stopped');
    await looking;
    expect(calls).toBe(1);
    expect(await rowOf('stopped')).toMatchObject({ isHeld: false, dueIn: 0, deletedRows: rowsAtOnce });
    const { job: next, calls: nextCalls } = newJob('stopped');
    await scheduleOf([next]).look();
    expect(nextCalls).toHaveLength(1);
  });

  // Contract: organizations#expired-rows — A failing job
  it('that fails is logged, retried later each time, and does not delay any other', async () => {
    const failing: ScheduledJob = { name: 'failing', everySeconds: 100, purge: () => Promise.reject(new Error('no')) };
    const { job, calls } = newJob('other');
    const schedule = scheduleOf([failing, job]);
    const pauses: number[] = [];
    for (const _attempt of range(9)) {
      await schedule.look();
      pauses.push((await rowOf('failing'))?.dueIn ?? Number.NaN);
      await makeDue();
    }
    expect(calls).toHaveLength(9);
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect(lines.filter(({ event }) => event === 'upkeep.failed')).toHaveLength(9);
    expect(lines[0]).toMatchObject({ level: 'error', event: 'upkeep.failed', job: 'failing' });
    expect(await rowOf('failing')).toMatchObject({ isHeld: false, failures: 9 });
    await scheduleOf([newJob('failing').job]).look();
    expect(await rowOf('failing')).toMatchObject({ failures: 0, dueIn: 100 });
  });
});

describe('A schedule', () => {
  it('that cannot be read is logged, and read at the next check', async () => {
    const watched = watchDatabase(database);
    const { job, calls } = newJob('later');
    const schedule = scheduleOf([job], watched.database);
    watched.failWith(new Error('away'));
    await schedule.look();
    expect(lines).toMatchObject([{ level: 'warn', event: 'upkeep.unscheduled' }]);
    watched.failWith(null);
    await schedule.look();
    expect(calls).toHaveLength(1);
  });

  it('that loses the database during a run leaves the job to another process after the lease', async () => {
    const watched = watchDatabase(database);
    const job: ScheduledJob = {
      name: 'cut',
      everySeconds: 100,
      purge: async () => {
        watched.failWith(new Error('away'));
        throw new Error('away');
      },
    };
    await scheduleOf([job], watched.database).look();
    expect(lines.map(({ event }) => event)).toEqual([
      'upkeep.failed',
      'upkeep.failure_unrecorded',
      'upkeep.unscheduled',
    ]);
    expect(await rowOf('cut')).toMatchObject({ isHeld: true, failures: 0 });
  });
});

it('upkeep runs all jobs to their end, also ones that are not due, and skips a running one', async () => {
  const [first, second] = [newJob('first', [rowsAtOnce, 1]), newJob('second')];
  const jobs = [first.job, second.job];
  await scheduleOf(jobs).look();
  await database.maybeOne(claimJob, ['second', newId(), 60]);
  expect(await runAllJobs({ database, logger, jobs })).toEqual([
    { job: 'first', outcome: 'done', deletedRows: 0 },
    { job: 'second', outcome: 'running elsewhere', deletedRows: 0 },
  ]);
  expect([first.calls.length, second.calls.length]).toEqual([4, 1]);
});

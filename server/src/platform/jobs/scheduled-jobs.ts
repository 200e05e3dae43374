/**
 * A job that deletes what is over, and one run of it: small batches with a pause between, so that nobody waits long for a
 * row, each of them harmless when it is done twice. A run holds the job by a lease, which it renews before each batch; a
 * run that dies is silent, and another takes the job over.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Logger } from '../database/logger.ts';
import { statement } from '../database/statement.ts';
import { annotate, asWork, type Tracing } from '../observability/context.ts';

export interface ScheduledJob {
  /** Unique, and the same in every version of the product: the row of `scheduled_jobs`. */
  readonly name: string;
  /** From the end of one run to the next. */
  readonly everySeconds: number;
  /**
   * Deletes the oldest of what is over, at most {@link rowsAtOnce}, and leaves out what somebody holds: it waits for
   * nobody while it holds rows itself, and so is part of no circle of waits.
   * @returns how many rows went; none when there is none left that nobody holds
   */
  readonly purge: (database: Pick<Database, 'execute' | 'one' | 'transaction'>) => Promise<number>;
}

/**
 * `done`: nothing is left. `more`: it stopped after enough for one run. `stopped`: somebody said so. `taken over`: it was
 * silent for so long that another run has the job.
 */
export type RunOutcome = 'done' | 'more' | 'stopped' | 'taken over' | 'failed';

export interface RunReport {
  readonly job: string;
  readonly outcome: RunOutcome;
  readonly deletedRows: number;
}

export interface RunDeps {
  readonly database: Database;
  readonly logger: Logger;
  /** Absent where no spans are taken. */
  readonly tracing?: Tracing | null;
  /** After each batch. Default 50. */
  readonly pauseMilliseconds?: number;
}

/** A job that this run has claimed. */
export interface Run {
  readonly job: ScheduledJob;
  readonly runId: string;
  readonly maxBatches: number;
  readonly isStopped: () => boolean;
}

/** Few: the embedded engine has one connection, and everybody waits for it. */
export const rowsAtOnce = 250;

/** For a batch and the pause after it, many times over. */
export const leaseSeconds = 60;
const usualPauseMilliseconds = 50;

/** Never throws: a run that fails is logged, and tried again later. What it logs stands under an id of its own. */
export const runJob = (deps: RunDeps, run: Run): Promise<RunReport> => {
  const facts = { name: `job ${run.job.name}` };
  return asWork(deps.tracing ?? null, { correlationId: run.runId, facts }, () => runClaimed(deps, run));
};

const runClaimed = async (deps: RunDeps, run: Run): Promise<RunReport> => {
  const progress = { deletedRows: 0 };
  try {
    const outcome = await runBatches(deps, run, progress);
    await settle(deps.database, run, outcome, progress.deletedRows);
    annotate({ 'job.outcome': outcome, 'job.deleted_rows': progress.deletedRows });
    return reported(deps.logger, { job: run.job.name, outcome, ...progress });
  } catch (error) {
    deps.logger.error(
      { event: 'upkeep.failed', job: run.job.name, ...progress, err: error },
      'Rows that are over could not be deleted',
    );
    annotate({ 'job.outcome': 'failed' });
    await noteFailure(deps, run, progress.deletedRows);
    return { job: run.job.name, outcome: 'failed', ...progress };
  }
};

const runBatches = async (
  { database, pauseMilliseconds = usualPauseMilliseconds }: RunDeps,
  { job, runId, maxBatches, isStopped }: Run,
  progress: { deletedRows: number },
): Promise<RunOutcome> => {
  for (let batch = 0; batch < maxBatches; batch += 1) {
    if (isStopped()) return 'stopped';
    if (batch > 0 && (await database.execute(renewLease, [job.name, runId, leaseSeconds])) === 0) return 'taken over';
    const deleted = await job.purge(database);
    progress.deletedRows += deleted;
    // Fewer than a batch says nothing: rows that somebody holds are left out of it.
    if (deleted === 0) return 'done';
    await delay(pauseMilliseconds);
  }
  return 'more';
};

/** What is left is due at once, after the other jobs that are. */
const settle = async (
  database: Database,
  { job, runId }: Run,
  outcome: RunOutcome,
  deletedRows: number,
): Promise<void> => {
  const dueInSeconds = outcome === 'done' ? job.everySeconds : 0;
  if (outcome === 'stopped') await database.execute(releaseRun, [job.name, runId, deletedRows]);
  else await database.execute(finishRun, [job.name, runId, deletedRows, dueInSeconds]);
};

const reported = (logger: Logger, report: RunReport): RunReport => {
  const { job, deletedRows } = report;
  if (deletedRows > 0) logger.info({ event: 'upkeep.deleted', job, deletedRows }, 'Rows that are over were deleted');
  return report;
};

/** While the database is away this fails too: then the lease ends by itself. */
const noteFailure = async ({ database, logger }: RunDeps, { job, runId }: Run, deletedRows: number): Promise<void> => {
  try {
    await database.execute(failRun, [job.name, runId, deletedRows]);
  } catch (error) {
    logger.warn({ event: 'upkeep.failure_unrecorded', job: job.name, err: error }, 'A failed job keeps its lease');
  }
};

// SQL of `scheduled_jobs`: which job is due, and which run has it. All instants are the database's.

/** Makes jobs known that are not yet; those are due at once. */
export const addJobs = statement<unknown, [names: readonly string[]]>(
  'scheduled_jobs.add',
  'INSERT INTO scheduled_jobs (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING',
);

export interface ClaimedJobRow {
  readonly name: string;
}

/** Nobody has it, or whoever had it fell silent. */
const isFree = '(lease_ends_at IS NULL OR lease_ends_at <= now())';

const claimed = (seconds: string): string => `run_id = $2, lease_ends_at = now() + ${seconds} * interval '1 second'`;

/** Takes the job that has been due the longest for one run alone; no row when none is due. */
export const claimDueJob = statement<ClaimedJobRow, [names: readonly string[], runId: string, leaseSeconds: number]>(
  'scheduled_jobs.claim_due',
  `UPDATE scheduled_jobs SET ${claimed('$3')}
   WHERE name = (
     SELECT name FROM scheduled_jobs WHERE name = ANY ($1) AND due_at <= now() AND ${isFree}
     ORDER BY due_at, name LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING name`,
);

/** Takes one job, due or not, unless a run has it. */
export const claimJob = statement<ClaimedJobRow, [name: string, runId: string, leaseSeconds: number]>(
  'scheduled_jobs.claim',
  `UPDATE scheduled_jobs SET ${claimed('$3')} WHERE name = $1 AND ${isFree} RETURNING name`,
);

/** Affects no row once another run has taken the job over. */
export const renewLease = statement<unknown, [name: string, runId: string, leaseSeconds: number]>(
  'scheduled_jobs.renew',
  `UPDATE scheduled_jobs SET lease_ends_at = now() + $3 * interval '1 second' WHERE name = $1 AND run_id = $2`,
);

const released = 'run_id = NULL, lease_ends_at = NULL, deleted_rows = deleted_rows + $3';

/** The run did what there was to do, and the job is due again after a while; after 0 seconds, it did enough for one run. */
export const finishRun = statement<unknown, [name: string, runId: string, deletedRows: number, dueInSeconds: number]>(
  'scheduled_jobs.finish',
  `UPDATE scheduled_jobs SET ${released}, failures = 0,
     last_succeeded_at = CASE WHEN $4 > 0 THEN now() ELSE last_succeeded_at END,
     due_at = now() + $4 * interval '1 second'
   WHERE name = $1 AND run_id = $2`,
);

/** The run was stopped in between: whoever comes next goes on. */
export const releaseRun = statement<unknown, [name: string, runId: string, deletedRows: number]>(
  'scheduled_jobs.release',
  `UPDATE scheduled_jobs SET ${released} WHERE name = $1 AND run_id = $2`,
);

/** Half a minute, doubling with each failure in a row, at most an hour. */
export const failRun = statement<unknown, [name: string, runId: string, deletedRows: number]>(
  'scheduled_jobs.fail',
  `UPDATE scheduled_jobs SET ${released}, failures = failures + 1,
     due_at = now() + least(30 * power(2, least(failures, 10)), 3600) * interval '1 second'
   WHERE name = $1 AND run_id = $2`,
);

export interface JobRow {
  readonly name: string;
  /** Null until the first time. */
  readonly lastSucceededAt: Date | null;
  /** In a row. */
  readonly failures: number;
  /** Of all runs that came to an end. */
  readonly deletedRows: number;
}

/** How the jobs have gone, whichever process ran them. */
export const listJobs = statement<JobRow>(
  'scheduled_jobs.list',
  `SELECT name, last_succeeded_at AS "lastSucceededAt", failures, deleted_rows AS "deletedRows"
   FROM scheduled_jobs ORDER BY name`,
);

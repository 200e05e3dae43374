/**
 * Owns: scheduled jobs: their schedule, leases and batches.
 * Promises: A job runs in one process at a time, and continues elsewhere when that process dies.
 *
 * A run deletes expired rows in small, idempotent batches with a pause between, so that other queries do not wait long
 * for a row. It holds the job by a lease, renewed before each batch, which expires when the run dies.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, type Statement, statement } from '../database/database.ts';
import { annotate, asWork, type Tracing } from '../observability/context.ts';
import type { Logger } from '../observability/logger.ts';

export interface ScheduledJob {
  /** Unique, and the same in every version of the product: the key of its row in `scheduled_jobs`. */
  readonly name: string;
  /** From the end of one run to the start of the next. */
  readonly everySeconds: number;
  /** False for a job that deletes nothing: what it works on is neither logged nor counted as deleted. */
  readonly deletes?: false;
  /**
   * Deletes the oldest expired rows, at most {@link rowsAtOnce}, and skips locked ones: it never waits while it holds
   * locks itself, so it cannot be part of a deadlock. A job that deletes nothing takes locks in the order of all other
   * code.
   * @returns the number of rows that it deleted or worked on; 0 when no unlocked ones are left
   */
  readonly purge: (database: Pick<Database, 'execute' | 'one' | 'transaction'>) => Promise<number>;
}

/** `more`: at the limit of one run. `stopped`: on request. `taken over`: its lease expired, another run has it. */
type RunOutcome = 'done' | 'more' | 'stopped' | 'taken over' | 'failed';

export interface RunReport {
  readonly job: string;
  readonly outcome: RunOutcome;
  readonly deletedRows: number;
}

export interface RunDeps {
  readonly database: Database;
  readonly logger: Logger;
  /** Absent when tracing is off. */
  readonly tracing?: Tracing | null;
  /** Pause after each batch. Default 50. */
  readonly pauseMilliseconds?: number;
}

interface Run {
  readonly job: ScheduledJob;
  readonly runId: string;
  readonly maxBatches: number;
  readonly isStopped: () => boolean;
}

/** Small: the embedded engine has a single connection, and all other work waits for it. */
export const rowsAtOnce = 250;

/**
 * A statement that deletes the oldest expired rows, at most {@link rowsAtOnce}, and skips locked ones.
 * @param expiredIn column of the row's time, by which the oldest are found
 * @param conditions SQL, all of which an expired row meets
 */
export const deletingExpired = (
  table: string,
  key: string,
  expiredIn: string,
  conditions: readonly string[],
): Statement<unknown, readonly []> =>
  statement(
    `${table}.delete_expired`,
    `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
       SELECT ${key} FROM ${table} WHERE ${conditions.join(' AND ')}
       ORDER BY ${expiredIn} LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
  );

/** Many times the duration of a batch and the pause after it. */
export const leaseSeconds = 60;
const usualPauseMilliseconds = 50;

/** Runs a claimed job. Never throws: a failed run is logged and retried later. The run id is its correlation id. */
export const runJob = (deps: RunDeps, run: Run): Promise<RunReport> => {
  const span = { name: `job ${run.job.name}` };
  return asWork(deps.tracing ?? null, { correlationId: run.runId, span }, () => runClaimed(deps, run));
};

const runClaimed = async (deps: RunDeps, run: Run): Promise<RunReport> => {
  const progress = { deletedRows: 0 };
  try {
    const outcome = await runBatches(deps, run, progress);
    await settle(deps.database, run, outcome, progress.deletedRows);
    annotate({ 'job.outcome': outcome, 'job.deleted_rows': progress.deletedRows });
    const line = { event: 'upkeep.deleted', job: run.job.name, ...progress } as const;
    if (progress.deletedRows > 0) deps.logger.info(line, 'Expired rows were deleted');
    return { job: run.job.name, outcome, ...progress };
  } catch (error) {
    deps.logger.error(
      { event: 'upkeep.failed', job: run.job.name, ...progress, err: error },
      'A scheduled job failed; the next run tries again',
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
    if (job.deletes !== false) progress.deletedRows += deleted;
    // Fewer than a batch proves nothing: locked rows are skipped.
    if (deleted === 0) return 'done';
    await delay(pauseMilliseconds);
  }
  return 'more';
};

/** Ends a run; remaining rows are due at once, after the other due jobs. */
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

/** Fails too while the database is unavailable: then the lease expires by itself. */
const noteFailure = async ({ database, logger }: RunDeps, { job, runId }: Run, deletedRows: number): Promise<void> => {
  try {
    await database.execute(failRun, [job.name, runId, deletedRows]);
  } catch (error) {
    logger.warn(
      { event: 'upkeep.failure_unrecorded', job: job.name, err: error },
      'The failure of a job could not be recorded, so the job keeps its lease',
    );
  }
};

// SQL of `scheduled_jobs`: which job is due, and which run has it. All instants are the database's.

/** Adds jobs that have no row yet; they are due at once. */
export const addJobs = statement<unknown, [names: readonly string[]]>(
  'scheduled_jobs.add',
  'INSERT INTO scheduled_jobs (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING',
);

interface ClaimedJobRow {
  readonly name: string;
}

/** Unclaimed, or its lease has expired. */
const isFree = '(lease_ends_at IS NULL OR lease_ends_at <= now())';

const claimed = (seconds: string): string => `run_id = $2, lease_ends_at = now() + ${seconds} * interval '1 second'`;

/** Claims the job that has been due the longest, exclusively for one run; no row when none is due. */
export const claimDueJob = statement<ClaimedJobRow, [names: readonly string[], runId: string, leaseSeconds: number]>(
  'scheduled_jobs.claim_due',
  `UPDATE scheduled_jobs SET ${claimed('$3')}
   WHERE name = (
     SELECT name FROM scheduled_jobs WHERE name = ANY ($1) AND due_at <= now() AND ${isFree}
     ORDER BY due_at, name LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING name`,
);

/** Claims one job, due or not, unless a run has it. */
export const claimJob = statement<ClaimedJobRow, [name: string, runId: string, leaseSeconds: number]>(
  'scheduled_jobs.claim',
  `UPDATE scheduled_jobs SET ${claimed('$3')} WHERE name = $1 AND ${isFree} RETURNING name`,
);

/** Affects no row once another run has taken the job over. */
const renewLease = statement<unknown, [name: string, runId: string, leaseSeconds: number]>(
  'scheduled_jobs.renew',
  `UPDATE scheduled_jobs SET lease_ends_at = now() + $3 * interval '1 second' WHERE name = $1 AND run_id = $2`,
);

const released = 'run_id = NULL, lease_ends_at = NULL, deleted_rows = deleted_rows + $3';

/** Ends a successful run; the job is due again after `dueInSeconds`: 0 when it reached the limit of one run. */
const finishRun = statement<unknown, [name: string, runId: string, deletedRows: number, dueInSeconds: number]>(
  'scheduled_jobs.finish',
  `UPDATE scheduled_jobs SET ${released}, failures = 0,
     last_succeeded_at = CASE WHEN $4 > 0 THEN now() ELSE last_succeeded_at END,
     due_at = now() + $4 * interval '1 second'
   WHERE name = $1 AND run_id = $2`,
);

/** Releases a stopped run, which the next run continues. */
const releaseRun = statement<unknown, [name: string, runId: string, deletedRows: number]>(
  'scheduled_jobs.release',
  `UPDATE scheduled_jobs SET ${released} WHERE name = $1 AND run_id = $2`,
);

/** Retries after half a minute, doubling with each consecutive failure, at most an hour. */
const failRun = statement<unknown, [name: string, runId: string, deletedRows: number]>(
  'scheduled_jobs.fail',
  `UPDATE scheduled_jobs SET ${released}, failures = failures + 1,
     due_at = now() + least(30 * power(2, least(failures, 10)), 3600) * interval '1 second'
   WHERE name = $1 AND run_id = $2`,
);

export interface JobRow {
  readonly name: string;
  /** Null before the first success. */
  readonly lastSucceededAt: Date | null;
  /** Consecutive failures. */
  readonly failures: number;
  /** Sum over all ended runs. */
  readonly deletedRows: number;
}

/** State of all jobs, whichever process ran them. */
export const listJobs = statement<JobRow>(
  'scheduled_jobs.list',
  `SELECT name, last_succeeded_at AS "lastSucceededAt", failures, deleted_rows AS "deletedRows"
   FROM scheduled_jobs ORDER BY name`,
);

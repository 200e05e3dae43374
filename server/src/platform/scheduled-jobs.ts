/**
 * A job that deletes what is over, and one run of it: small batches with a pause between, so that nobody waits long for a
 * row, each of them harmless when it is done twice. A run holds the job by a lease, which it renews before each batch; a
 * run that dies is silent, and another takes the job over.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import type { Logger } from './database/logger.ts';
import { failRun, finishRun, releaseRun, renewLease } from './scheduled-jobs-store.ts';
import type { Tracing } from './span.ts';
import { annotate, asWork } from './tracing.ts';

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
  readonly mostBatches: number;
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
  { job, runId, mostBatches, isStopped }: Run,
  progress: { deletedRows: number },
): Promise<RunOutcome> => {
  for (let batch = 0; batch < mostBatches; batch += 1) {
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

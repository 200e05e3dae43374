/**
 * Owns when jobs run: every process polls for a due job and claims it, so that each runs once. The database's clock
 * decides what is due; a process only knows when to poll.
 */
import { newId } from '../../kernel/ids.ts';
import { WorkLoop } from '../work-loop.ts';
import {
  addJobs,
  claimDueJob,
  claimJob,
  leaseSeconds,
  type RunDeps,
  type RunReport,
  runJob,
  type ScheduledJob,
} from './scheduled-jobs.ts';

interface JobScheduleDeps extends RunDeps {
  readonly jobs: readonly ScheduledJob[];
}

const firstLookMilliseconds = 5000;
const lookMilliseconds = 15_000;
/** Batches per run, after which the other jobs run. */
const maxBatchesOfRun = 200;

export class JobSchedule {
  readonly #deps: JobScheduleDeps;
  readonly #loop: WorkLoop;
  #areKnown = false;

  constructor(deps: JobScheduleDeps) {
    this.#deps = deps;
    this.#loop = new WorkLoop({
      pollMilliseconds: lookMilliseconds,
      firstMilliseconds: firstLookMilliseconds,
      jitter: 0.25,
      round: () => this.#runDueJob(),
      onFailed: (error) =>
        deps.logger.warn({ event: 'upkeep.unscheduled', err: error }, 'The schedule of jobs cannot be read'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Stops claiming batches; another process may take the rest. */
  beginToStop(): void {
    this.#loop.beginToStop();
  }

  /** Stops claiming batches; resolves when the running batch has ended. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Runs the jobs that are due and unclaimed. Never throws. */
  look(): Promise<void> {
    return this.#loop.run();
  }

  /** @returns false when none was due */
  async #runDueJob(): Promise<boolean> {
    const { database, jobs } = this.#deps;
    const names = jobs.map(({ name }) => name);
    if (!this.#areKnown) await database.execute(addJobs, [names]);
    this.#areKnown = true;
    // Asked to stop while the database answered.
    if (this.#loop.isStopped) return false;
    const runId = newId();
    const claimed = await database.maybeOne(claimDueJob, [names, runId, leaseSeconds]);
    const job = jobs.find(({ name }) => name === claimed?.name);
    if (job === undefined) return false;
    await runJob(this.#deps, { job, runId, maxBatches: maxBatchesOfRun, isStopped: () => this.#loop.isStopped });
    return true;
  }
}

/** A job that another process was running. */
interface SkippedJob {
  readonly job: string;
  readonly outcome: 'running elsewhere';
  readonly deletedRows: 0;
}

/** Runs every job now, due or not, to its end, except those that another process is running. */
export const runAllJobs = async (deps: JobScheduleDeps): Promise<(RunReport | SkippedJob)[]> => {
  const { database, jobs } = deps;
  await database.execute(addJobs, [jobs.map(({ name }) => name)]);
  const reports: (RunReport | SkippedJob)[] = [];
  for (const job of jobs) {
    const runId = newId();
    const claimed = await database.maybeOne(claimJob, [job.name, runId, leaseSeconds]);
    const run = { job, runId, maxBatches: Number.POSITIVE_INFINITY, isStopped: () => false };
    reports.push(
      claimed === null ? { job: job.name, outcome: 'running elsewhere', deletedRows: 0 } : await runJob(deps, run),
    );
  }
  return reports;
};

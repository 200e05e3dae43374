/**
 * Owns when jobs run: every process polls for a due job and claims it exclusively, so that each runs once, regardless
 * of the number of processes. The database's clock decides what is due; a process only knows when to poll.
 */
import { newId } from '../../kernel/ids.ts';
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
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #areKnown = false;

  constructor(deps: JobScheduleDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#lookAfter(firstLookMilliseconds);
  }

  /** Stops claiming batches; another process may take the rest. */
  beginToStop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Stops claiming batches; resolves when the running batch has ended. */
  stop(): Promise<void> {
    this.beginToStop();
    return this.#looking;
  }

  /** Schedules the next poll with jitter, so that processes started together do not poll together. */
  #lookAfter(milliseconds: number): void {
    this.#timer = setTimeout(
      () => {
        this.#looking = this.look().then(() => {
          if (!this.#isStopped) this.#lookAfter(lookMilliseconds);
        });
      },
      milliseconds * (0.75 + Math.random() / 2),
    ).unref();
  }

  /** Runs the jobs that are due and unclaimed. Never throws. */
  look(): Promise<void> {
    this.#looking = this.#lookAround();
    return this.#looking;
  }

  async #lookAround(): Promise<void> {
    try {
      await this.#runWhatIsDue();
    } catch (error) {
      this.#deps.logger.warn({ event: 'upkeep.unscheduled', err: error }, 'The schedule of jobs cannot be read');
    }
  }

  async #runWhatIsDue(): Promise<void> {
    const { database, jobs } = this.#deps;
    const names = jobs.map(({ name }) => name);
    if (!this.#areKnown) await database.execute(addJobs, [names]);
    this.#areKnown = true;
    while (!this.#isStopped) {
      const runId = newId();
      const claimed = await database.maybeOne(claimDueJob, [names, runId, leaseSeconds]);
      const job = jobs.find(({ name }) => name === claimed?.name);
      if (job === undefined) return;
      await runJob(this.#deps, { job, runId, maxBatches: maxBatchesOfRun, isStopped: () => this.#isStopped });
    }
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

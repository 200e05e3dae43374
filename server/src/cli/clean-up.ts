/** `gatehouse upkeep`: deletes expired rows now, with every cleanup job, and reports each. */
import { cleanupJobsFor } from '../domain/cleanup/jobs.ts';
import type { Database } from '../platform/database/database.ts';
import { runAllJobs } from '../platform/jobs/job-schedule.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { CommandFailed } from './exit.ts';
import { loadConfig, quietLogger, withMigrated } from './open.ts';
import { counted, type JsonOption, write } from './output.ts';

/** @throws CommandFailed when a job failed; the log has the reason */
export const runUpkeep = async ({ json }: JsonOption): Promise<void> => {
  const logger = quietLogger();
  const config = loadConfig();
  const { signInHistoryDays } = config;
  await withMigrated(config, logger, (database) =>
    cleanUp({ database, logger, signInHistoryDays, write }, json === true),
  );
};

interface CleanUp {
  readonly database: Database;
  readonly logger: Logger;
  readonly signInHistoryDays: number;
  readonly write: (text: string) => unknown;
}

/**
 * Runs every job and writes what each did.
 * @throws CommandFailed: after all of them, naming those that failed
 * @internal A test runs it alone.
 */
export const cleanUp = async (
  { database, logger, signInHistoryDays, write }: CleanUp,
  isJson: boolean,
): Promise<void> => {
  const jobs = await runAllJobs({ database, logger, jobs: cleanupJobsFor(signInHistoryDays) });
  const lines = jobs.map(({ job, outcome, deletedRows }) => `${job}: ${inWords(outcome, deletedRows)}\n`);
  write(isJson ? `${JSON.stringify({ jobs })}\n` : lines.join(''));
  const failed = jobs.filter(({ outcome }) => outcome === 'failed').map(({ job }) => job);
  if (failed.length > 0) throw new CommandFailed(`Not everything could be deleted: ${failed.join(', ')}.`);
};

const inWords = (outcome: string, deletedRows: number): string => {
  const rows = counted(deletedRows, 'row');
  return outcome === 'done' ? rows : `${rows}, ${outcome}`;
};

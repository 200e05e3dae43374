/** `gatehouse upkeep`: deletes expired rows now. */
import { cleanupJobsFor } from '../domain/cleanup/jobs.ts';
import { runAllJobs } from '../platform/jobs/job-schedule.ts';
import { CommandFailed } from './exit.ts';
import { loadConfig, openMigrated, quietLogger } from './open.ts';

/** @throws CommandFailed when a job failed; the log has the reason */
export const runCleanup = async ({ json }: { readonly json?: true }): Promise<void> => {
  const logger = quietLogger();
  const config = loadConfig();
  const { database } = await openMigrated(config, logger);
  try {
    const jobs = await runAllJobs({ database, logger, jobs: cleanupJobsFor(config.signInHistoryDays) });
    const lines = jobs.map(({ job, outcome, deletedRows }) => `${job}: ${inWords(outcome, deletedRows)}\n`);
    process.stdout.write(json === true ? `${JSON.stringify({ jobs })}\n` : lines.join(''));
    const failed = jobs.filter(({ outcome }) => outcome === 'failed').map(({ job }) => job);
    if (failed.length > 0) throw new CommandFailed(`Not everything could be deleted: ${failed.join(', ')}.`);
  } finally {
    await database.close();
  }
};

const inWords = (outcome: string, deletedRows: number): string => {
  const rows = `${deletedRows} ${deletedRows === 1 ? 'row' : 'rows'}`;
  return outcome === 'done' ? rows : `${rows}, ${outcome}`;
};

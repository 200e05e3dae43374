/** Deletes expired rows, as `gatehouse upkeep` does. */
import { cleanupJobsFor } from '../../../src/domain/cleanup/jobs.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { runAllJobs } from '../../../src/platform/jobs/job-schedule.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * Runs every job to its end; returns the number of rows that each of them deleted, and fails when one did not end.
 * @param days SIGN_IN_HISTORY_DAYS
 */
export const runCleanup = async (database: Database, days = 30): Promise<Record<string, number>> => {
  const jobs = cleanupJobsFor(days);
  const reports = await runAllJobs({ database, logger: silentLogger, jobs, pauseMilliseconds: 0 });
  const unfinished = reports.filter(({ outcome }) => outcome !== 'done');
  if (unfinished.length > 0) throw new Error(`Not done: ${JSON.stringify(unfinished)}`);
  return Object.fromEntries(reports.map(({ job, deletedRows }) => [job, deletedRows]));
};

/** Deletes what is over, as `gatehouse upkeep` does. */
import { upkeepJobs } from '../../../src/domain/upkeep/jobs.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { runAllJobs } from '../../../src/platform/jobs/job-schedule.ts';
import { silentLogger } from './silent-logger.ts';

/** Runs every job to its end; answers how many rows each of them deleted, and fails when one did not end. */
export const runUpkeep = async (database: Database): Promise<Record<string, number>> => {
  const reports = await runAllJobs({ database, logger: silentLogger, jobs: upkeepJobs, pauseMilliseconds: 0 });
  const unfinished = reports.filter(({ outcome }) => outcome !== 'done');
  if (unfinished.length > 0) throw new Error(`Not done: ${JSON.stringify(unfinished)}`);
  return Object.fromEntries(reports.map(({ job, deletedRows }) => [job, deletedRows]));
};

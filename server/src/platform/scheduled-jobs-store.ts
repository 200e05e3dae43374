/** SQL of `scheduled_jobs`: which job is due, and which run has it. All instants are the database's. */
import { statement } from './database/statement.ts';

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

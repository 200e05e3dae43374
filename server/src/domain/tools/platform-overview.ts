/** Query platformOverview: the last 24 hours or 30 days, and what waits or fails now, for the console's first page. */
import type { Total } from '../../kernel/paging.ts';
import { type Database, statement } from '../../platform/database/database.ts';
import { type JobRow, listJobs } from '../../platform/jobs/scheduled-jobs.ts';
import { type MailQueueRow, readMailQueue } from '../../platform/mail/outbox.ts';
import type { Deps } from '../access/deps.ts';
import { listSessionFamilies } from '../session-admin/list-sessions.ts';
import { recordedRefusals, type SignInHistory, success } from '../sign-ins/sign-in-history.ts';

const periods = {
  HOURS_24: { pieces: 24, secondsEach: 3600 },
  DAYS_30: { pieces: 30, secondsEach: 86_400 },
} as const;

type OverviewPeriod = keyof typeof periods;

export const overviewPeriods = ['HOURS_24', 'DAYS_30'] as const satisfies readonly OverviewPeriod[];

/** The counts of one hour or day. */
export interface ActivityRow {
  /** Inclusive. */
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  readonly signIns: number;
  /** Those that the history lists. */
  readonly refusedSignIns: number;
  /** By people, super admins, clients or a rule; not those that expired or were replaced, and no tokens of machines. */
  readonly endedSessions: number;
}

export interface PlatformOverview {
  readonly activity: readonly ActivityRow[];
  /** The oldest attempt to sign in that is kept: of the time before it, nothing is known. Null when none is kept. */
  readonly historySince: Date | null;
  /** Tokens of machines included. */
  readonly activeSessions: Total;
  readonly mails: MailQueueRow;
  /** Names of the scheduled jobs whose last run failed. */
  readonly failingJobs: readonly string[];
}

/** The caller's guard has already required a super admin with sessions:view. */
export const getOverview = async (
  { database, signIns }: Deps<'database'> & { readonly signIns: Pick<SignInHistory, 'days' | 'flush'> },
  period: OverviewPeriod,
): Promise<PlatformOverview> => {
  await signIns.flush();
  const { pieces, secondsEach } = periods[period];
  const sessions = await listSessionFamilies({ database }, { first: 1 }, {});
  return {
    activity: await database.many(listActivity, [pieces, secondsEach, recordedRefusals]),
    historySince: (await database.one(findOldestAttempt, [signIns.days])).oldest,
    activeSessions: await sessions.total(),
    mails: await database.one(readMailQueue, []),
    failingJobs: (await failingOf(database)).map(({ name }) => name),
  };
};

const failingOf = async (database: Pick<Database, 'many'>): Promise<readonly JobRow[]> =>
  (await database.many(listJobs, [])).filter(({ failures }) => failures > 0);

/** By the first entry of an index. */
const findOldestAttempt = statement<{ readonly oldest: Date | null }, [days: number]>(
  'overview.find_oldest_attempt',
  `SELECT (SELECT s.at FROM sign_ins s WHERE s.at > now() - $1::integer * interval '1 day' ORDER BY s.at, s.id LIMIT 1)
     AS oldest`,
);

/** Pieces that end at the next full hour or day (UTC), each counted by an index alone. */
const listActivity = statement<ActivityRow, [pieces: number, secondsEach: number, refusals: readonly string[]]>(
  'overview.list_activity',
  `SELECT piece.begins AS "startsAt", piece.ends AS "endsAt", attempts.all_of_them - refused.number AS "signIns",
     refused.number AS "refusedSignIns", ended.number AS "endedSessions"
   FROM (SELECT to_timestamp(floor(extract(epoch FROM now()) / $2::integer) * $2 + $2) AS until) AS span
   CROSS JOIN generate_series(0, $1::integer - 1) AS place
   CROSS JOIN LATERAL (
     SELECT until - ($1 - place) * $2 * interval '1 second' AS begins,
       until - ($1 - place - 1) * $2 * interval '1 second' AS ends) AS piece
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS all_of_them FROM sign_ins s WHERE s.at >= piece.begins AND s.at < piece.ends) AS attempts
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS number FROM sign_ins s
     WHERE s.outcome = ANY ($3::text[]) AND s.outcome <> '${success}' AND s.at >= piece.begins AND s.at < piece.ends)
     AS refused
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS number FROM credentials c
     WHERE c.kind = 'user_refresh' AND c.revoked_at >= piece.begins AND c.revoked_at < piece.ends
       AND c.revocation_reason NOT IN ('rotated', 'switched_organization', 'replaced_by_sign_in')) AS ended
   ORDER BY piece.begins`,
);

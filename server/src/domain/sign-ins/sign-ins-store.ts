/** SQL of the tables `sign_ins` (attempts to sign in) and `refused_sign_ins` (how many were refused on a day). */
import { type FilteredList, microsOf, newestFirst } from '../../platform/database/filtered-list.ts';
import { statement } from '../../platform/database/statement.ts';
import { deletingExpired, rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';

/** An attempt as the history lists it. */
export interface SignInRow {
  readonly id: string;
  readonly at: Date;
  /** Null where the attempt named no known person. */
  readonly userId: string | null;
  readonly userEmail: string | null;
  readonly method: string;
  /** `success`, or the code of the refusal. */
  readonly outcome: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly sessionFamilyId: string | null;
}

export const success = 'success';

/**
 * The statement part that notes a success with the pair that it was issued.
 * @param issued the relation of the pair's rows
 * @param days SQL, how long it is kept; 0 notes none
 * @param ip SQL, an address that can be stored, or null
 */
export const insertSuccess = (issued: string, days: string, ip: string): string =>
  `INSERT INTO sign_ins (id, user_id, method, outcome, ip, user_agent, session_family_id, expires_at)
     SELECT c.id, c.user_id, c.auth_method, '${success}', ${ip}::inet, c.issue_user_agent, c.session_family_id,
       now() + ${days}::integer * interval '1 day'
     FROM ${issued} c WHERE c.kind = 'user_session' AND ${days}::integer > 0`;

/** The number of a day since 1970 (UTC). */
const dayOf = (instant: string): string => `floor(extract(epoch FROM ${instant}) / 86400)::integer`;

/** Refused attempts of a day beyond these are counted and not listed: those of one person, and those of none. */
const listedOfPerson = 100;
const listedOfNone = 10_000;

const mostListed = (userId: string): string =>
  `CASE WHEN ${userId} IS NULL THEN ${listedOfNone} ELSE ${listedOfPerson} END`;

/**
 * Counts refused attempts by person and day, and lists them up to the limit of the day. People who are gone are left
 * out; the others are held, in one order, so that a deletion at the same moment fails nothing.
 */
export const insertRefusals = statement<
  unknown,
  [
    ids: readonly string[],
    agesMilliseconds: readonly number[],
    userIds: readonly (string | null)[],
    methods: readonly string[],
    outcomes: readonly string[],
    ips: readonly (string | null)[],
    userAgents: readonly (string | null)[],
    days: number,
  ]
>(
  'sign_ins.insert_refusals',
  `WITH batch AS MATERIALIZED (
     SELECT b.*, now() - b.age * interval '1 millisecond' AS at
     FROM unnest($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::text[], $6::inet[], $7::text[])
       AS b (id, age, user_id, method, outcome, ip, user_agent)),
   people AS MATERIALIZED (
     SELECT u.id FROM users u WHERE u.id IN (SELECT user_id FROM batch) ORDER BY u.id FOR KEY SHARE),
   refused AS MATERIALIZED (
     SELECT b.*, ${dayOf('b.at')} AS day FROM batch b
     WHERE b.user_id IS NULL OR b.user_id IN (SELECT id FROM people)),
   placed AS (
     SELECT r.*, row_number() OVER (PARTITION BY r.user_id, r.day ORDER BY r.at, r.id) AS place,
       count(*) OVER (PARTITION BY r.user_id, r.day) AS together
     FROM refused r),
   counted AS (
     INSERT INTO refused_sign_ins AS t (user_id, day, attempts, listed, expires_at)
     SELECT r.user_id, r.day, count(*), least(count(*), ${mostListed('r.user_id')}), now() + $8::integer * interval '1 day'
     FROM refused r GROUP BY r.user_id, r.day ORDER BY r.user_id, r.day
     ON CONFLICT (user_id, day) DO UPDATE SET attempts = t.attempts + excluded.attempts,
       listed = least(t.attempts + excluded.attempts, ${mostListed('t.user_id')})
     RETURNING user_id, day, attempts)
   INSERT INTO sign_ins (id, at, user_id, method, outcome, ip, user_agent, expires_at)
   SELECT p.id, p.at, p.user_id, p.method, p.outcome, p.ip, p.user_agent, p.at + $8::integer * interval '1 day'
   FROM placed p JOIN counted c ON c.user_id IS NOT DISTINCT FROM p.user_id AND c.day = p.day
   WHERE c.attempts - p.together + p.place <= ${mostListed('p.user_id')}`,
);

/** Filter of the history; null matches any. */
export interface SoughtSignIns {
  /** Attempts of so many days. */
  readonly days: number;
  readonly user: string | null;
  /** An address or a CIDR of at most one site, whose index finds it. */
  readonly place: string | null;
  /** A CIDR of more than a site. */
  readonly network: string | null;
  readonly method: string | null;
  readonly isSuccess: boolean | null;
  /** The code of a refusal. */
  readonly refusal: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export type ListedRow = SignInRow & { readonly atMicros: string };

const order = newestFirst<ListedRow>('s.at', 's.id', ({ atMicros }) => atMicros);

/** The expression of the index `sign_ins_by_site`. */
export const siteOf = (ip: string): string =>
  `network(set_masklen(${ip}, CASE family(${ip}) WHEN 4 THEN 24 ELSE 48 END))`;

/**
 * The history, newest first. Each filter but a wide network, for which `wide-network.ts` reads, has an index in this
 * order.
 */
export const signInList = {
  name: (verb) => `sign_ins.${verb}`,
  source: 'FROM sign_ins s LEFT JOIN users u ON u.id = s.user_id WHERE true',
  conditions: [
    ['days', (days) => `s.at > now() - ${days}::integer * interval '1 day'`],
    ['user', (id) => `s.user_id = ${id}`],
    ['place', (ip) => `${siteOf('s.ip')} = ${siteOf(`${ip}::inet`)} AND s.ip <<= ${ip}::inet`],
    ['network', (network) => `s.ip <<= ${network}::inet`],
    ['method', (method) => `s.method = ${method}`],
    ['isSuccess', (isSuccess) => `s.outcome = '${success}' AND ${isSuccess}::boolean`],
    ['refusal', (code) => `s.outcome = ${code} AND s.outcome <> '${success}'`],
    ['from', (from) => `s.at >= ${from}`],
    // A given instant has milliseconds, and a row has microseconds: those of the last millisecond match too.
    ['to', (to) => `s.at < ${to}::timestamptz + interval '1 millisecond'`],
  ],
  order,
  select: (page) =>
    `SELECT s.id, s.at, ${microsOf('s.at')} AS "atMicros", s.user_id AS "userId", u.email AS "userEmail", s.method, s.outcome,
     host(s.ip) AS ip, s.user_agent AS "userAgent", s.session_family_id AS "sessionFamilyId" ${page}`,
} satisfies FilteredList<ListedRow, SoughtSignIns>;

/** How many refused attempts were counted and not listed; of one person, or of all with null. */
export const countUnlisted = statement<{ readonly unlisted: number }, [userId: string | null, days: number]>(
  'sign_ins.count_unlisted',
  `SELECT coalesce(sum(attempts - listed), 0)::integer AS unlisted FROM refused_sign_ins
   WHERE ($1::uuid IS NULL OR user_id = $1) AND attempts > listed
     AND day > ${dayOf("now() - $2::integer * interval '1 day'")}`,
);

/** The end that an attempt was written with. */
export const purgeEndedSignIns = deletingExpired('sign_ins', 'id', 'expires_at', ['expires_at < now()']);

export const purgeEndedCounts = deletingExpired('refused_sign_ins', 'id', 'expires_at', ['expires_at < now()']);

/** Attempts that were written to be kept for longer than they are now. */
export const purgeOlderSignIns = statement<unknown, [days: number]>(
  'sign_ins.delete_older',
  `DELETE FROM sign_ins WHERE id = ANY (ARRAY(
     SELECT id FROM sign_ins WHERE at <= now() - $1::integer * interval '1 day'
     ORDER BY at, id LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

/** The same of the counts of refused attempts: of the days that no list tells any more. */
export const purgeOlderCounts = statement<unknown, [days: number]>(
  'refused_sign_ins.delete_older',
  `DELETE FROM refused_sign_ins WHERE id = ANY (ARRAY(
     SELECT id FROM refused_sign_ins WHERE day <= ${dayOf("now() - $1::integer * interval '1 day'")}
     LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

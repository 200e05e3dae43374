/**
 * SQL of the history of attempts to sign in as a list, newest first. A network of more than one site has no index with
 * its rows in the order of the list, so that a bounded number of candidates is read (decision 0057): the next rows of
 * the list, or all rows of the network.
 */
import { invalidInput } from '../../kernel/errors.ts';
import { maxCounted, type Page, type PageRequest, pageOf, type Total } from '../../kernel/paging.ts';
import { type Queryable, type SqlValue, type Statement, statement } from '../../platform/database/database.ts';
import { type FilteredList, microsOf, newestFirst, readCursorOf } from '../../platform/database/filtered-list.ts';
import { dayOf, success } from '../sign-ins/sign-in-history.ts';

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

/** Filter of the history; null matches any. */
export interface SignInCriteria {
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

type ListedRow = SignInRow & { readonly atMicros: string };

const order = newestFirst<ListedRow>('s.at', 's.id', ({ atMicros }) => atMicros);

/** The expression of the index `sign_ins_by_site`. */
const siteOf = (ip: string): string => `network(set_masklen(${ip}, CASE family(${ip}) WHEN 4 THEN 24 ELSE 48 END))`;

/** The history, newest first. All filters but a wide network ({@link pageOfWideNetwork}) have an index in order. */
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
} satisfies FilteredList<ListedRow, SignInCriteria>;

/** How many refused attempts were counted and not listed; of one person, or of all with null. */
export const countUnlisted = statement<{ readonly unlisted: number }, [userId: string | null, days: number]>(
  'sign_ins.count_unlisted',
  `SELECT coalesce(sum(attempts - listed), 0)::integer AS unlisted FROM refused_sign_ins
   WHERE ($1::uuid IS NULL OR user_id = $1) AND attempts > listed
     AND day > ${dayOf("now() - $2::integer * interval '1 day'")}`,
);

// Pages of a wide network.

/** Candidates that may be left to read. One that is not in memory takes 6 µs. */
const mostRead = 50_000;

type Way = 'near' | 'far' | 'network';

/** Candidates that a statement reads at most. One that reads fewer has read all, so that the limits are one more. */
const mostOf: Readonly<Record<Way, number>> = { near: 3000, far: mostRead + 1, network: mostRead + 1 };

type Criteria = SignInCriteria & { readonly network: string };

/** A statement that answers one row without a match too, so that it says whether it has read everything. */
type Reading = { readonly isAll: boolean } & (ListedRow | { readonly id: null });

interface Conditions {
  /** The part of a statement's name. */
  readonly suffix: string;
  /** SQL over `s`, without the network, which is `$1`. */
  readonly others: string;
  readonly values: readonly SqlValue[];
  readonly next: number;
}

const conditionsOf = (criteria: Criteria): Conditions => {
  const asked = signInList.conditions.filter(([field]) => field !== 'network' && criteria[field] !== null);
  const others = asked.map(([, condition], index) => condition(`$${index + 2}`)).join(' AND ');
  return {
    suffix: asked.map(([field]) => `_${field}`).join(''),
    others,
    values: [criteria.network, ...asked.map(([field]) => criteria[field])],
    next: asked.length + 2,
  };
};

const newest = `s.at DESC, s.id DESC`;

/** The sites that a wider network has, in the order of the index of sites. */
const sitesOfNetwork = `${siteOf('s.ip')} BETWEEN ${siteOf('network($1::inet)::inet')} AND ${siteOf('broadcast($1::inet)')}`;

/** So many of the next rows of the list, with all conditions but the network. */
const nextRows = ({ others }: Conditions, after: string, most: number): string =>
  `candidates AS MATERIALIZED (
     SELECT s.id, s.at, s.ip FROM sign_ins s WHERE ${others}${after} ORDER BY ${newest} LIMIT ${most}),
   found AS (SELECT s.id, s.at FROM candidates s WHERE s.ip <<= $1::inet)`;

/** Every row of the network: what is of its sites is of it. */
const rowsOfNetwork = ({ others }: Conditions, after: string): string =>
  `candidates AS MATERIALIZED (
     SELECT s.id, s.at, s.user_id, s.method, s.outcome FROM sign_ins s WHERE ${sitesOfNetwork} LIMIT ${mostOf.network}),
   found AS (SELECT s.id, s.at FROM candidates s WHERE ${others}${after})`;

const candidatesBy = (way: Way, conditions: Conditions, after = ''): string =>
  way === 'network' ? rowsOfNetwork(conditions, after) : nextRows(conditions, after, mostOf[way]);

const isAll = (way: Way): string => `(SELECT count(*) FROM candidates) < ${mostOf[way]}`;

const listing = (way: Way, conditions: Conditions): Statement<Reading, readonly SqlValue[]> => {
  const [micros, id, limit] = [0, 1, 2].map((place) => `$${conditions.next + place}`);
  const after = ` AND ${signInList.order.after(micros ?? '', id ?? '')}`;
  const page = signInList.select(`FROM (SELECT s.id FROM found s ORDER BY ${newest} LIMIT ${limit}) AS f
     JOIN sign_ins s ON s.id = f.id LEFT JOIN users u ON u.id = s.user_id`);
  return statement(
    `sign_ins.list_${way}${conditions.suffix}`,
    `WITH ${candidatesBy(way, conditions, after)}
     SELECT ${isAll(way)} AS "isAll", s.* FROM (SELECT) AS one LEFT JOIN (${page}) AS s ON true ORDER BY ${newest}`,
  );
};

const counting = (
  way: Way,
  conditions: Conditions,
): Statement<{ readonly total: number; readonly isAll: boolean }, readonly SqlValue[]> =>
  statement(
    `sign_ins.count_${way}${conditions.suffix}`,
    `WITH ${candidatesBy(way, conditions)}
     SELECT (SELECT count(*) FROM found)::integer AS total, ${isAll(way)} AS "isAll"`,
  );

/** Newest first. @throws Refusal BAD_USER_INPUT: `first`, `after`, or `filter`: over 50,000 attempts to read */
export const pageOfWideNetwork = async (
  database: Queryable,
  request: PageRequest,
  criteria: Criteria,
): Promise<Page<ListedRow>> => {
  const { limit, cursor } = readCursorOf(signInList.order, request);
  const conditions = conditionsOf(criteria);
  const rows = await firstThatSuffices(['near', 'network', 'far'], async (way) => {
    const read = await database.many(listing(way, conditions), [...conditions.values, ...cursor, limit]);
    const found = read.filter((row): row is ListedRow & Reading => row.id !== null);
    // A page of the network's rows in any order is none of the newest.
    return read[0]?.isAll === true || (way !== 'network' && found.length >= limit) ? found : null;
  });
  if (rows === null) throw tooManyToRead();
  return pageOf(rows, request, () => totalOf(database, conditions), signInList.order.keysOf);
};

/** The number of all that match where that many can be read; or of those that either way found, as a capped one. */
const totalOf = async (database: Queryable, conditions: Conditions): Promise<number | Total> => {
  const totals: number[] = [];
  const complete = await firstThatSuffices(['network', 'far'], async (way) => {
    const { total, isAll } = await database.one(counting(way, conditions), conditions.values);
    totals.push(total);
    return isAll || total > maxCounted ? total : null;
  });
  return complete ?? { totalCount: Math.max(...totals), totalCountIsCapped: true };
};

const firstThatSuffices = async <Result>(
  ways: readonly Way[],
  read: (way: Way) => Promise<Result | null>,
): Promise<Result | null> => {
  for (const way of ways) {
    const result = await read(way);
    if (result !== null) return result;
  }
  return null;
};

const tooManyToRead = () =>
  invalidInput({
    filter: `This filter leaves more than ${mostRead.toLocaleString('en')} attempts to read. Give another field, a smaller network, or instants that are closer together.`,
  });

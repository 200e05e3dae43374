/**
 * A page of the history of sign-ins from a network of more than one site. No index has its rows in the order of the
 * list, so that a bounded number of candidates is read (decision 0057): the next rows of the list, or all rows of the
 * network.
 */
import { invalidInput } from '../../kernel/errors.ts';
import { maxCounted, type Page, type PageRequest, pageOf, type Total } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readCursorOf } from '../../platform/database/filtered-list.ts';
import { type SqlValue, type Statement, statement } from '../../platform/database/statement.ts';
import { type ListedRow, type SoughtSignIns, signInList, siteOf } from './sign-ins-store.ts';

/** Candidates that may be left to read. One that is not in memory takes 6 µs. */
const mostRead = 50_000;

type Way = 'near' | 'far' | 'network';

/** Candidates that a statement reads at most. One that reads fewer has read all, so that the limits are one more. */
const mostOf: Readonly<Record<Way, number>> = { near: 3000, far: mostRead + 1, network: mostRead + 1 };

type Sought = SoughtSignIns & { readonly network: string };

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

const conditionsOf = (sought: Sought): Conditions => {
  const asked = signInList.conditions.filter(([field]) => field !== 'network' && sought[field] !== null);
  const others = asked.map(([, condition], index) => condition(`$${index + 2}`)).join(' AND ');
  return {
    suffix: asked.map(([field]) => `_${field}`).join(''),
    others,
    values: [sought.network, ...asked.map(([field]) => sought[field])],
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

/**
 * A page, newest first.
 * @throws Refusal BAD_USER_INPUT: names `first` or `after`, or `filter`, which leaves more than 50,000 attempts to read
 */
export const pageOfWideNetwork = async (
  database: Queryable,
  request: PageRequest,
  sought: Sought,
): Promise<Page<ListedRow>> => {
  const { limit, cursor } = readCursorOf(signInList.order, request);
  const conditions = conditionsOf(sought);
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

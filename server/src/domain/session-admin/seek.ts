/** Finds the live credentials of a filter with any fields, by a way with few candidates (decision 0055). */
import { invalidInput, type Refusal } from '../../kernel/errors.ts';
import { maxCounted } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryOf } from '../../platform/database/searched-list.ts';
import { countCandidates, mostRead, paramsOf, rarestGramsOfPeople, seekCredentials, type Way } from './seek-store.ts';
import type { SessionCriteria } from './session-filter.ts';

/** The result for a filter. */
export interface Found {
  readonly way: Way;
  /** Ids of the credentials, and of the sessions that they belong to: all of them, or more than are counted. */
  readonly credentials: readonly string[];
  readonly sessions: readonly string[];
  /** False when candidates were left unread: there may be more than was found. */
  readonly isComplete: boolean;
}

/** A session has two live credentials at most: this many belong to more sessions than are counted. */
const mostFound = 2 * maxCounted + 1;

/** Seeks all that match, but no more than {@link mostFound} credentials. */
export const seek = async (database: Queryable, criteria: SessionCriteria): Promise<Found> => {
  const grams = await gramsOf(database, criteria);
  const count = countingOf(database, criteria, grams);
  const { way, candidates } = await choose(criteria, count);
  const params = [...paramsOf(criteria), mostFound, ...gramsFor(way, grams)] as const;
  const rows = await database.many(seekCredentials(way), params);
  return {
    way,
    credentials: rows.map(({ id }) => id),
    sessions: [...new Set(rows.map(({ sessionFamilyId }) => sessionFamilyId))],
    isComplete: rows.length >= mostFound || (candidates ?? (await count(way, mostRead))) <= mostRead,
  };
};

/** The ways that a filter gives, apart from reading the whole list. */
const waysOf = (criteria: SessionCriteria): readonly Way[] => {
  const { user, client, network, userAgent, method, email, organization } = criteria;
  const given: readonly (readonly [Way, unknown])[] = [
    ['user', user],
    ['client', client],
    ['network', network],
    ['email', email],
    ['organization', organization],
    ['userAgent', userAgent],
    ['method', userAgent === null ? method : null],
  ];
  return given.flatMap(([way, value]) => (value === null ? [] : [way]));
};

interface Choice {
  readonly way: Way;
  /** Null when they were not counted. */
  readonly candidates: number | null;
}

/** A way with few candidates, or else the one with the fewest. A single way is taken without a count. */
const choose = async (criteria: SessionCriteria, count: Counting): Promise<Choice> => {
  const [first = 'all', ...others] = waysOf(criteria);
  if (others.length === 0) return { way: first, candidates: null };
  for (const most of [fewCandidates, mostRead]) {
    for (const way of [first, ...others]) {
      const candidates = await count(way, most);
      if (candidates <= most) return { way, candidates };
    }
  }
  return { way: first, candidates: mostRead + 1 };
};

/** So few are read in the time of a page. */
const fewCandidates = 10_000;

/** Counts the candidates of a way, up to one more than `most`. */
type Counting = (way: Way, most: number) => Promise<number>;

const countingOf =
  (database: Queryable, criteria: SessionCriteria, grams: string | null): Counting =>
  async (way, most) => {
    const params = [...paramsOf(criteria), most + 1, ...gramsFor(way, grams)] as const;
    return (await database.one(countCandidates(way), params)).total;
  };

/** A path that reads every candidate, for more matches than are found. @throws Refusal BAD_USER_INPUT: `filter` */
export const wayToAll = async (database: Queryable, criteria: SessionCriteria, found: Found): Promise<Way> => {
  const way = found.way === 'email' ? 'all' : found.way;
  if ((await countingOf(database, criteria, null)(way, mostRead)) > mostRead) throw tooManyToRead();
  return way;
};

const gramsOf = async (database: Queryable, { email }: SessionCriteria): Promise<string | null> =>
  email === null ? null : queryOf(database, rarestGramsOfPeople, email.text);

const gramsFor = (way: Way, grams: string | null): readonly string[] =>
  way === 'email' && grams !== null ? [grams] : [];

/** The refusal of a filter that leaves too much to read. */
export const tooManyToRead = (): Refusal =>
  invalidInput({
    filter: `This filter leaves more than ${mostRead.toLocaleString('en')} credentials to read. Give another field: userId, organizationId, clientId, network, userAgent, or instants of issue that are closer together.`,
  });

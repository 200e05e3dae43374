/** Finds live credentials that match a filter, through the first indexed field that few enough have (decision 0055). */
import { invalidInput, type Refusal } from '../../kernel/errors.ts';
import { maxCounted } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryOf } from '../../platform/database/searched-list.ts';
import {
  type AccessPath,
  countCandidates,
  mostRead,
  paramsOf,
  rarestGramsOfPeople,
  seekCredentials,
} from './seek-store.ts';
import type { SessionCriteria } from './session-filter.ts';

/** The result for a filter. */
export interface Found {
  readonly path: AccessPath;
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
  const { path, candidates } = await choose(criteria, count);
  const params = [...paramsOf(criteria), mostFound, ...gramsFor(path, grams)] as const;
  const rows = await database.many(seekCredentials(path), params);
  return {
    path,
    credentials: rows.map(({ id }) => id),
    sessions: [...new Set(rows.map(({ sessionFamilyId }) => sessionFamilyId))],
    isComplete: rows.length >= mostFound || (candidates ?? (await count(path, mostRead))) <= mostRead,
  };
};

/** The paths that a filter gives, apart from reading the whole list. */
const pathsOf = (criteria: SessionCriteria): readonly AccessPath[] => {
  const { user, client, network, userAgent, method, email, organization } = criteria;
  const given: readonly (readonly [AccessPath, unknown])[] = [
    ['user', user],
    ['client', client],
    ['network', network],
    ['email', email],
    ['organization', organization],
    ['userAgent', userAgent],
    ['method', userAgent === null ? method : null],
  ];
  return given.flatMap(([path, value]) => (value === null ? [] : [path]));
};

interface Choice {
  readonly path: AccessPath;
  /** Null when they were not counted. */
  readonly candidates: number | null;
}

/** The first path with few candidates, or else the first with no more than a statement reads. */
const choose = async (criteria: SessionCriteria, count: Counting): Promise<Choice> => {
  const [first = 'all', ...others] = pathsOf(criteria);
  if (others.length === 0) return { path: first, candidates: null };
  for (const most of [fewCandidates, mostRead]) {
    for (const path of [first, ...others]) {
      const candidates = await count(path, most);
      if (candidates <= most) return { path, candidates };
    }
  }
  return { path: first, candidates: mostRead + 1 };
};

/** Candidates that are read within the time that a page may take. */
const fewCandidates = 10_000;

/** Counts the candidates of a path, up to one more than `most`. */
type Counting = (path: AccessPath, most: number) => Promise<number>;

const countingOf =
  (database: Queryable, criteria: SessionCriteria, grams: string | null): Counting =>
  async (path, most) => {
    const params = [...paramsOf(criteria), most + 1, ...gramsFor(path, grams)] as const;
    return (await database.one(countCandidates(path), params)).total;
  };

/** A path that reads every candidate, for more matches than are found. @throws Refusal BAD_USER_INPUT: `filter` */
export const pathToAll = async (database: Queryable, criteria: SessionCriteria, found: Found): Promise<AccessPath> => {
  const path = found.path === 'email' ? 'all' : found.path;
  if ((await countingOf(database, criteria, null)(path, mostRead)) > mostRead) throw tooManyToRead();
  return path;
};

const gramsOf = async (database: Queryable, { email }: SessionCriteria): Promise<string | null> =>
  email === null ? null : queryOf(database, rarestGramsOfPeople, email.text);

const gramsFor = (path: AccessPath, grams: string | null): readonly string[] =>
  path === 'email' && grams !== null ? [grams] : [];

/** The refusal of a filter that leaves too much to read. */
export const tooManyToRead = (): Refusal =>
  invalidInput({
    filter: `This filter leaves more than ${mostRead.toLocaleString('en')} credentials to read. Give another field: userId, organizationId, clientId, network, userAgent, or instants of issue that are closer together.`,
  });

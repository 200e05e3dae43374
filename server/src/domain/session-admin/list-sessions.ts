/**
 * Owns: all sessions, for super admins: search and end of them, suspension, the history of sign-ins; the operator's
 *   shell on an account.
 * Promises: An empty answer means that nothing matches; a dry run changes nothing; every revocation is effective when
 *   it is answered.
 *
 * Queries activeSessions and sessionFamilies: the active credentials, or sessions, of every user, in pages.
 */
import { invalidInput } from '../../kernel/errors.ts';
import { maxCounted, type Page, type PageRequest, pageOf, type Total } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { filteredPage, readCursorOf } from '../../platform/database/filtered-list.ts';
import { searchedPage } from '../../platform/database/searched-list.ts';
import type { ActorKind } from '../access/actor.ts';
import type { Deps } from '../access/deps.ts';
import type { SessionRow } from '../credentials/sessions-store.ts';
import {
  activeCredentials,
  activeCredentialsByAddress,
  activeCredentialsByIds,
  activeCredentialsOfUser,
  isServiceAccountId,
  newestCredentialFirst,
} from './active-credentials-store.ts';
import { type Found, pathToAll, seek, tooManyToRead } from './seek.ts';
import {
  nextOf,
  paramsOf,
  type ScanDepth,
  sortedCredentials,
  sortedSessions,
  startOf,
  type Unit,
} from './seek-store.ts';
import {
  cursorsOf,
  newestFamilies,
  type SessionFamilyRow,
  type SessionOrder,
  type SortDirection,
  sessionFamiliesBy,
  sortFamilies,
} from './session-families-store.ts';
import { readSessionFilter, requireTargets, type SessionCriteria, type SessionFilter } from './session-filter.ts';

/**
 * Lists active credentials, newest first; the guard has required sessions:view. An empty page means that none matches.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after`, a field that is malformed, out of range or the id of nothing,
 *   or `filter` where it leaves too much to read (contract/incidents.md#empty-answer)
 */
export const listActiveSessions = async (
  { database }: Deps<'database'>,
  request: PageRequest,
  filter: SessionFilter,
): Promise<Page<SessionRow>> => {
  const criteria = readSessionFilter(filter);
  const isSearched = isSparse(criteria) || (await isOfServiceAccount(database, criteria));
  const page = await (isSearched ? sparsePage : densePage)(database, request, criteria);
  if (page.nodes.length === 0) await requireTargets(database, criteria);
  return page;
};

/** Whether a filter has a field for which the list has no range. */
const isSparse = (criteria: SessionCriteria): boolean => {
  const { client, method, network, userAgent } = criteria;
  const { issuedAfter, issuedBefore, seenAfter, seenBefore } = criteria;
  const fields = [client, method, network, userAgent, issuedAfter, issuedBefore, seenAfter, seenBefore];
  return fields.some((value) => value !== null);
};

/** Whether a filter names a service account: its few credentials are searched, and those of a person are a list. */
const isOfServiceAccount = async (database: Queryable, { user }: SessionCriteria): Promise<boolean> =>
  user !== null && (await database.one(isServiceAccountId, [user])).isOne;

export const actorKinds = ['PERSON', 'PERSONAL_TOKEN', 'SERVICE_ACCOUNT'] as const satisfies readonly ActorKind[];

/** Who acts with a credential: the tokens of machines say so by the way in which they were issued. */
export const actorKindOf = ({ authMethod }: Pick<SessionRow, 'authMethod'>): ActorKind => {
  if (authMethod === 'service_token') return 'SERVICE_ACCOUNT';
  return authMethod === 'personal_token' ? 'PERSONAL_TOKEN' : 'PERSON';
};

/** The lists of decision 0039. */
const densePage = (
  database: Queryable,
  request: PageRequest,
  { user, email, organization, audience, kind }: SessionCriteria,
): Promise<Page<SessionRow>> => {
  const criteria = { organization, audience, kind };
  if (user !== null) {
    return filteredPage(database, activeCredentialsOfUser, request, {
      user,
      email: email?.pattern ?? null,
      ...criteria,
    });
  }
  if (email !== null) return searchedPage(database, activeCredentialsByAddress, request, email, criteria);
  return filteredPage(database, activeCredentials, request, criteria);
};

const sparsePage = async (
  database: Queryable,
  request: PageRequest,
  criteria: SessionCriteria,
): Promise<Page<SessionRow>> => {
  const { limit, cursor } = readCursorOf(newestCredentialFirst, request);
  const place = placeOf(cursor);
  const search = searchOf(database, 'credentials', criteria);
  const { rows, hasMore } = await unlessAllEnded(async () => {
    const { ids, hasMore } = await idsOfPage(search, { limit, place });
    return { rows: await database.many(activeCredentialsByIds, [ids, ...place, limit]), hasMore };
  });
  return continued(pageOf(rows, request, totalOf(search), newestCredentialFirst.keysOf), hasMore);
};

interface Sorting {
  readonly orderBy?: SessionOrder | null | undefined;
  readonly direction?: SortDirection | null | undefined;
}

/**
 * Sessions of which an active credential matches, with what is active of each; by default those with the newest pair
 * first, and in any other order at most 10,000.
 * @throws Refusal BAD_USER_INPUT: as {@link listActiveSessions}; names `orderBy` for more sessions
 */
export const listSessionFamilies = async (
  { database }: Deps<'database'>,
  request: PageRequest,
  filter: SessionFilter,
  { orderBy, direction }: Sorting = {},
): Promise<Page<SessionFamilyRow>> => {
  const criteria = readSessionFilter(filter);
  const [order, sortDirection] = [orderBy ?? 'NEWEST', direction ?? 'DESC'];
  const cursors = cursorsOf(order);
  const { limit, cursor } = readCursorOf(cursors, request);
  const place = placeOf(cursor);
  const search = searchOf(database, 'sessions', criteria);
  const isInListOrder = order === 'NEWEST' && sortDirection === 'DESC';
  const { rows, hasMore } = await unlessAllEnded(async () => {
    const sorted = async () =>
      database.many(sortFamilies(order, sortDirection), [sortable(await search.found()), ...place, limit]);
    const { ids, hasMore } = isInListOrder
      ? await idsOfPage(search, { limit, place })
      : idsOf(await sorted(), { limit });
    return { rows: await database.many(sessionFamiliesBy(order, sortDirection), [ids]), hasMore };
  });
  if (rows.length === 0) await requireTargets(database, criteria);
  return continued(pageOf(rows, request, totalOf(search), cursors.keysOf), hasMore);
};

/** So often a page may end as a whole between the statement that chooses its rows and the one that describes them. */
const mostReadings = 10;

/** Reads a page again whose rows have all ended since they were chosen: it would have no cursor. */
const unlessAllEnded = async <Read extends { readonly rows: readonly unknown[]; readonly hasMore: boolean }>(
  readPage: () => Promise<Read>,
): Promise<Read> => {
  let page = await readPage();
  for (let reading = 1; page.rows.length === 0 && page.hasMore && reading < mostReadings; reading += 1) {
    page = await readPage();
  }
  return page;
};

const placeOf = ([key = null, id = null]: readonly (string | null)[]): [string | null, string | null] => [key, id];

const sortable = ({ sessions, isComplete }: Found): readonly string[] => {
  if (sessions.length > maxCounted) {
    throw invalidInput({ orderBy: 'More than 10,000 sessions match. Give another field of the filter to sort them.' });
  }
  if (!isComplete) throw tooManyToRead();
  return sessions;
};

interface Search {
  readonly database: Queryable;
  readonly unit: Unit;
  readonly criteria: SessionCriteria;
  /** What a page and its total share; searched when one of them needs it. */
  readonly found: () => Promise<Found>;
}

const searchOf = (database: Queryable, unit: Unit, criteria: SessionCriteria): Search => {
  let found: Promise<Found> | null = null;
  return {
    database,
    unit,
    criteria,
    found: () => {
      found ??= seek(database, criteria);
      return found;
    },
  };
};

/** A page of which a row may have ended since its ids were read: more follow all the same. */
const continued = <Row>(page: Page<Row>, hasMore: boolean): Page<Row> =>
  hasMore ? { ...page, pageInfo: { ...page.pageInfo, hasNextPage: true } } : page;

const totalOf = (search: Search) => async (): Promise<number | Total> => {
  const found = await search.found();
  const { length } = found[search.unit];
  // Rows that were left unread may match too.
  return found.isComplete ? length : { totalCount: Math.min(length, maxCounted), totalCountIsCapped: true };
};

interface Slice {
  readonly limit: number;
  readonly place: [string | null, string | null];
}

interface Ids {
  readonly ids: readonly string[];
  /** Known only where the ids are those of one page. */
  readonly hasMore: boolean;
}

/** The ids among which a page is, newest first: the next matching rows of the list, or else all that match. */
const idsOfPage = async (search: Search, slice: Slice): Promise<Ids> => {
  const near = await nextIds(search, slice, 'near');
  if (near.hasMore) return near;
  const { database, unit, criteria } = search;
  const found = await search.found();
  const all = found[unit];
  if (found.isComplete && all.length <= maxCounted) return idsAmong(search, all, slice);
  const far = await nextIds(search, slice, 'far');
  if (far.hasMore) return far;
  if (all.length <= maxCounted) throw tooManyToRead();
  const path = await pathToAll(database, criteria, found);
  const page = unit === 'credentials' ? sortedCredentials(path) : sortedSessions(path);
  return idsOf(await database.many(page, [...paramsOf(criteria), ...slice.place, slice.limit]), slice);
};

const nextIds = async ({ database, unit, criteria }: Search, slice: Slice, depth: ScanDepth): Promise<Ids> => {
  const [key, id] = slice.place[0] === null && unit === 'credentials' ? startOf(criteria) : slice.place;
  const rows = await database.many(nextOf(unit, criteria, depth), [...paramsOf(criteria), key, id, slice.limit]);
  return idsOf(rows, slice);
};

/** Sessions cost more to describe than to sort; credentials are described as they are sorted. */
const idsAmong = async ({ database, unit }: Search, ids: readonly string[], slice: Slice): Promise<Ids> => {
  if (unit === 'credentials') return { ids, hasMore: false };
  return idsOf(await database.many(newestFamilies, [ids, ...slice.place, slice.limit]), slice);
};

const idsOf = (rows: readonly { readonly id: string }[], { limit }: Pick<Slice, 'limit'>): Ids => ({
  ids: rows.map(({ id }) => id),
  hasMore: rows.length >= limit,
});

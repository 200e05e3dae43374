/** Sessions as data: filter and sorting in the URL, the paged query, and the words for audiences and methods. */
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import {
  FetchSessionFamiliesDocument,
  type FetchSessionFamiliesQuery,
  type SessionFilter,
  type SessionOrder,
  type SortDirection,
} from '../../../generated/graphql.ts';
import { pagedQuery } from '../../../session/paged-query.ts';
import { hasCode } from '../../../session/refusal.ts';
import type { Session } from '../../../session/session.ts';

export type SessionRow = FetchSessionFamiliesQuery['sessionFamilies']['nodes'][number];

/** The fields of the filter in the order of the page, and the names that the API has for them. */
const fields = {
  email: 'email',
  user: 'userId',
  organization: 'organizationId',
  audience: 'audience',
  method: 'authMethod',
  client: 'clientId',
  network: 'network',
  agent: 'userAgent',
  issuedAfter: 'issuedAfter',
  issuedBefore: 'issuedBefore',
  seenAfter: 'seenAfter',
  seenBefore: 'seenBefore',
} as const satisfies Readonly<Record<string, keyof SessionFilter>>;

type FilterName = keyof typeof fields;

const isFilterName = (name: string): name is FilterName => Object.hasOwn(fields, name);

const filterNames: readonly FilterName[] = Object.keys(fields).filter(isFilterName);

/** Raw values of the URL. A malformed one is kept, so that it never widens the list to all sessions. */
export type SessionView = Readonly<Partial<Record<FilterName | 'sort' | 'direction', string>>>;

const knownNames: readonly string[] = [...filterNames, 'sort', 'direction'];

/** The parameters of the URL that the page knows, without empty ones. */
export const readSessionView = (search: Readonly<Record<string, unknown>>): SessionView =>
  Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] =>
        knownNames.includes(entry[0]) && typeof entry[1] === 'string' && entry[1].trim() !== '',
    ),
  );

export const isFiltered = (view: SessionView): boolean => filterNames.some((name) => view[name] !== undefined);

/** Columns that the service sorts by; a list of any length is sorted by the newest pair alone. */
const sortOrders = {
  person: 'USER',
  organization: 'ORGANIZATION',
  issued: 'FIRST_ISSUED',
  seen: 'LAST_SEEN',
  expires: 'EXPIRES',
} as const satisfies Readonly<Record<string, SessionOrder>>;

export type SortColumn = keyof typeof sortOrders;

const isSortColumn = (name: string | undefined): name is SortColumn =>
  name !== undefined && Object.hasOwn(sortOrders, name);

export const sortColumns: readonly SortColumn[] = Object.keys(sortOrders).filter(isSortColumn);

interface Sorting {
  /** Undefined for the newest first. */
  readonly column: SortColumn | undefined;
  readonly direction: SortDirection;
}

export const sortingOf = ({ sort, direction }: SessionView): Sorting => ({
  column: isSortColumn(sort) ? sort : undefined,
  direction: isSortColumn(sort) && direction === 'asc' ? 'ASC' : 'DESC',
});

/** The parameters after a press on the heading of a column: descending, ascending, and the newest first again. */
export const nextSorting = (view: SessionView, column: SortColumn): Pick<SessionView, 'sort' | 'direction'> => {
  const now = sortingOf(view);
  if (now.column !== column) return { sort: column };
  return now.direction === 'DESC' ? { sort: column, direction: 'asc' } : {};
};

const instants: readonly FilterName[] = ['issuedAfter', 'issuedBefore', 'seenAfter', 'seenBefore'];

/** Whether a value of the URL is an instant. */
export const isInstant = (value: string | undefined): boolean =>
  value !== undefined && !Number.isNaN(Date.parse(value));

/** The filter for the API; null where an instant of the URL is none. */
export const toSessionFilter = (view: SessionView): SessionFilter | null => {
  const given = filterNames.flatMap((name) => {
    const value = view[name]?.trim();
    return value === undefined ? [] : [{ name, value }];
  });
  if (given.some(({ name, value }) => instants.includes(name) && !isInstant(value))) return null;
  return Object.fromEntries(
    given.map(({ name, value }) => [fields[name], instants.includes(name) ? new Date(value).toISOString() : value]),
  );
};

export interface WrongFilter {
  readonly name: FilterName | 'filter';
  /** The server's words; undefined for an instant, which is not sent. */
  readonly reason: string | undefined;
}

/** The filters of the URL that are not instants, or that the service refused; empty for any other error. */
export const wrongFilters = (view: SessionView, error: unknown): readonly WrongFilter[] => {
  const notInstants = instants
    .filter((name) => view[name] !== undefined && !isInstant(view[name]))
    .map((name): WrongFilter => ({ name, reason: undefined }));
  if (notInstants.length > 0 || !hasCode(error, 'BAD_USER_INPUT')) return notInstants;
  const reasons: Readonly<Record<string, string>> = error.fields;
  const refused = filterNames.flatMap((name): WrongFilter[] => {
    const reason = reasons[fields[name]];
    return reason === undefined ? [] : [{ name, reason }];
  });
  const whole = reasons['filter'] ?? reasons['orderBy'];
  return whole === undefined ? refused : [...refused, { name: 'filter', reason: whole }];
};

/** All queries of sessions, with any filter. */
export const allSessions = { queryKey: ['console', 'sessions'] } as const;

const first = 100;

export const sessionsQuery = (session: Session, view: SessionView) => {
  const filter = toSessionFilter(view);
  const { column, direction } = sortingOf(view);
  const orderBy: SessionOrder = column === undefined ? 'NEWEST' : sortOrders[column];
  return {
    ...pagedQuery(session, [...allSessions.queryKey, filter, orderBy, direction], async (after) => {
      const variables = { first, after, filter: filter ?? {}, orderBy, direction };
      return (await session.request(FetchSessionFamiliesDocument, variables)).sessionFamilies;
    }),
    enabled: filter !== null,
  };
};

export const audiences = ['portal', 'api', 'mcp'] as const;

/** An unknown audience is shown as it is. */
export const useAudienceName = (): ((audience: string) => string) => {
  const t = useTranslations('sessions.audiences');
  return useCallback(
    (audience) => {
      const known = audiences.find((name) => name === audience);
      return known === undefined ? audience : t(known);
    },
    [t],
  );
};

export const methods = ['password', 'google', 'passkey', 'invitation', 'mcp_oauth'] as const;

export const useMethodName = (): ((method: string) => string) => {
  const t = useTranslations('sessions.methods');
  return useCallback(
    (method) => {
      const known = methods.find((name) => name === method);
      return known === undefined ? method : t(known);
    },
    [t],
  );
};

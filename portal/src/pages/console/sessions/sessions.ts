/** Sessions as data: filter and sorting in the URL, the paged query, and the words for audiences and methods. */
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import {
  type CredentialKind,
  FetchSessionFamiliesDocument,
  type FetchSessionFamiliesQuery,
  type SessionFilter,
  type SessionOrder,
  type SortDirection,
} from '../../../generated/graphql.ts';
import { type Address, useListView } from '../../../lists/list-view.ts';
import { pagedQuery } from '../../../lists/paged-list.ts';
import { hasCode } from '../../../session/refusal.ts';
import type { Session } from '../../../session/session.ts';

export type SessionRow = FetchSessionFamiliesQuery['sessionFamilies']['nodes'][number];

/** The fields of the filter in the order of the page, and the names that the API has for them. */
const fields = {
  email: 'email',
  user: 'userId',
  organization: 'organizationId',
  kind: 'kind',
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
export type SessionView = Readonly<Partial<Record<FilterName | 'sort' | 'direction', string | undefined>>>;

const knownNames: readonly string[] = [...filterNames, 'sort', 'direction'];

/**
 * The parameters of the URL that the page knows, without empty ones.
 * @internal A test covers the cases that no request reaches.
 */
export const readSessionView = (address: Address): SessionView =>
  Object.fromEntries(
    Object.entries(address).filter(
      (entry): entry is [string, string] =>
        knownNames.includes(entry[0]) && typeof entry[1] === 'string' && entry[1].trim() !== '',
    ),
  );

/** The view in the URL. To clear it clears the sorting too, which not every list can have. */
export const useSessionView = () => useListView(readSessionView);

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

/** The kinds that the list is filtered by: the credential that represents a session, and that of a machine. */
export const kinds = ['user_refresh', 'machine'] as const satisfies readonly CredentialKind[];

const instants: readonly FilterName[] = ['issuedAfter', 'issuedBefore', 'seenAfter', 'seenBefore'];

/** Whether a value of the URL is a kind of credential: the API takes no other text for one. */
const isKind = (value: string | undefined): value is CredentialKind =>
  value === 'user_session' || kinds.some((known) => known === value);

/** Whether a value of the URL is an instant. */
export const isInstant = (value: string | undefined): boolean =>
  value !== undefined && !Number.isNaN(Date.parse(value));

/** The filter for the API; null where an instant or the kind of the URL is none. */
export const toSessionFilter = (view: SessionView): SessionFilter | null => {
  const given = filterNames.flatMap((name) => {
    const value = view[name]?.trim();
    return value === undefined ? [] : [{ name, value }];
  });
  if (given.some(({ name, value }) => isMalformed(name, value))) return null;
  return Object.fromEntries(
    given.map(({ name, value }) => [fields[name], instants.includes(name) ? new Date(value).toISOString() : value]),
  );
};

const isMalformed = (name: FilterName, value: string | undefined): boolean =>
  (instants.includes(name) && !isInstant(value)) || (name === 'kind' && !isKind(value?.trim()));

export interface WrongFilter {
  readonly name: FilterName | 'filter';
  /** The server's words; undefined for an instant or a kind, which is not sent. */
  readonly reason: string | undefined;
}

/** The filters of the URL that are malformed, or that the service refused; empty for any other error. */
export const wrongFilters = (view: SessionView, error: unknown): readonly WrongFilter[] => {
  const malformed = filterNames
    .filter((name) => view[name] !== undefined && isMalformed(name, view[name]))
    .map((name): WrongFilter => ({ name, reason: undefined }));
  if (malformed.length > 0 || !hasCode(error, 'BAD_USER_INPUT')) return malformed;
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

/** Asked only where {@link toSessionFilter} has a filter. */
export const sessionsQuery = (session: Session, view: SessionView) => {
  const filter = toSessionFilter(view);
  const { column, direction } = sortingOf(view);
  const orderBy: SessionOrder = column === undefined ? 'NEWEST' : sortOrders[column];
  return pagedQuery(session, [...allSessions.queryKey, filter, orderBy, direction], async (after) => {
    const variables = { first, after, filter: filter ?? {}, orderBy, direction };
    return (await session.request(FetchSessionFamiliesDocument, variables)).sessionFamilies;
  });
};

export const audiences = ['portal', 'api', 'mcp', 'mcp_organization'] as const;

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

export const methods = [
  'password',
  'google',
  'passkey',
  'invitation',
  'mcp_oauth',
  'personal_token',
  'service_token',
] as const;

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

/** Whose a session is: a person's address, or that it is a service account's, whose name the device shows. */
export const useOwnerName = (): ((row: Pick<SessionRow, 'actorKind' | 'userEmail'>) => string) => {
  const t = useTranslations('sessions');
  return useCallback((row) => (isServiceAccount(row) ? t('serviceAccount') : row.userEmail), [t]);
};

export const isServiceAccount = ({ actorKind }: Pick<SessionRow, 'actorKind'>): boolean =>
  actorKind === 'SERVICE_ACCOUNT';

/** A row of a machine has the name of its token in place of a device. */
export const isMachine = ({ actorKind }: Pick<SessionRow, 'actorKind'>): boolean => actorKind !== 'PERSON';

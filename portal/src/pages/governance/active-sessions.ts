/** Active sessions as data: the filter in the URL, the paged query, one row per session family, and display names. */
import { useTranslations } from 'use-intl';
import { formatDate } from '../../components/dates.tsx';
import {
  FetchActiveSessionsDocument,
  type FetchActiveSessionsQuery,
  type SessionFilter,
} from '../../generated/graphql.ts';
import { pagedQuery, uniqueBy } from '../../session/paged-query.ts';
import { hasCode } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { useDeviceLabel } from '../account/devices/device-label.ts';

export type SessionsPage = FetchActiveSessionsQuery;
type Credential = SessionsPage['activeSessions']['nodes'][number];
type RevokePermission = SessionsPage['explainScope'];

/** A session has an access and a refresh credential; the access credential expires first. */
export interface ActiveSession extends Omit<Credential, 'kind'> {
  /** Number of its credentials in the pages fetched so far. */
  readonly credentials: number;
}

const credentialsPerPage = 50;

/** All queries of active sessions, with any filter. */
export const allActiveSessions = { queryKey: ['active-sessions'] } as const;

export const activeSessionsQuery = (session: Session, filter: GovernanceFilter) => ({
  ...pagedQuery(session, [...allActiveSessions.queryKey, filter], async (after) => {
    const variables = { first: credentialsPerPage, after, filter: toSessionFilter(filter) };
    const page = await session.request(FetchActiveSessionsDocument, variables);
    return { ...page, pageInfo: page.activeSessions.pageInfo };
  }),
  enabled: invalidFilters(filter).length === 0,
});

interface MergedSessions {
  readonly sessions: readonly ActiveSession[];
  /** Whether the service has more pages. */
  readonly hasMore: boolean;
  readonly permission: RevokePermission;
  /** The person's own session family. */
  readonly ownFamily: string | undefined;
}

/**
 * The pages merged into one row per session family. Pages are fetched one after the other, so a credential may be in
 * two of them, and a session's credentials in different ones. The newest page wins.
 */
export const mergePages = (pages: readonly SessionsPage[]): MergedSessions | undefined => {
  const newestPage = pages.at(-1);
  if (newestPage === undefined) return undefined;
  const credentials = pages.flatMap(({ activeSessions }) => activeSessions.nodes);
  const hasMore = newestPage.activeSessions.pageInfo.hasNextPage;
  return {
    sessions: sessionsOf(
      uniqueBy(credentials, ({ id }) => id),
      hasMore,
    ),
    hasMore,
    permission: newestPage.explainScope,
    ownFamily: newestPage.mySessions.find(({ isCurrent }) => isCurrent)?.sessionFamilyId,
  };
};

/** Sorted by the first credential of each session, in the service's order. */
const sessionsOf = (credentials: readonly Credential[], hasMore: boolean): readonly ActiveSession[] => {
  const families = new Map<string, ActiveSession>();
  for (const { kind: _, ...credential } of credentials) {
    const family = families.get(credential.sessionFamilyId);
    families.set(credential.sessionFamilyId, mergeCredentials(family, credential));
  }
  const sessions = [...families.values()];
  // The other credential of the last session may be on the next page; with one alone its expiry would be wrong.
  const isCut = hasMore && sessions.length > 1 && sessions.at(-1)?.credentials === 1;
  return isCut ? sessions.slice(0, -1) : sessions;
};

/** The access credential has the last use, the refresh credential the expiry of the session. */
const mergeCredentials = (family: ActiveSession | undefined, credential: Omit<Credential, 'kind'>): ActiveSession => {
  if (family === undefined) return { ...credential, credentials: 1 };
  const seen = latest(family.lastSeenAt, credential.lastSeenAt) === family.lastSeenAt ? family : credential;
  return {
    ...family,
    lastSeenAt: seen.lastSeenAt,
    lastSeenIp: seen.lastSeenIp,
    expiresAt: latest(family.expiresAt, credential.expiresAt) ?? family.expiresAt,
    isCurrent: family.isCurrent || credential.isCurrent,
    credentials: family.credentials + 1,
  };
};

/** The later of two ISO 8601 instants. */
const latest = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) >= Date.parse(other) ? one : other;
};

/** Audiences of credentials. */
export const knownAudiences = ['portal', 'api', 'mcp'] as const;

/** Raw values of the URL. An invalid value is kept, so that it never widens the list to all sessions. */
export interface GovernanceFilter {
  /** Part of the person's e-mail address. */
  readonly email?: string | undefined;
  readonly audience?: string | undefined;
  /** Id of one person. */
  readonly user?: string | undefined;
  /** Id of one organization. */
  readonly organization?: string | undefined;
}

/** Normalizes the values of the URL; ids are accepted in any case. */
export const readGovernanceFilter = ({
  email,
  audience,
  user,
  organization,
}: GovernanceFilter): Readonly<Record<keyof GovernanceFilter, string | undefined>> => ({
  email: email?.trim() === '' ? undefined : email?.slice(0, maxEmailLength),
  audience,
  user: user?.toLowerCase(),
  organization: organization?.toLowerCase(),
});

/** Maximum length that the server accepts. */
const maxEmailLength = 254;

export const isFiltered = (filter: GovernanceFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

export interface InvalidFilter {
  readonly name: keyof GovernanceFilter;
  /** The server's message; undefined for a value that the page itself rejects. */
  readonly reason: string | undefined;
}

const isInvalid: Readonly<Record<keyof GovernanceFilter, (value: string) => boolean>> = {
  email: () => false,
  audience: (value) => knownAudiences.every((audience) => audience !== value),
  user: (value) => !idPattern.test(value),
  organization: (value) => !idPattern.test(value),
};

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const names = ['email', 'audience', 'user', 'organization'] as const;

/** Filters with a malformed value, which are not sent. */
export const invalidFilters = (filter: GovernanceFilter): readonly InvalidFilter[] =>
  names
    .filter((name) => filter[name] !== undefined && isInvalid[name](filter[name]))
    .map((name) => ({ name, reason: undefined }));

const fields = { email: 'email', audience: 'audience', user: 'userId', organization: 'organizationId' } as const;

/** Filters that the server refused; empty for any other error. */
export const rejectedFilters = (error: unknown): readonly InvalidFilter[] =>
  hasCode(error, 'BAD_USER_INPUT')
    ? names.flatMap((name) => {
        const reason = error.fields[fields[name]];
        return reason === undefined ? [] : [{ name, reason }];
      })
    : [];

/** Converts it to the filter input of the API. */
export const toSessionFilter = ({ email, audience, user, organization }: GovernanceFilter): SessionFilter => ({
  email: email ?? null,
  // A row needs both credentials of its session.
  kind: null,
  audience: audience ?? null,
  userId: user ?? null,
  organizationId: organization ?? null,
});

interface SessionNames {
  readonly email: string;
  readonly device: string;
  readonly date: string;
}

/** Values for the messages that name a session. */
export const useSessionNames = (): ((session: ActiveSession) => Readonly<Record<keyof SessionNames, string>>) => {
  const labelOf = useDeviceLabel();
  return (session) => ({
    email: session.userEmail,
    device: labelOf(session),
    date: formatDate(session.issuedAt, { dateStyle: 'medium', timeStyle: 'short' }),
  });
};

/** An unknown audience is shown as it is. */
export const useAudienceName = (): ((audience: string) => string) => {
  const t = useTranslations('governance.audiences');
  return (audience) => {
    const known = knownAudiences.find((name) => name === audience);
    return known === undefined ? audience : t(known);
  };
};

const knownMethods = ['password', 'invitation', 'google', 'mcp_oauth'] as const;

export const useMethodName = (): ((method: string) => string) => {
  const t = useTranslations('governance.methods');
  return (method) => {
    const known = knownMethods.find((name) => name === method);
    return known === undefined ? t('other', { method }) : t(known);
  };
};

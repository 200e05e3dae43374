/** Active sessions as data: the filter in the URL, the paged query, one row per session family, and display names. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { formatDate } from '../../components/dates.tsx';
import {
  FetchActiveSessionsDocument,
  type FetchActiveSessionsQuery,
  type SessionFilter,
} from '../../generated/graphql.ts';
import { hasCode, refreshOnForbidden } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { useDeviceLabel } from '../account/device-label.ts';

export type GovernancePart = FetchActiveSessionsQuery;
type Credential = GovernancePart['activeSessions']['nodes'][number];
export type RightToRevoke = GovernancePart['explainScope'];

/** A session has one for access and one that renews it; the first runs out long before the second. */
export interface ActiveSession extends Omit<Credential, 'kind'> {
  /** How many of its credentials are in the parts fetched so far. */
  readonly credentials: number;
}

const credentialsPerPart = 50;

const fromTheStart = '';

/** Every list of active sessions, whatever it is narrowed to. */
export const allActiveSessions = { queryKey: ['active-sessions'] } as const;

export const activeSessionsQuery = (session: Session, filter: GovernanceFilter) =>
  infiniteQueryOptions({
    queryKey: [...allActiveSessions.queryKey, filter],
    queryFn: async ({ pageParam }) => {
      try {
        return await session.request(FetchActiveSessionsDocument, {
          first: credentialsPerPart,
          after: pageParam === fromTheStart ? null : pageParam,
          filter: toSessionFilter(filter),
        });
      } catch (error) {
        await refreshOnForbidden(session, error);
        throw error;
      }
    },
    enabled: unreadableFilters(filter).length === 0,
    initialPageParam: fromTheStart,
    getNextPageParam: ({ activeSessions: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

export interface Governed {
  readonly sessions: readonly ActiveSession[];
  /** The service has more of them. */
  readonly hasMore: boolean;
  readonly right: RightToRevoke;
  /** The session family that the person is using now. */
  readonly ownFamily: string | undefined;
}

/**
 * What the parts fetched so far say together, one row a session family; the newest part knows best. Parts are fetched
 * one after the other, so a credential may stand in two of them, and the credentials of a session in different ones.
 */
export const gather = (parts: readonly GovernancePart[]): Governed | undefined => {
  const newest = parts.at(-1);
  if (newest === undefined) return undefined;
  const credentials = parts.flatMap(({ activeSessions }) => activeSessions.nodes);
  const hasMore = newest.activeSessions.pageInfo.hasNextPage;
  return {
    sessions: sessionsOf([...new Map(credentials.map((credential) => [credential.id, credential])).values()], hasMore),
    hasMore,
    right: newest.explainScope,
    ownFamily: newest.mySessions.find(({ isCurrent }) => isCurrent)?.sessionFamilyId,
  };
};

/** In the order of the first credential of each, which is the service's order. */
const sessionsOf = (credentials: readonly Credential[], hasMore: boolean): readonly ActiveSession[] => {
  const families = new Map<string, ActiveSession>();
  for (const { kind: _, ...credential } of credentials) {
    const family = families.get(credential.sessionFamilyId);
    families.set(credential.sessionFamilyId, joined(family, credential));
  }
  const sessions = [...families.values()];
  // Of the last one the rest may begin the next part: half of a session would say a wrong end of it.
  const isCut = hasMore && sessions.length > 1 && sessions.at(-1)?.credentials === 1;
  return isCut ? sessions.slice(0, -1) : sessions;
};

/** Sessions are used by the one credential and renewed by the other: each says what the other cannot. */
const joined = (family: ActiveSession | undefined, credential: Omit<Credential, 'kind'>): ActiveSession => {
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

/** Of two instants as the service writes them. */
const latest = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) >= Date.parse(other) ? one : other;
};

/** The audiences that credentials are issued for. */
export const knownAudiences = ['portal', 'api', 'mcp'] as const;

/** Every value as the address has it: one that cannot be meant stays, so that it never becomes the list of everybody. */
export interface GovernanceFilter {
  /** Part of the person's address. */
  readonly email?: string | undefined;
  readonly audience?: string | undefined;
  /** Id of the only person. */
  readonly user?: string | undefined;
  /** Id of the only organization. */
  readonly organization?: string | undefined;
}

/** What an address says; ids are in any case there. */
export const readGovernanceFilter = ({
  email,
  audience,
  user,
  organization,
}: GovernanceFilter): Readonly<Record<keyof GovernanceFilter, string | undefined>> => ({
  email: email?.trim() === '' ? undefined : email?.slice(0, longestEmail),
  audience,
  user: user?.toLowerCase(),
  organization: organization?.toLowerCase(),
});

/** The server looks for nothing longer. */
const longestEmail = 254;

export const isFiltered = (filter: GovernanceFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

export interface WrongFilter {
  readonly name: keyof GovernanceFilter;
  /** In the words of the server; undefined of a value that the page itself cannot read. */
  readonly reason: string | undefined;
}

const isUnreadable: Readonly<Record<keyof GovernanceFilter, (value: string) => boolean>> = {
  email: () => false,
  audience: (value) => knownAudiences.every((audience) => audience !== value),
  user: (value) => !idPattern.test(value),
  organization: (value) => !idPattern.test(value),
};

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const names = ['email', 'audience', 'user', 'organization'] as const;

/** What no list can be asked for. */
export const unreadableFilters = (filter: GovernanceFilter): readonly WrongFilter[] =>
  names
    .filter((name) => filter[name] !== undefined && isUnreadable[name](filter[name]))
    .map((name) => ({ name, reason: undefined }));

const fields = { email: 'email', audience: 'audience', user: 'userId', organization: 'organizationId' } as const;

/** What the server refused of a filter; none when it refused something else. */
export const refusedFilters = (error: unknown): readonly WrongFilter[] =>
  hasCode(error, 'BAD_USER_INPUT')
    ? names.flatMap((name) => {
        const reason = error.fields[fields[name]];
        return reason === undefined ? [] : [{ name, reason }];
      })
    : [];

/** The same in the words of the server. */
export const toSessionFilter = ({ email, audience, user, organization }: GovernanceFilter): SessionFilter => ({
  email: email ?? null,
  // Both credentials of a session are needed for its row.
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

/** What the questions and buttons about a session name. */
export const useSessionNames = (): ((session: ActiveSession) => Readonly<Record<keyof SessionNames, string>>) => {
  const labelOf = useDeviceLabel();
  return (session) => ({
    email: session.userEmail,
    device: labelOf(session),
    date: formatDate(session.issuedAt, { dateStyle: 'medium', timeStyle: 'short' }),
  });
};

/** An audience that is not known stands for itself. */
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

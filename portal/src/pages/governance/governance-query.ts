/** The list of active sessions: its credentials fetched part by part, one row made of those of a session family. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { FetchActiveSessionsDocument, type FetchActiveSessionsQuery } from '../../generated/graphql.ts';
import { heedRefusal } from '../../session/heed-refusal.ts';
import type { Session } from '../../session/session.ts';
import { type GovernanceFilter, toSessionFilter, unreadableFilters } from './governance-filter.ts';

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
        await heedRefusal(session, error);
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

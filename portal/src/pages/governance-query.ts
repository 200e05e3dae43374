/** The list of active credentials: how it is fetched page by page, and kept while a filter changes. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { FetchActiveSessionsDocument, type FetchActiveSessionsQuery } from '../generated/graphql.ts';
import { heedRefusal } from '../session/heed-refusal.ts';
import type { Session } from '../session/session.ts';
import { type GovernanceFilter, toSessionFilter } from './governance-filter.ts';

export type GovernancePart = FetchActiveSessionsQuery;
export type ActiveSession = GovernancePart['activeSessions']['nodes'][number];
export type RightToRevoke = GovernancePart['explainScope'];

const credentialsPerPage = 25;

const fromTheStart = '';

/** Every list of active credentials, whatever it is narrowed to. */
export const allActiveSessions = { queryKey: ['active-sessions'] } as const;

export const activeSessionsQuery = (session: Session, filter: GovernanceFilter) =>
  infiniteQueryOptions({
    queryKey: [...allActiveSessions.queryKey, filter],
    queryFn: async ({ pageParam }) => {
      try {
        return await session.request(FetchActiveSessionsDocument, {
          first: credentialsPerPage,
          after: pageParam === fromTheStart ? null : pageParam,
          filter: toSessionFilter(filter),
        });
      } catch (error) {
        await heedRefusal(session, error);
        throw error;
      }
    },
    initialPageParam: fromTheStart,
    getNextPageParam: ({ activeSessions: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

export interface Governed {
  readonly credentials: readonly ActiveSession[];
  readonly total: number;
  readonly right: RightToRevoke;
  /** The session family that the person is using now. */
  readonly ownFamily: string | undefined;
}

/**
 * What the parts fetched so far say together; the newest one knows best. Parts are fetched one after the other, so a
 * credential may stand in two of them.
 */
export const gather = (parts: readonly GovernancePart[]): Governed | undefined => {
  const newest = parts.at(-1);
  if (newest === undefined) return undefined;
  const credentials = parts.flatMap(({ activeSessions }) => activeSessions.nodes);
  return {
    credentials: [...new Map(credentials.map((credential) => [credential.id, credential])).values()],
    total: newest.activeSessions.totalCount,
    right: newest.explainScope,
    ownFamily: newest.mySessions.find(({ isCurrent }) => isCurrent)?.sessionFamilyId,
  };
};

/** The list of members: how it is fetched page by page, and kept while a search changes. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { FetchMembersDocument, type FetchMembersQuery } from '../../generated/graphql.ts';
import { heedRefusal } from '../../session/heed-refusal.ts';
import type { Session } from '../../session/session.ts';

export type Member = FetchMembersQuery['members']['nodes'][number];

const membersPerPage = 25;

const fromTheStart = '';

/** Every list of members, whatever it searches for. */
export const allMembers = { queryKey: ['members'] } as const;

export const membersQuery = (session: Session, search: string) =>
  infiniteQueryOptions({
    queryKey: [...allMembers.queryKey, search],
    queryFn: async ({ pageParam }) => {
      try {
        const { members } = await session.request(FetchMembersDocument, {
          first: membersPerPage,
          after: pageParam === fromTheStart ? null : pageParam,
          search: search === '' ? null : search,
        });
        return members;
      } catch (error) {
        await heedRefusal(session, error);
        throw error;
      }
    },
    initialPageParam: fromTheStart,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

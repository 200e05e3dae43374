/** People as data: the queries, and words for the ways in. */
import { queryOptions } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import {
  FetchPeopleDocument,
  type FetchPeopleQuery,
  FetchPersonDocument,
  type FetchPersonQuery,
} from '../../../generated/graphql.ts';
import { pagedQuery } from '../../../lists/paged-list.ts';
import { withRefreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import type { Session } from '../../../session/session.ts';

export type ConsolePerson = FetchPeopleQuery['platformUsers']['nodes'][number];
export type PersonDetails = FetchPersonQuery['platformUser'];
export type Membership = PersonDetails['memberships'][number];

const first = 50;

/** All queries of people; invalidated by every action on one. */
export const allPeople = { queryKey: ['console', 'people'] } as const;

export const peopleQuery = (session: Session, search: string) =>
  pagedQuery(session, [...allPeople.queryKey, 'list', search], async (after) => {
    return (await session.request(FetchPeopleDocument, { first, after, search })).platformUsers;
  });

export const personQuery = (session: Session, userId: string) =>
  queryOptions({
    queryKey: [...allPeople.queryKey, userId],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchPersonDocument, { userId })).platformUser,
      ),
  });

/** How a person can sign in, in words. */
export const useSignInMethods = (): ((
  person: Pick<ConsolePerson, 'hasPassword' | 'hasExternalIdentity'>,
) => string) => {
  const t = useTranslations('console.people');
  const format = useFormatter();
  return ({ hasPassword, hasExternalIdentity }) => {
    const ways = [...(hasPassword ? [t('password')] : []), ...(hasExternalIdentity ? [t('provider')] : [])];
    return ways.length === 0 ? t('noWay') : format.list(ways);
  };
};

/** Organizations as data: the queries, and the plan in words. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import {
  FetchOrganizationDocument,
  type FetchOrganizationQuery,
  FetchOrganizationsDocument,
  type FetchOrganizationsQuery,
  FetchProductTitlesDocument,
} from '../../../generated/graphql.ts';
import { pagedQuery } from '../../../lists/paged-list.ts';
import { withRefreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';

export type ConsoleOrganization = FetchOrganizationsQuery['platformOrganizations']['nodes'][number];
export type OrganizationDetails = FetchOrganizationQuery['platformOrganization'];
export type ConsoleMember = OrganizationDetails['members'][number];

const first = 50;

/** All queries of organizations; invalidated by every action on one. */
export const allOrganizations = { queryKey: ['console', 'organizations'] } as const;

export const organizationsQuery = (session: Session, search: string) =>
  pagedQuery(session, [...allOrganizations.queryKey, 'list', search], async (after) => {
    return (await session.request(FetchOrganizationsDocument, { first, after, search })).platformOrganizations;
  });

export const organizationQuery = (session: Session, organizationId: string) =>
  queryOptions({
    queryKey: [...allOrganizations.queryKey, organizationId],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchOrganizationDocument, { organizationId })).platformOrganization,
      ),
  });

const productTitlesQuery = (session: Session) =>
  queryOptions({
    queryKey: ['console', 'products'],
    queryFn: async () => (await session.request(FetchProductTitlesDocument, {})).products,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The subscription in words; a product that the application no longer defines by its name. */
export const usePlanWords = (): ((subscription: ConsoleOrganization['subscription']) => string) => {
  const t = useTranslations('console.organizations.plans');
  const products = useQuery(productTitlesQuery(useSession())).data;
  return ({ status, product }) => {
    const title = products?.find(({ name }) => name === product)?.title;
    return t(product === null ? 'NONE' : status, { product: title ?? product ?? '' });
  };
};

/** Queries of /organization/tokens: tokens page by page, service accounts, and the policy. */
import { queryOptions } from '@tanstack/react-query';
import {
  FetchOrganizationTokensDocument,
  FetchServiceAccountsDocument,
  FetchTokenPolicyDocument,
  type ServiceAccountFieldsFragment,
} from '../../../generated/graphql.ts';
import { pagedQuery } from '../../../lists/paged-list.ts';
import { withRefreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import type { Session } from '../../../session/session.ts';
import { allTokens } from '../../../tokens/tokens.ts';
import { type TokenView, toTokenFilter } from './view.ts';

export type ServiceAccount = ServiceAccountFieldsFragment;

export const organizationTokensQuery = (session: Session, { section: _, ...filters }: TokenView) =>
  pagedQuery(session, [...allTokens.queryKey, 'organization', filters], async (after) => {
    const filter = toTokenFilter({ section: 'tokens', ...filters }, new Date());
    const answer = await session.request(FetchOrganizationTokensDocument, { first: 25, after, filter });
    return answer.organizationTokens;
  });

/** The newest tokens of a service account: at most two of them are live. */
export const tokensOfAccountQuery = (session: Session, serviceAccountId: string) =>
  queryOptions({
    queryKey: [...allTokens.queryKey, 'of account', serviceAccountId],
    queryFn: () =>
      withRefreshOnForbidden(session, async () => {
        const filter = toTokenFilter({ section: 'accounts', account: serviceAccountId }, new Date());
        const answer = await session.request(FetchOrganizationTokensDocument, { first: 100, after: null, filter });
        return answer.organizationTokens.nodes;
      }),
  });

export const serviceAccountsQuery = (session: Session) =>
  queryOptions({
    queryKey: [...allTokens.queryKey, 'service accounts'],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchServiceAccountsDocument, {})).serviceAccounts,
      ),
  });

export const tokenPolicyQuery = (session: Session) =>
  queryOptions({
    queryKey: [...allTokens.queryKey, 'policy'],
    queryFn: () =>
      withRefreshOnForbidden(session, async () => (await session.request(FetchTokenPolicyDocument, {})).tokenPolicy),
  });

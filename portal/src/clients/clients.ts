/** Connected clients as data: lists page by page, and the policy for them. */
import { queryOptions } from '@tanstack/react-query';
import {
  type ConnectedClientFieldsFragment,
  FetchConnectedClientsDocument,
  FetchMcpPolicyDocument,
} from '../generated/graphql.ts';
import { pagedQuery } from '../lists/paged-list.ts';
import { withRefreshOnForbidden } from '../session/refresh-on-forbidden.ts';
import type { Session } from '../session/session.ts';

export type ConnectedClient = ConnectedClientFieldsFragment;

/** Whose connections a list shows: the person's own, or everybody's of the active organization. */
export type Whose = 'own' | 'everybody';

/** All lists of connected clients. */
export const allClients = { queryKey: ['connected clients'] } as const;

export const clientsQuery = (session: Session, whose: Whose) =>
  pagedQuery(session, [...allClients.queryKey, whose], async (after) => {
    const variables = { first: 25, after, everybody: whose === 'everybody' };
    return (await session.request(FetchConnectedClientsDocument, variables)).connectedClients;
  });

export const mcpPolicyQuery = (session: Session) =>
  queryOptions({
    queryKey: ['policy for clients'],
    queryFn: () =>
      withRefreshOnForbidden(session, async () => (await session.request(FetchMcpPolicyDocument, {})).mcpPolicy),
  });

/** Hosts of a person's own machine. */
export const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

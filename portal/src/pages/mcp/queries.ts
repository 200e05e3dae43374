/**
 * Queries of the cockpit: paged lists that keep their data while a filter changes, rights, outcomes and the catalogue.
 */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  FetchMcpCatalogueDocument,
  type FetchMcpCatalogueQuery,
  FetchMcpClientsDocument,
  type FetchMcpClientsQuery,
  FetchMcpConnectionsDocument,
  type FetchMcpConnectionsQuery,
  FetchMcpToolAuditsDocument,
  type FetchMcpToolAuditsQuery,
  FetchMcpToolOutcomesDocument,
  FetchMcpUsersDocument,
  type FetchMcpUsersQuery,
  FetchOwnMcpSessionsDocument,
} from '../../generated/graphql.ts';
import { pagedQuery } from '../../lists/paged-list.ts';
import { withRefreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import type { Session } from '../../session/session.ts';
import { type McpView, plotRange, toAuditFilter, toConnectionFilter } from './view.ts';

export type McpUser = FetchMcpUsersQuery['platformMcpUsers']['nodes'][number];
export type ToolAudit = FetchMcpToolAuditsQuery['mcpToolAudits']['nodes'][number];
export type McpClient = FetchMcpClientsQuery['mcpClients']['nodes'][number];
export type McpConnection = FetchMcpConnectionsQuery['mcpConnections']['nodes'][number];

/** All queries of the cockpit. */
export const allMcpQueries = { queryKey: ['mcp'] } as const;
const allMcpClients = { queryKey: ['mcp', 'clients'] } as const;

/** Nodes of a page. */
const first = 25;

export const outcomesQuery = (session: Session, view: McpView, now: Date) => {
  const range = plotRange(view, now);
  return queryOptions({
    queryKey: ['mcp', 'outcomes', range],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchMcpToolOutcomesDocument, range)).mcpToolOutcomes,
      ),
    placeholderData: keepPreviousData,
  });
};

export const usersQuery = (session: Session, { search = null }: { readonly search?: string | null | undefined }) =>
  pagedQuery(session, ['mcp', 'users', search], async (after) => {
    return (await session.request(FetchMcpUsersDocument, { first, after, search })).platformMcpUsers;
  });

export const clientsQuery = (session: Session, { search = null }: { readonly search?: string | null | undefined }) =>
  pagedQuery(session, [...allMcpClients.queryKey, search], async (after) => {
    return (await session.request(FetchMcpClientsDocument, { first, after, search })).mcpClients;
  });

export const auditsQuery = (session: Session, view: McpView) => {
  const filter = toAuditFilter(view);
  return pagedQuery(session, ['mcp', 'audits', filter], async (after) => {
    return (await session.request(FetchMcpToolAuditsDocument, { first, after, filter })).mcpToolAudits;
  });
};

export const connectionsQuery = (session: Session, view: McpView) => {
  const filter = toConnectionFilter(view);
  return pagedQuery(session, ['mcp', 'connections', filter], async (after) => {
    return (await session.request(FetchMcpConnectionsDocument, { first, after, filter })).mcpConnections;
  });
};

/** Names of the clients with a session of the person. */
export const ownClientsQuery = (session: Session) =>
  queryOptions({
    queryKey: ['mcp', 'own'],
    queryFn: async () => {
      const { mySessions } = await session.request(FetchOwnMcpSessionsDocument, {});
      return mySessions.flatMap(({ audience, clientName }) =>
        audience === 'mcp' && clientName !== null ? [clientName] : [],
      );
    },
  });

export type McpTool = FetchMcpCatalogueQuery['platformMcpCatalog'][number];

export const catalogueQuery = (session: Session) =>
  queryOptions({
    queryKey: ['mcp', 'catalogue'],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchMcpCatalogueDocument, {})).platformMcpCatalog,
      ),
  });

/**
 * Queries of the cockpit: paged lists that keep their data while a filter changes, rights, outcomes and the catalogue.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  FetchMcpCatalogueDocument,
  type FetchMcpCatalogueQuery,
  FetchMcpClientsDocument,
  type FetchMcpClientsQuery,
  FetchMcpConnectionsDocument,
  type FetchMcpConnectionsQuery,
  FetchMcpPermissionsDocument,
  type FetchMcpPermissionsQuery,
  FetchMcpToolAuditsDocument,
  type FetchMcpToolAuditsQuery,
  FetchMcpToolOutcomesDocument,
  FetchMcpUsersDocument,
  type FetchMcpUsersQuery,
  FetchOwnMcpSessionsDocument,
} from '../../generated/graphql.ts';
import { refreshOnForbidden } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { type McpView, plotRange, toAuditFilter, toConnectionFilter } from './view.ts';

export type McpPermissions = FetchMcpPermissionsQuery;
export type McpPermission = McpPermissions['audit'];
export type McpUser = FetchMcpUsersQuery['platformMcpUsers']['nodes'][number];
export type ToolAudit = FetchMcpToolAuditsQuery['mcpToolAudits']['nodes'][number];
export type McpClient = FetchMcpClientsQuery['mcpClients']['nodes'][number];
export type McpConnection = FetchMcpConnectionsQuery['mcpConnections']['nodes'][number];

/** All queries of the cockpit; invalidated when scopes may have changed. */
export const allMcpQueries = { queryKey: ['mcp'] } as const;
export const allMcpPermissions = { queryKey: ['mcp', 'permissions'] } as const;
const allMcpClients = { queryKey: ['mcp', 'clients'] } as const;

const nodesPerPage = 25;

export const mcpPermissionsQuery = (session: Session) =>
  queryOptions({
    ...allMcpPermissions,
    queryFn: () => withRefreshOnForbidden(session, () => session.request(FetchMcpPermissionsDocument, {})),
  });

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
  pagedQuery(session, ['mcp', 'users', search], async (page) => {
    return (await session.request(FetchMcpUsersDocument, { ...page, search })).platformMcpUsers;
  });

export const clientsQuery = (session: Session, { search = null }: { readonly search?: string | null | undefined }) =>
  pagedQuery(session, [...allMcpClients.queryKey, search], async (page) => {
    return (await session.request(FetchMcpClientsDocument, { ...page, search })).mcpClients;
  });

export const auditsQuery = (session: Session, view: McpView) => {
  const filter = toAuditFilter(view);
  return pagedQuery(session, ['mcp', 'audits', filter], async (page) => {
    return (await session.request(FetchMcpToolAuditsDocument, { ...page, filter })).mcpToolAudits;
  });
};

export const connectionsQuery = (session: Session, view: McpView) => {
  const filter = toConnectionFilter(view);
  return pagedQuery(session, ['mcp', 'connections', filter], async (page) => {
    return (await session.request(FetchMcpConnectionsDocument, { ...page, filter })).mcpConnections;
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

/** A page of a list, as in every connection of the API. */
export interface ListPage<Node> {
  readonly nodes: readonly Node[];
  readonly totalCount: number;
  readonly totalCountIsCapped: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const firstPage = '';

interface Page {
  readonly first: number;
  readonly after: string | null;
}

const pagedQuery = <Node>(
  session: Session,
  queryKey: readonly unknown[],
  fetchPage: (page: Page) => Promise<ListPage<Node>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      withRefreshOnForbidden(session, () =>
        fetchPage({ first: nodesPerPage, after: pageParam === firstPage ? null : pageParam }),
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ pageInfo }: ListPage<Node>) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

/** Refreshes the person when the request is forbidden, because their scopes may have changed. */
const withRefreshOnForbidden = async <Result>(session: Session, request: () => Promise<Result>): Promise<Result> => {
  try {
    return await request();
  } catch (error) {
    await refreshOnForbidden(session, error);
    throw error;
  }
};

export interface MergedPages<Node> {
  readonly nodes: readonly Node[];
  readonly total: number;
  /** Whether there are more than `total`. */
  readonly isTotalCapped: boolean;
}

/**
 * Merges the pages fetched so far. Pages are fetched one after the other, so a node may be in two of them; the newer
 * one wins.
 */
export const mergePages = <Node>(
  pages: readonly ListPage<Node>[] | undefined,
  keyOf: (node: Node) => string,
): MergedPages<Node> | undefined => {
  const newest = pages?.at(-1);
  if (pages === undefined || newest === undefined) return undefined;
  const nodes = pages.flatMap((part) => part.nodes);
  return {
    nodes: [...new Map(nodes.map((node) => [keyOf(node), node])).values()],
    total: newest.totalCount,
    isTotalCapped: newest.totalCountIsCapped,
  };
};

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

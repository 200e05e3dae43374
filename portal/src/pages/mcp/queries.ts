/** Queries of the cockpit: paged lists that keep their data while a filter changes, rights, outcomes and the catalogue. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  FetchMcpCatalogueDocument,
  type FetchMcpCatalogueQuery,
  FetchMcpClientsDocument,
  type FetchMcpClientsQuery,
  FetchMcpConnectionsDocument,
  type FetchMcpConnectionsQuery,
  FetchMcpRightsDocument,
  type FetchMcpRightsQuery,
  FetchMcpToolAuditsDocument,
  type FetchMcpToolAuditsQuery,
  FetchMcpToolOutcomesDocument,
  FetchMcpUsersDocument,
  type FetchMcpUsersQuery,
  FetchOwnMcpSessionsDocument,
} from '../../generated/graphql.ts';
import { refreshOnForbidden } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { type McpView, plottedRange, toAuditFilter, toConnectionFilter } from './view.ts';

export type McpRights = FetchMcpRightsQuery;
export type McpRight = McpRights['audit'];
export type McpUser = FetchMcpUsersQuery['platformMcpUsers']['nodes'][number];
export type ToolAudit = FetchMcpToolAuditsQuery['mcpToolAudits']['nodes'][number];
export type McpClient = FetchMcpClientsQuery['mcpClients']['nodes'][number];
export type McpConnection = FetchMcpConnectionsQuery['mcpConnections']['nodes'][number];

/** Everything the cockpit has asked for: what a change of scopes makes doubtful. */
export const allOfMcp = { queryKey: ['mcp'] } as const;
export const allMcpRights = { queryKey: ['mcp', 'rights'] } as const;
const allMcpClients = { queryKey: ['mcp', 'clients'] } as const;

const nodesPerPage = 25;

export const mcpRightsQuery = (session: Session) =>
  queryOptions({
    ...allMcpRights,
    queryFn: () => heeding(session, () => session.request(FetchMcpRightsDocument, {})),
  });

export const outcomesQuery = (session: Session, view: McpView, now: Date) => {
  const range = plottedRange(view, now);
  return queryOptions({
    queryKey: ['mcp', 'outcomes', range],
    queryFn: () =>
      heeding(session, async () => (await session.request(FetchMcpToolOutcomesDocument, range)).mcpToolOutcomes),
    placeholderData: keepPreviousData,
  });
};

export const usersQuery = (session: Session, { search = null }: { readonly search?: string | null | undefined }) =>
  partsQuery(session, ['mcp', 'users', search], async (page) => {
    return (await session.request(FetchMcpUsersDocument, { ...page, search })).platformMcpUsers;
  });

export const clientsQuery = (session: Session, { search = null }: { readonly search?: string | null | undefined }) =>
  partsQuery(session, [...allMcpClients.queryKey, search], async (page) => {
    return (await session.request(FetchMcpClientsDocument, { ...page, search })).mcpClients;
  });

export const auditsQuery = (session: Session, view: McpView) => {
  const filter = toAuditFilter(view);
  return partsQuery(session, ['mcp', 'audits', filter], async (page) => {
    return (await session.request(FetchMcpToolAuditsDocument, { ...page, filter })).mcpToolAudits;
  });
};

export const connectionsQuery = (session: Session, view: McpView) => {
  const filter = toConnectionFilter(view);
  return partsQuery(session, ['mcp', 'connections', filter], async (page) => {
    return (await session.request(FetchMcpConnectionsDocument, { ...page, filter })).mcpConnections;
  });
};

/** The names of the clients that the person is connected through. */
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

/** A part of a list, as every list of the server comes. */
export interface Part<Node> {
  readonly nodes: readonly Node[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const fromTheStart = '';

interface Page {
  readonly first: number;
  readonly after: string | null;
}

const partsQuery = <Node>(
  session: Session,
  queryKey: readonly unknown[],
  fetchPart: (page: Page) => Promise<Part<Node>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      heeding(session, () => fetchPart({ first: nodesPerPage, after: pageParam === fromTheStart ? null : pageParam })),
    initialPageParam: fromTheStart,
    getNextPageParam: ({ pageInfo }: Part<Node>) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

/** A request whose refusal may mean that the person is not what this tab believes. */
const heeding = async <Result>(session: Session, request: () => Promise<Result>): Promise<Result> => {
  try {
    return await request();
  } catch (error) {
    await refreshOnForbidden(session, error);
    throw error;
  }
};

export interface Gathered<Node> {
  readonly nodes: readonly Node[];
  readonly total: number;
}

/**
 * What the parts fetched so far say together. Parts are fetched one after the other, so something may stand in two of
 * them; the newer one knows best.
 */
export const gatherParts = <Node>(
  parts: readonly Part<Node>[] | undefined,
  keyOf: (node: Node) => string,
): Gathered<Node> | undefined => {
  const newest = parts?.at(-1);
  if (parts === undefined || newest === undefined) return undefined;
  const nodes = parts.flatMap((part) => part.nodes);
  return { nodes: [...new Map(nodes.map((node) => [keyOf(node), node])).values()], total: newest.totalCount };
};

export type McpTool = FetchMcpCatalogueQuery['platformMcpCatalog'][number];

export const catalogueQuery = (session: Session) =>
  queryOptions({
    queryKey: ['mcp', 'catalogue'],
    queryFn: () =>
      heeding(session, async () => (await session.request(FetchMcpCatalogueDocument, {})).platformMcpCatalog),
  });

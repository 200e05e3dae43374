/** The tools of Platform MCP, fetched at once: they are few. */
import { queryOptions } from '@tanstack/react-query';
import { FetchMcpCatalogueDocument, type FetchMcpCatalogueQuery } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import { heeding } from './queries.ts';

export type McpTool = FetchMcpCatalogueQuery['platformMcpCatalog'][number];

export const catalogueQuery = (session: Session) =>
  queryOptions({
    queryKey: ['mcp', 'catalogue'],
    queryFn: () =>
      heeding(session, async () => (await session.request(FetchMcpCatalogueDocument, {})).platformMcpCatalog),
  });

/** Query platformMcpUsers: the super admins who may use, or have used, Platform MCP, page by page. */
import { type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readSearch } from '../users/search-text.ts';
import { scopesOfTools } from './catalogue.ts';
import { countMcpUsers, listMcpUsers, type McpUserRow } from './mcp-users-store.ts';

export interface McpUsersRequest extends PageRequest {
  /** Part of a name or an address; null or empty finds all. */
  readonly search?: string | null | undefined;
}

/** In characters; no address is longer. */
const longestSearch = 254;

/**
 * By address. The caller's guard has made sure of a super admin with mcp:access:view.
 * @throws Refusal BAD_USER_INPUT naming `first`, `after` or `search`
 */
export const listPlatformMcpUsers = async (
  { database }: { readonly database: Queryable },
  request: McpUsersRequest,
): Promise<Page<McpUserRow>> => {
  const { limit, after } = readPageRequest(request, 1);
  const pattern = readSearch(request.search, longestSearch);
  const rows = await database.many(listMcpUsers, [pattern, scopesOfTools, after?.[0] ?? null, limit]);
  const { total } = await database.one(countMcpUsers, [pattern, scopesOfTools]);
  return pageOf(rows, request, total, ({ email }) => [email]);
};

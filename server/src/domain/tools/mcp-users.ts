/** Query platformMcpUsers: super admins who may use, or have used, Platform MCP, and are not suspended. */
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { byEmail, type FilteredList, filteredPage } from '../../platform/database/filtered-list.ts';
import type { ReadDeps } from '../access/deps.ts';
import { readSearch } from '../users/text-rules.ts';
import { scopesOfTools } from './catalogue.ts';

interface McpUsersRequest extends PageRequest {
  /** Part of a name or an address; null or empty matches every user. */
  readonly search?: string | null | undefined;
}

/** In characters; no address is longer. */
const maxSearchLength = 254;

/** By address; the guard has required mcp:access:view. @throws Refusal BAD_USER_INPUT: `first`, `after`, `search` */
export const listPlatformMcpUsers = ({ database }: ReadDeps, request: McpUsersRequest): Promise<Page<McpUserRow>> =>
  filteredPage(database, mcpUsers, request, {
    scopes: scopesOfTools,
    search: readSearch(request.search, maxSearchLength),
  });

// SQL of the super admins who may use, or have used, Platform MCP.

export interface McpUserRow {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** The scopes granted now. */
  readonly scopes: readonly string[];
  /** Access and refresh credentials of MCP clients. */
  readonly activeCredentials: number;
  /** Instant of the last recorded tool call. */
  readonly lastUsedAt: Date | null;
}

const mcpUsers: FilteredList<McpUserRow, { readonly scopes: readonly string[]; readonly search: string | null }> = {
  name: (verb) => `tools.${verb}_mcp_users`,
  source: 'FROM users u WHERE u.is_super_admin AND u.suspended_at IS NULL',
  conditions: [
    [
      'scopes',
      (scopes) => `(u.platform_scopes && ${scopes}::text[]
       OR EXISTS (SELECT 1 FROM mcp_tool_audits a WHERE a.actor_user_id = u.id)
       OR EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = u.id AND c.audience = 'mcp'))`,
    ],
    ['search', (text) => `(u.email LIKE ${text} OR lower(u.name) LIKE ${text})`],
  ],
  order: byEmail('u.email'),
  select: (page) =>
    `SELECT u.id AS "userId", u.email, u.name, u.platform_scopes AS scopes, live.credentials AS "activeCredentials",
     (SELECT a.created_at FROM mcp_tool_audits a WHERE a.actor_user_id = u.id ORDER BY a.position DESC LIMIT 1)
       AS "lastUsedAt"
   FROM (SELECT u.* ${page}) AS u
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS credentials FROM credentials c
     WHERE c.user_id = u.id AND c.audience = 'mcp' AND c.credentials_revision = u.credentials_revision
       AND c.revoked_at IS NULL AND c.expires_at > now()) AS live
   ORDER BY u.email`,
};

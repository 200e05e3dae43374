/** Query platformMcpUsers: the super admins who may use, or have used, Platform MCP, with their last tool call. */
import { type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { readSearch } from '../users/text-rules.ts';
import { scopesOfTools } from './catalogue.ts';

export interface McpUsersRequest extends PageRequest {
  /** Part of a name or an address; null or empty matches every user. */
  readonly search?: string | null | undefined;
}

/** In characters; no address is longer. */
const maxSearchLength = 254;

/**
 * Lists users by address. The caller's guard has already required a super admin with mcp:access:view.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search`
 */
export const listPlatformMcpUsers = async (
  { database }: { readonly database: Queryable },
  request: McpUsersRequest,
): Promise<Page<McpUserRow>> => {
  const { limit, after } = readPageRequest(request, 1);
  const pattern = readSearch(request.search, maxSearchLength);
  const rows = await database.many(listMcpUsers, [pattern, scopesOfTools, after?.[0] ?? null, limit]);
  const { total } = await database.one(countMcpUsers, [pattern, scopesOfTools]);
  return pageOf(rows, request, total, ({ email }) => [email]);
};

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

/** $1 is a LIKE pattern, or null for every user; $2 the scopes that tools require. */
const found = `users u
   WHERE u.is_super_admin AND ($1::text IS NULL OR u.email LIKE $1 OR lower(u.name) LIKE $1)
     AND (u.platform_scopes && $2::text[]
       OR EXISTS (SELECT 1 FROM mcp_tool_audits a WHERE a.actor_user_id = u.id)
       OR EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = u.id AND c.audience = 'mcp'))`;

/** Ordered by address, which is unique. */
const listMcpUsers = statement<
  McpUserRow,
  [pattern: string | null, toolScopes: readonly string[], afterEmail: string | null, limit: number]
>(
  'tools.list_mcp_users',
  `SELECT u.id AS "userId", u.email, u.name, u.platform_scopes AS scopes, live.credentials AS "activeCredentials",
     (SELECT a.created_at FROM mcp_tool_audits a WHERE a.actor_user_id = u.id ORDER BY a.position DESC LIMIT 1)
       AS "lastUsedAt"
   FROM (SELECT u.* FROM ${found} AND ($3::text IS NULL OR u.email > $3) ORDER BY u.email LIMIT $4) AS u
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS credentials FROM credentials c
     WHERE c.user_id = u.id AND c.audience = 'mcp' AND c.credentials_revision = u.credentials_revision
       AND c.revoked_at IS NULL AND c.expires_at > now()) AS live
   ORDER BY u.email`,
);

const countMcpUsers = statement<{ readonly total: number }, [pattern: string | null, toolScopes: readonly string[]]>(
  'tools.count_mcp_users',
  `SELECT count(*)::integer AS total FROM ${found}`,
);

/** SQL of an organization's policy for MCP clients, in the table `organizations`; `actor-store.ts` applies it. */
import { statement } from '../../platform/database/database.ts';

export const mcpClientPolicies = ['ANY', 'LISTED', 'NONE'] as const;
export type McpClientPolicy = (typeof mcpClientPolicies)[number];

/** Which clients an organization lets in. */
export interface McpPolicyRow {
  readonly clients: McpClientPolicy;
  /** Ids of registered clients and URLs of metadata documents. */
  readonly clientIds: readonly string[];
  /** Hosts of redirect URIs. */
  readonly redirectHosts: readonly string[];
}

const columns = (organization: string): string =>
  `${organization}.mcp_clients AS "clients", ${organization}.mcp_client_ids AS "clientIds",
     ${organization}.mcp_redirect_hosts AS "redirectHosts"`;

export const findMcpPolicy = statement<McpPolicyRow, [organizationId: string]>(
  'organizations.find_mcp_policy',
  `SELECT ${columns('o')} FROM organizations o WHERE o.id = $1`,
);

/** A policy with the one that it replaced. */
export interface ChangedMcpPolicyRow extends McpPolicyRow {
  readonly formerClients: McpClientPolicy;
  readonly formerClientIds: readonly string[];
  readonly formerRedirectHosts: readonly string[];
}

const changed = `(coalesce($2, former.mcp_clients), coalesce($3::text[], former.mcp_client_ids),
     coalesce($4::text[], former.mcp_redirect_hosts))`;

/** Null leaves a value as it is. Affects no row where nothing changes. The caller holds the organization's row. */
export const updateMcpPolicy = statement<
  ChangedMcpPolicyRow,
  [
    organizationId: string,
    clients: McpClientPolicy | null,
    clientIds: readonly string[] | null,
    redirectHosts: readonly string[] | null,
  ]
>(
  'organizations.update_mcp_policy',
  `UPDATE organizations o SET (mcp_clients, mcp_client_ids, mcp_redirect_hosts) = ${changed.replace('(', 'ROW (')}
   FROM organizations former
   WHERE o.id = $1 AND former.id = o.id
     AND (former.mcp_clients, former.mcp_client_ids, former.mcp_redirect_hosts) IS DISTINCT FROM ${changed}
   RETURNING ${columns('o')}, former.mcp_clients AS "formerClients", former.mcp_client_ids AS "formerClientIds",
     former.mcp_redirect_hosts AS "formerRedirectHosts"`,
);

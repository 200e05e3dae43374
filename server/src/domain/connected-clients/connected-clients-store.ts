/** The list of the clients that people let into an organization: live grants in `credentials` that are bound to one. */
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { statement } from '../../platform/database/database.ts';
import {
  countingText,
  type FilteredList,
  filteredPage,
  type ListOrder,
} from '../../platform/database/filtered-list.ts';
import type { ReadDeps } from '../access/deps.ts';
import { isOfRevision } from '../credentials/credential-owner-store.ts';
import type { GrantRow } from '../credentials/ended-tokens.ts';

/** A client that a person let into an organization: one pair of tokens. */
export interface ConnectedClientRow {
  /** The id of the session family, whose row is the first refresh credential. */
  readonly id: string;
  readonly userId: string;
  readonly userEmail: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly clientId: string;
  readonly clientName: string;
  /** The client ID metadata document; null for a client that registered itself. */
  readonly metadataUrl: string | null;
  /** The host of the redirect URI that the connection used. */
  readonly redirectHost: string;
  /** `mcp_organization`, or the URL of a resource of the application. */
  readonly audience: string;
  /** As granted. */
  readonly scopes: readonly string[];
  readonly connectedAt: Date;
  /** When the session family ends. */
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A refresh credential `r` of a live grant that is bound to an organization: one for each. */
const isConnected = `r.redirect_host IS NOT NULL AND r.kind = 'user_refresh' AND r.revoked_at IS NULL
     AND r.expires_at > now() AND ${isOfRevision.replaceAll('c.', 'r.')}`;

/** Ids of families are UUIDs of version 7, in the order of the connections. */
const newestConnectionFirst: ListOrder<ConnectedClientRow> = {
  orderBy: 'r.session_family_id DESC',
  keysOf: ({ id }) => [id],
  areKeys: [isId],
  after: (id) => `r.session_family_id < coalesce(${id}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`,
};

/** Filter of connected clients; null matches any. */
interface ClientCriteria {
  readonly user: string | null;
  readonly organization: string | null;
}

/** A page is chosen by its index alone, and what describes it is read for its rows. */
const connectedClients: FilteredList<ConnectedClientRow, ClientCriteria> = {
  name: (verb) => `connected_clients.${verb}`,
  conditions: [
    ['user', (id) => `r.user_id = ${id}`],
    ['organization', (id) => `r.organization_id = ${id}`],
  ],
  order: newestConnectionFirst,
  texts: ({ conditions, after, limit }) => {
    const source = `FROM credentials r WHERE ${[...conditions, isConnected].join(' AND ')}`;
    const { orderBy } = newestConnectionFirst;
    return {
      listing: `SELECT r.session_family_id AS id, r.user_id AS "userId", u.email AS "userEmail",
     r.organization_id AS "organizationId", o.name AS "organizationName",
     coalesce(k.metadata_url, k.id::text) AS "clientId", k.name AS "clientName",
     k.metadata_url AS "metadataUrl", r.redirect_host AS "redirectHost", r.audience, r.scopes,
     first.issued_at AS "connectedAt", r.expires_at AS "expiresAt", use.at AS "lastUsedAt"
   FROM (SELECT r.* ${source} AND ${after} ORDER BY ${orderBy} LIMIT ${limit}) AS r
   JOIN credentials first ON first.id = r.session_family_id
   JOIN users u ON u.id = r.user_id
   JOIN organizations o ON o.id = r.organization_id
   JOIN oauth_clients k ON k.id = r.client_id
   CROSS JOIN LATERAL (
     SELECT max(live.last_seen_at) AS at FROM (
       SELECT c.last_seen_at FROM credentials c WHERE c.session_family_id = r.session_family_id AND c.revoked_at IS NULL
       ORDER BY c.kind, c.slot OFFSET 0) AS live) AS use
   ORDER BY ${orderBy}`,
      counting: countingText(`SELECT ${source} ORDER BY ${orderBy}`),
    };
  },
};

/** By its session family, as long as the family is kept. */
export const findGrant = statement<GrantRow, [sessionFamilyId: string]>(
  'connected_clients.find',
  `SELECT c.id AS "sessionFamilyId", c.user_id AS "userId", c.organization_id AS "organizationId", c.client_id AS "clientId"
   FROM credentials c WHERE c.id = $1 AND c.session_family_id = c.id AND c.redirect_host IS NOT NULL`,
);

/** Whose connections are listed: one person's of every organization, or those of all members of one. */
type Whose = { readonly userId: string } | { readonly organizationId: string };

/**
 * Query connectedClients (contract/organization-mcp.md#connected-clients), newest first. For those of an organization,
 * the guard has required MCP_MANAGE.
 * @throws Refusal BAD_USER_INPUT: names `first` or `after`
 */
export const listConnectedClients = (
  { database }: ReadDeps,
  whose: Whose,
  request: PageRequest,
): Promise<Page<ConnectedClientRow>> =>
  filteredPage(database, connectedClients, request, {
    user: 'userId' in whose ? whose.userId : null,
    organization: 'organizationId' in whose ? whose.organizationId : null,
  });

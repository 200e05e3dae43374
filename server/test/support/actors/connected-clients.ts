/** Connections of MCP clients with an organization, and its policy for them: seeded, and through GraphQL. */
import { insertClient } from '../../../src/domain/oauth/clients-store.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Answer, Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { familyOf } from './credentials.ts';
import { dataOf } from './machines/token-operations.ts';
import { seedSession } from './seeding.ts';
import { runAs, type Stored, type Tenant } from './tenants.ts';

const clientFields = `id clientId clientName metadataUrl redirectHost resource scopes organizationId organizationName userId
  userEmail connectedAt expiresAt lastUsedAt`;
const policyFields = 'clients clientIds redirectHosts';

export const clientOperations = {
  connectedClients: `query ($first: Int, $after: String, $everybody: Boolean) {
    connectedClients(first: $first, after: $after, everybody: $everybody) {
      totalCount pageInfo { hasNextPage endCursor } nodes { ${clientFields} } } }`,
  endConnectedClient: 'mutation ($id: ID!) { endConnectedClient(id: $id) { success revokedCredentials revokedAt } }',
  mcpPolicy: `{ mcpPolicy { ${policyFields} } }`,
  setMcpPolicy: `mutation ($input: McpPolicyInput!) { setMcpPolicy(input: $input) { ${policyFields} } }`,
};

/** The connection of a client with an organization. */
export interface Connected {
  /** Of the session family. */
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly tokens: Tokens;
}

interface Grant {
  readonly clientName?: string;
  readonly redirectHost?: string;
  readonly scopes?: readonly string[];
  /** A client that is registered already. */
  readonly clientId?: string;
}

/** Lets a client into the organization of a membership. */
export const connect = async (
  service: Stored & Pick<Service, 'url'>,
  { userId, organizationId, memberId }: Pick<Tenant, 'userId' | 'organizationId' | 'memberId'>,
  { clientName = 'Editor', redirectHost = 'editor.example', scopes = ['MEMBERS_VIEW'], clientId = newId() }: Grant = {},
): Promise<Connected> => {
  const isKnown = (await service.sql.value('SELECT 1 FROM oauth_clients WHERE id = $1', [clientId])) !== undefined;
  if (!isKnown) await service.database.one(insertClient, [clientId, clientName, [`https://${redirectHost}/`], null]);
  const bound = { organizationId, membershipId: memberId, redirectHost };
  const tokens = await seedSession(service.database, userId, { clientId, scopes, bound });
  return { id: await familyOf(service, tokens.refreshToken), clientId, clientName, tokens };
};

/** So many further connections like this one, with their own tokens. */
export const multiplyGrant = ({ sql }: Pick<Service, 'sql'>, family: string, count: number): Promise<unknown> =>
  sql(
    `WITH pairs AS MATERIALIZED (
       SELECT gen_random_uuid() AS family, gen_random_uuid() AS pair FROM generate_series(1, $2))
     INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, scopes, client_id, redirect_host, organization_id, membership_id, expires_at, family_expires_at)
     SELECT CASE WHEN c.kind = 'user_refresh' THEN p.family ELSE gen_random_uuid() END,
       sha256((p.family || c.kind)::bytea), c.kind, p.family, p.pair, c.user_id, c.credentials_revision, c.audience,
       c.auth_method, c.scopes, c.client_id, c.redirect_host, c.organization_id, c.membership_id, c.expires_at,
       c.family_expires_at
     FROM pairs p CROSS JOIN credentials c WHERE c.session_family_id = $1`,
    [family, count],
  );

interface ShownClient {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectHost: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly organizationId: string;
  readonly userId: string;
  readonly connectedAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

interface Listed {
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly ShownClient[];
}

type Person = Parameters<typeof runAs>[1];
type Input = Readonly<Record<string, unknown>>;

export const listClients = async (service: Service, person: Person, variables: Input = {}): Promise<Listed> =>
  dataOf(await runAs(service, person, clientOperations.connectedClients, variables));

export const endClient = (service: Service, person: Person, id: string): Promise<Answer> =>
  runAs(service, person, clientOperations.endConnectedClient, { id });

export const setMcpPolicy = (service: Service, person: Person, input: Input): Promise<Answer> =>
  runAs(service, person, clientOperations.setMcpPolicy, { input });

/**
 * Handmade clients of the MCP of an organization: a pair that is bound to a membership, its calls, and the audit rows.
 */
import { issueCredentialPair } from '../../../src/domain/credentials/issue-pair.ts';
import { insertClient } from '../../../src/domain/oauth/clients-store.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { newOwner, type Stored, type Tenant } from '../actors/tenants.ts';
import { clientName, type McpAnswer, type McpClient } from './mcp.ts';

export const organizationPath = '/mcp/organization';

const lifetimes = { accessTtlSeconds: 900, refreshTtlSeconds: 2_592_000, signInHistoryDays: 30 };

/** Every scope of the service itself that its tools need. */
export const memberScopes = ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE'] as const;

interface Grant {
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly redirectHost: string;
}

/**
 * A client that a person connected to the organization of theirs, by default a new owner's, with all scopes of members.
 */
export const connectToOrganization = async (
  stored: Stored,
  person?: Tenant,
  { scopes = memberScopes, audience = 'mcp_organization', redirectHost = '127.0.0.1' }: Partial<Grant> = {},
): Promise<McpClient> => {
  const owner = person ?? (await newOwner(stored));
  const clientId = newId();
  await stored.database.one(insertClient, [clientId, clientName, ['http://127.0.0.1/'], '127.0.0.1']);
  const { organizationId, memberId: membershipId } = owner;
  const grant = { clientId, scopes, bound: { organizationId, membershipId, redirectHost } };
  const as = { audience, authMethod: 'mcp_oauth', caller: { ip: '127.0.0.1', userAgent: 'tests' }, succeeds: null };
  const pair = await stored.database.transaction((transaction) =>
    issueCredentialPair(transaction, lifetimes, { userId: owner.userId, ...as, grant }),
  );
  if (pair === null) throw new Error(`No pair for ${owner.email}`);
  const { accessToken, refreshToken } = pair;
  return { clientId, person: owner, tokens: { accessToken, refreshToken }, path: organizationPath };
};

/** A row of an organization's chain for a call. */
export interface OrganizationCallRow {
  readonly organization: string;
  readonly actor: string;
  readonly client: string;
  readonly tool: string;
  readonly outcome: string;
  readonly correlation: string;
  readonly details: string;
}

/** Every recorded call of an organization, the oldest first. */
export const organizationCalls = (
  { sql }: Pick<Stored, 'sql'>,
  organizationId: string,
): Promise<OrganizationCallRow[]> =>
  sql<OrganizationCallRow>(
    `SELECT organization_id AS organization, actor_id AS actor, client_id AS client, tool, outcome,
       correlation_id AS correlation, details FROM organization_audits
     WHERE organization_id = $1 AND event = 'MCP_TOOL_CALLED' ORDER BY position`,
    [organizationId],
  );

/** What work records in the chain of a client's organization. */
export const callsDuring = async <T>(
  stored: Pick<Stored, 'sql'>,
  { person }: Pick<McpClient, 'person'>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly rows: readonly OrganizationCallRow[] }> => {
  const { length } = await organizationCalls(stored, person.organizationId);
  const result = await work();
  return { result, rows: (await organizationCalls(stored, person.organizationId)).slice(length) };
};

export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** The result of a call. Throws when there is none. */
export const resultOf = ({ body, text }: McpAnswer): ToolResult => {
  const { result } = body as { result?: ToolResult };
  if (result === undefined) throw new Error(`No result in ${text}`);
  return result;
};

/** The words of a result. */
export const wordsOf = (answer: McpAnswer): string => resultOf(answer).content[0]?.text ?? '';

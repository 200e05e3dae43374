/** Both endpoints of the Model Context Protocol, for tests of what they share: transport, admission and messages. */

import { organizationTools } from '../../../src/domain/organization-tools/catalogue.ts';
import { defaultApplication } from '../../../src/domain/scopes/application-definition.ts';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { scopesOfTools } from '../../../src/domain/tools/catalogue.ts';
import { scopesOf } from '../../../src/domain/tools/tool.ts';
import { newOwner, newSuperAdmin, type Stored } from '../actors/tenants.ts';
import { type McpClient, newMcpClient, rowsOf } from './mcp.ts';
import { callsDuring, connectToOrganization } from './organization-mcp.ts';

interface CallRow {
  readonly tool: string;
  readonly outcome: string;
  readonly correlation: string;
}

export interface McpSurface {
  readonly path: string;
  readonly audience: string;
  /** Scopes that the challenge names. */
  readonly scopes: readonly string[];
  /** The tool that returns who calls, and what its answer has. */
  readonly whoami: string;
  readonly factsOf: (client: McpClient) => object;
  /** A tool with arguments, and one that changes something, with its arguments. */
  readonly list: string;
  readonly change: (client: McpClient) => { readonly name: string; readonly arguments: object };
  readonly connect: (stored: Stored) => Promise<McpClient>;
  /** What work records of the client's calls. */
  readonly rowsOf: <T>(
    stored: Stored,
    client: McpClient,
    work: () => Promise<T>,
  ) => Promise<{ readonly result: T; readonly rows: readonly CallRow[] }>;
}

const platform: McpSurface = {
  path: '/mcp',
  audience: 'mcp',
  scopes: scopesOfTools,
  whoami: 'mcp_whoami',
  factsOf: ({ person: { email } }) => ({ user: { email } }),
  list: 'users_search',
  change: ({ person: { userId } }) => ({ name: 'sessions_revoke_user', arguments: { userId } }),
  connect: async (stored) => newMcpClient(stored, platformScopes, await newSuperAdmin(stored)),
  rowsOf: (stored, _client, work) => rowsOf(stored, work),
};

const organization: McpSurface = {
  path: '/mcp/organization',
  audience: 'mcp_organization',
  scopes: scopesOf(organizationTools(defaultApplication)),
  whoami: 'whoami',
  factsOf: ({ person: { email } }) => ({ person: { email } }),
  list: 'members_list',
  change: () => ({ name: 'member_invite', arguments: { email: 'invited@example.com', role: 'MEMBER' } }),
  connect: async (stored) => connectToOrganization(stored, await newOwner(stored)),
  rowsOf: callsDuring,
};

export const mcpSurfaces: readonly McpSurface[] = [platform, organization];

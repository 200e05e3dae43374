/**
 * Owns: the catalogue of Platform MCP: arguments, required scopes and results of each tool, over the operations.
 * Promises: A tool has the authority and the rules of the GraphQL operation; a dry run changes nothing.
 *
 * The catalogue of MCP tools, in the order in which clients see them, and the tool mcp_whoami.
 */
import { z } from 'zod';
import { type Actor, scopesOfActor } from '../access/actor.ts';
import type { PlatformScope } from '../scopes/scopes.ts';
import { listOfClients, revokeClient } from './clients.ts';
import { revokeMany, revokeOrganization } from './many-sessions.ts';
import { cancelInvitation, getOrganization, listOrganizations, resetInvitation } from './organizations.ts';
import { counted } from './outputs.ts';
import { listSessions, revokeSession, revokeUser } from './sessions.ts';
import { listSignIns } from './sign-ins.ts';
import { reinstateUser, suspendUser } from './suspensions.ts';
import { defineTool, scopesOf, type Tool } from './tool.ts';
import { getUser, searchUsers } from './users.ts';

// Tool mcp_whoami: the caller, their scopes and the client.

const output = z.object({
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
  }),
  scopes: z.array(z.string()).describe('Granted and still held.'),
  grantedScopes: z.array(z.string()).describe('Consented to.'),
  client: z
    .object({
      id: z.string().describe('Its client_id.'),
      name: z.string(),
    })
    .nullable(),
  credentialId: z.string(),
  sessionFamilyId: z.string(),
});

const whoami = defineTool({
  name: 'mcp_whoami',
  title: 'Who am I',
  description:
    'Returns the super admin that you act for, the client that you call from, and the scopes that your calls have.',
  requiredScopes: ['mcp:whoami'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({}),
  output,
  run: async (_deps, actor) => {
    const { user, credential } = actor;
    return {
      user: { id: user.id, email: user.email, name: user.name },
      scopes: [...scopesOfActor(actor)].sort(),
      grantedScopes: [...credential.scopes],
      client: clientOf(credential),
      credentialId: credential.id,
      sessionFamilyId: credential.sessionFamilyId,
    };
  },
  describe: ({ user, scopes, client }) => {
    const through = client === null ? '' : `, through “${client.name}”`;
    return `You act for “${user.name}” (${user.email})${through}, with ${counted(scopes.length, { one: 'scope', many: 'scopes' })}.`;
  },
});

const clientOf = ({
  clientId: id,
  clientName: name,
  clientMetadataUrl: url,
}: Actor['credential']): z.output<typeof output>['client'] =>
  id === null || name === null ? null : { id: url ?? id, name };

// All tools of Platform MCP (contract/platform-mcp.md#table-of-tools). Only the portal administers Platform MCP itself.

export const catalogue: readonly Tool[] = [
  whoami,
  listSessions,
  revokeSession,
  revokeUser,
  revokeMany,
  revokeOrganization,
  listSignIns,
  searchUsers,
  getUser,
  suspendUser,
  reinstateUser,
  listOrganizations,
  getOrganization,
  resetInvitation,
  cancelInvitation,
  listOfClients,
  revokeClient,
];

export const scopesOfTools: readonly PlatformScope[] = scopesOf(catalogue);

const byName: ReadonlyMap<string, Tool> = new Map(catalogue.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | null => byName.get(name) ?? null;

/** The MCP tools clients_list and client_revoke, over the operations on registered clients. */
import { z } from 'zod';
import { listClients, maxClientSearchLength, revokeClient as revoke } from '../oauth/clients.ts';
import {
  count,
  counted,
  dryRunArgument,
  dryRunPrefix,
  idArgument,
  instant,
  inWords,
  pageArguments,
  pageInWords,
  pageOutput,
  pageSchema,
  queryArgument,
  shortenPage,
} from './outputs.ts';
import { defineTool, lookUp } from './tool.ts';

const client = z.object({
  id: z.string(),
  name: z.string().describe('By its own claim.'),
  redirectUris: z.array(z.string()),
  registeredAt: instant,
  registeredIp: z.string().nullable(),
  lastAuthorizedAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  activeCredentials: count,
  revokedAt: instant.nullable(),
  metadataUrl: z.string().nullable().describe('URL of its metadata document, its client_id.'),
});

export const listOfClients = defineTool({
  name: 'clients_list',
  title: 'List MCP clients',
  description: 'Lists the MCP clients, revoked ones too, the newest first.',
  requiredScopes: ['mcp:access:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(maxClientSearchLength).describe('Part of a name, in any case.'),
    ...pageArguments,
  }),
  output: pageSchema(client),
  run: async (deps, _actor, { query, ...page }) =>
    pageOutput(await listClients(deps, { ...page, search: query }), (row) => ({
      ...row,
      redirectUris: [...row.redirectUris],
    })),
  describe: (page) => pageInWords(page, { one: 'client', many: 'clients' }),
  shorten: shortenPage,
});

export const revokeClient = defineTool({
  name: 'client_revoke',
  title: 'Revoke an MCP client',
  description: 'Revokes an MCP client with every credential that it was issued, of all people. Cannot be undone.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    clientId: idArgument.describe('From clients_list.'),
    ...dryRunArgument,
  }),
  output: z.object({
    dryRun: z.boolean(),
    revokedCredentials: count,
    revokedAt: instant.nullable(),
    endsOwnSession: z.boolean().describe('Further calls are refused.'),
  }),
  run: async (deps, actor, input) => {
    const { dryRun } = input;
    const { revokedCredentials, revokedAt, clientName } = await lookUp('clientId', revoke(deps, actor, input));
    const endsOwnSession = actor.credential.clientId === input.clientId;
    return { dryRun, revokedCredentials, revokedAt: dryRun ? null : revokedAt, endsOwnSession, clientName };
  },
  describe: ({ revokedCredentials, revokedAt, clientName }) => {
    const number = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
    if (revokedAt === null) return `${dryRunPrefix}the client “${clientName}” and ${number} would be revoked.`;
    return `The client “${clientName}” and ${number} revoked on ${inWords(revokedAt)}.`;
  },
});

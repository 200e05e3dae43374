/** The MCP tools clients_list and client_revoke, over the operations on registered clients. */
import { z } from 'zod';
import { listClients, maxClientSearchLength, revokeClient as revoke } from '../oauth/clients.ts';
import {
  count,
  counted,
  dryRunArgument,
  factsOfPage,
  idArgument,
  instant,
  inWords,
  pageArguments,
  pageInWords,
  pageOfFacts,
  queryArgument,
  shortenPage,
} from './facts.ts';
import { defineTool, lookUp } from './tool.ts';

const client = z.object({
  id: z.string().describe('Id of the client; client_revoke takes it.'),
  name: z.string().describe('Its name, by its own claim.'),
  redirectUris: z.array(z.string()).describe('Where it receives authorization codes.'),
  registeredAt: instant.describe('When it registered.'),
  registeredIp: z.string().nullable().describe('From which network address.'),
  lastAuthorizedAt: instant.nullable().describe('When a person last gave it access.'),
  lastUsedAt: instant.nullable().describe('When one of its credentials was last used, to the minute.'),
  activeCredentials: count.describe('Number of its active credentials.'),
  revokedAt: instant.nullable().describe('When it was revoked; null while it is not.'),
  metadataUrl: z
    .string()
    .nullable()
    .describe('The URL of its metadata document, which is its client_id; null for a client that registered itself.'),
});

export const listOfClients = defineTool({
  name: 'clients_list',
  title: 'List MCP clients',
  description:
    'Lists the MCP clients, those that registered and those with a metadata document, revoked ones too, the newest first. Changes nothing. Needs mcp:access:view.',
  requiredScopes: ['mcp:access:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(maxClientSearchLength).describe('Part of the name, in any case.'),
    ...pageArguments,
  }),
  output: pageOfFacts(client),
  run: async (deps, _actor, { query, ...page }) =>
    factsOfPage(await listClients(deps, { ...page, search: query }), (row) => ({
      ...row,
      redirectUris: [...row.redirectUris],
    })),
  describe: (page) => pageInWords(page, { one: 'client', many: 'clients' }),
  shorten: shortenPage,
});

export const revokeClient = defineTool({
  name: 'client_revoke',
  title: 'Revoke an MCP client',
  description:
    'Revokes an MCP client permanently, with every credential that it was issued, of all people. This cannot be undone. Use dryRun first to see how many credentials would end. Needs sessions:revoke.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    clientId: idArgument.describe('Id of the client, as clients_list gives it.'),
    ...dryRunArgument,
  }),
  output: z.object({
    dryRun: z.boolean().describe('true: nothing was changed; the result shows what would change.'),
    revokedCredentials: count.describe('Number of active credentials that are revoked.'),
    revokedAt: instant.nullable().describe('The instant after which no server accepts them; null after a dry run.'),
    endsOwnSession: z
      .boolean()
      .describe('Whether this call was made through the client: further calls are then refused.'),
  }),
  run: async (deps, actor, input) => {
    const { dryRun } = input;
    const { revokedCredentials, revokedAt } = await lookUp('clientId', revoke(deps, actor, input));
    const endsOwnSession = actor.credential.clientId === input.clientId;
    return { dryRun, revokedCredentials, revokedAt: dryRun ? null : revokedAt, endsOwnSession };
  },
  describe: ({ revokedCredentials, revokedAt }) => {
    const number = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
    if (revokedAt === null) return `Dry run, nothing was changed: the client and ${number} would be revoked.`;
    return `The client and ${number} revoked on ${inWords(revokedAt)}.`;
  },
});

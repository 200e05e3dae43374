/** GraphQL operations of super admins on the clients of Platform MCP: mcpClients, revokeMcpClient. */
import type { ClientRow } from '../../domain/oauth/clients-store.ts';
import { listClients } from '../../domain/oauth/list-clients.ts';
import { revokeClient } from '../../domain/oauth/revoke-client.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from '../objects/connection.ts';
import { RevocationReceipt } from '../objects/session.ts';

const McpClient = builder.objectRef<ClientRow>('McpClient').implement({
  description: 'A client that registered itself to connect to Platform MCP. Its name is what it says of itself.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    redirectUris: t.stringList({ resolve: ({ redirectUris }) => [...redirectUris] }),
    registeredAt: t.expose('registeredAt', { type: 'DateTime' }),
    registeredIp: t.exposeString('registeredIp', { nullable: true }),
    lastAuthorizedAt: t.expose('lastAuthorizedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a person last let it in; null, and the registration goes after 30 days.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a credential of it was last seen, to the minute.',
    }),
    activeCredentials: t.exposeInt('activeCredentials'),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
});

const McpClientConnection = connectionOf('McpClient', McpClient);

const pageSize = 50;

interface McpClientsArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly search?: string | null | undefined;
}

const viewer = chain(chain(loggedIn, superAdmin), scopes('EVERY', ['mcp:access:view']));

builder.queryField('mcpClients', (t) =>
  t.field({
    type: McpClientConnection,
    description:
      'Super admin with mcp:access:view: registered clients, revoked ones too, newest first; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      search: t.arg.string({ description: 'Part of the name, case-insensitive.' }),
    },
    resolve: guarded(viewer, (_actor, args: McpClientsArguments, { services }) =>
      listClients(services, { ...args, first: args.first ?? pageSize }),
    ),
  }),
);

const revoker = chain(chain(loggedIn, superAdmin), scopes('EVERY', ['sessions:revoke']));

builder.mutationField('revokeMcpClient', (t) =>
  t.field({
    type: RevocationReceipt,
    description: 'Super admin with sessions:revoke. Shuts a client out for good and ends everything it was issued.',
    args: { clientId: t.arg.id({ required: true }) },
    resolve: guarded(revoker, (actor, { clientId }: { clientId: string }, { services }) =>
      revokeClient(services, actor, { clientId, dryRun: false }),
    ),
  }),
);

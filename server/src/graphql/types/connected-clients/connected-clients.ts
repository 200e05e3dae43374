/**
 * Owns: GraphQL operations on the connections of MCP clients with an organization, and on its policy for them.
 * Promises: They exist only while MCP is on for organizations; none shows or takes a token.
 */
import {
  type ConnectedClientRow,
  listConnectedClients,
} from '../../../domain/connected-clients/connected-clients-store.ts';
import { endConnectedClient } from '../../../domain/connected-clients/end-client.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import { mcpManager } from '../../guards.ts';
import { guarded, operations } from '../../operations.ts';
import { RevocationReceipt } from '../sessions.ts';

const ConnectedClient = builder.objectRef<ConnectedClientRow>('ConnectedClient').implement({
  description: 'A client that a person let into an organization: one pair of tokens.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The session family's." }),
    clientId: t.exposeID('clientId'),
    clientName: t.exposeString('clientName', { description: 'As the client calls itself.' }),
    metadataUrl: t.exposeString('metadataUrl', {
      nullable: true,
      description: 'The client ID metadata document; null for a client that registered itself.',
    }),
    redirectHost: t.exposeString('redirectHost', { description: 'Of the redirect URI that the connection used.' }),
    resource: t.string({
      description: 'Whose tools: the URL of the resource.',
      resolve: ({ audience }, _args, { services: { settings } }) =>
        audience === 'mcp_organization' ? `${settings.baseUrl}/mcp/organization` : audience,
    }),
    scopes: t.stringList({ description: 'As granted.', resolve: ({ scopes }) => [...scopes] }),
    organizationId: t.exposeID('organizationId'),
    organizationName: t.exposeString('organizationName'),
    userId: t.exposeID('userId'),
    userEmail: t.exposeString('userEmail'),
    connectedAt: t.expose('connectedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the person has to connect it again.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryField('connectedClients', (t) =>
  t.field({
    type: connectionOf('ConnectedClient', ConnectedClient),
    description:
      "Logged in: own ones, of every organization, newest first. With `everybody`, everybody's of the active organization: scope MCP_MANAGE. At most 100 at a time.",
    args: { ...pageArguments(t.arg), everybody: t.arg.boolean({ defaultValue: false }) },
    resolve: guarded(operations.connectedClients, (actor, { everybody, ...page }, context) => {
      const whose =
        everybody === true
          ? { organizationId: mcpManager(context).membership.organization.id }
          : { userId: actor.user.id };
      return listConnectedClients(context.services, whose, pageOf(page));
    }),
  }),
);

builder.mutationField('endConnectedClient', (t) =>
  t.field({
    type: RevocationReceipt,
    description:
      'Own ones, or scope MCP_MANAGE for those of the active organization; else NOT_FOUND. Ends the whole session family.',
    args: { id: t.arg.id({ required: true }) },
    resolve: guarded(operations.endConnectedClient, (actor, { id }, { services }) =>
      endConnectedClient(services, actor, id),
    ),
  }),
);

/** GraphQL operations on the policy for MCP clients. */
import { getMcpPolicy, setMcpPolicy } from '../../../domain/connected-clients/mcp-policy.ts';
import { type McpPolicyRow, mcpClientPolicies } from '../../../domain/connected-clients/mcp-policy-store.ts';
import { builder } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';

const McpClientPolicy = builder.enumType('McpClientPolicy', { values: mcpClientPolicies });

const McpPolicy = builder.objectRef<McpPolicyRow>('McpPolicy').implement({
  fields: (t) => ({
    clientIds: t.stringList({
      description: 'Exact: ids of registered clients, URLs of documents.',
      resolve: ({ clientIds }) => [...clientIds],
    }),
    clients: t.expose('clients', { type: McpClientPolicy }),
    redirectHosts: t.stringList({
      description: 'Exact hosts; a connection passes when the redirect URI that it used leads to one.',
      resolve: ({ redirectHosts }) => [...redirectHosts],
    }),
  }),
});

builder.queryField('mcpPolicy', (t) =>
  t.field({
    type: McpPolicy,
    description: 'Scope MCP_MANAGE. Which MCP clients the active organization lets in.',
    resolve: guarded(operations.mcpPolicy, ({ membership }, _args: object, { services }) =>
      getMcpPolicy(services, membership),
    ),
  }),
);

const McpPolicyInput = builder.inputType('McpPolicyInput', {
  description: 'What is left out stays. At most 100 of each.',
  fields: (t) => ({
    clientIds: t.stringList(),
    clients: t.field({ type: McpClientPolicy }),
    redirectHosts: t.stringList(),
  }),
});

builder.mutationField('setMcpPolicy', (t) =>
  t.field({
    type: McpPolicy,
    description:
      'Scope MCP_MANAGE; REAUTHENTICATION_REQUIRED. Counts from the next call of each client: what it refuses is not revoked.',
    args: { input: t.arg({ type: McpPolicyInput, required: true }) },
    resolve: guarded(
      operations.setMcpPolicy,
      (actor, { input }: { input: typeof McpPolicyInput.$inferInput }, { services }) => {
        const { clients = null, clientIds = null, redirectHosts = null } = input;
        return setMcpPolicy(services, actor, { clients, clientIds, redirectHosts });
      },
    ),
  }),
);

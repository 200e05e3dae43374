/** GraphQL operations of super admins on MCP clients: registered clients and connection attempts. */
import { connectionStatuses, type StepRow } from '../../../domain/client-onboarding/connections-store.ts';
import { type ConnectionTimeline, listConnections } from '../../../domain/client-onboarding/list-connections.ts';
import { type ConnectionStep, connectionSteps, ruleExplanations } from '../../../domain/client-onboarding/steps.ts';
import { listClients, revokeClient } from '../../../domain/oauth/clients.ts';
import type { ClientRow } from '../../../domain/oauth/clients-store.ts';
import { maxCounted } from '../../../kernel/paging.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';
import { RevocationReceipt } from '../sessions.ts';

// Registered clients: mcpClients, revokeMcpClient.

const McpClient = builder.objectRef<ClientRow>('McpClient').implement({
  description:
    'A client of Platform MCP that registered itself, or has a metadata document. Its name is its own claim.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    redirectUris: t.stringList({ resolve: ({ redirectUris }) => [...redirectUris] }),
    registeredAt: t.expose('registeredAt', { type: 'DateTime' }),
    registeredIp: t.exposeString('registeredIp', { nullable: true }),
    lastAuthorizedAt: t.expose('lastAuthorizedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a person last gave it access. While null, the registration is deleted after 30 days.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When one of its credentials was last used, to the minute.',
    }),
    activeCredentials: t.exposeInt('activeCredentials', { description: `Counted up to ${maxCounted}.` }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    metadataUrl: t.exposeString('metadataUrl', {
      nullable: true,
      description: 'The client ID metadata document; null for a client that registered itself.',
    }),
  }),
});

const McpClientConnection = connectionOf('McpClient', McpClient);

builder.mutationField('revokeMcpClient', (t) =>
  t.field({
    type: RevocationReceipt,
    description:
      'Super admin with sessions:revoke. Revokes a client permanently, with every credential that it was issued: nothing accepts them from then on. After UNAVAILABLE, repeat the call. The URL of a metadata document stays revoked, listed or not.',
    args: {
      clientId: t.arg.id({ required: true }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Changes nothing; revokedAt is the time of the check.',
      }),
    },
    resolve: guarded(operations.revokeMcpClient, (actor, { clientId, dryRun }, { services }) =>
      revokeClient(services, actor, { clientId, dryRun: dryRun === true }),
    ),
  }),
);

// Connection attempts: mcpConnections.

const McpConnectionStatus = builder.enumType('McpConnectionStatus', {
  description:
    'CONNECTED: a call succeeded after the last refusal. REFUSED: a step was refused, and neither it nor a later step has succeeded since. UNFINISHED: neither.',
  values: connectionStatuses,
});

const documentOfClient = { client_document: "The client's metadata document was fetched, or refused." };

const connectionStepNames: Readonly<Record<string, { value: ConnectionStep; description?: string }>> =
  Object.fromEntries(
    connectionSteps.map((step) => [
      step,
      step === 'client_document' ? { value: step, description: documentOfClient[step] } : { value: step },
    ]),
  );

const McpConnectionStepName = builder.enumType('McpConnectionStepName', {
  description: 'In the order in which a client takes them.',
  values: { ...connectionStepNames },
});

const McpConnectionStep = builder.objectRef<StepRow>('McpConnectionStep').implement({
  description: 'A step of a connection. A repeated step is one step with a count.',
  fields: (t) => ({
    step: t.expose('step', { type: McpConnectionStepName }),
    at: t.expose('at', { type: 'DateTime', description: 'The first time.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'The last time.' }),
    count: t.exposeInt('count'),
    rule: t.exposeString('rule', { nullable: true, description: 'The rule that refused it; null when it succeeded.' }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'What the rule refused, such as a redirect URI without its query.',
    }),
    explanation: t.string({
      nullable: true,
      description: 'What was refused, in words; null when it succeeded.',
      resolve: ({ rule }) => (rule === null ? null : ruleExplanations[rule].explanation),
    }),
    mend: t.string({
      nullable: true,
      description: 'How to allow or fix it; null when it succeeded.',
      resolve: ({ rule }) => (rule === null ? null : ruleExplanations[rule].fix),
    }),
  }),
});

const McpConnection = builder.objectRef<ConnectionTimeline>('McpConnection').implement({
  description: 'An attempt of an MCP client to connect: the steps that are known to belong together.',
  fields: (t) => ({
    id: t.exposeID('id'),
    clientId: t.exposeID('clientId', {
      nullable: true,
      description: 'Null while the client has not identified itself.',
    }),
    clientName: t.exposeString('clientName', { nullable: true, description: 'As the client registered it.' }),
    ip: t.exposeString('ip'),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    beganAt: t.expose('beganAt', { type: 'DateTime' }),
    lastStepAt: t.expose('lastStepAt', { type: 'DateTime' }),
    status: t.expose('status', { type: McpConnectionStatus }),
    firstRefusal: t.field({
      type: McpConnectionStep,
      nullable: true,
      description: 'The first refused step, unless it or a later step has succeeded since.',
      resolve: ({ steps }) => steps.find(({ isUnresolved }) => isUnresolved),
    }),
    steps: t.field({ type: [McpConnectionStep], resolve: ({ steps }) => [...steps] }),
  }),
});

const McpConnectionConnection = connectionOf('McpConnection', McpConnection);

const McpConnectionFilter = builder.inputType('McpConnectionFilter', {
  fields: (t) => ({
    clientId: t.id(),
    status: t.field({ type: McpConnectionStatus }),
    search: t.string({ description: "Part of the client's name, of the address or of the user agent." }),
  }),
});

builder.queryFields((t) => ({
  mcpClients: t.field({
    type: McpClientConnection,
    description:
      'Super admin with mcp:access:view: all clients, revoked ones too, newest first; at most 100 at a time.',
    args: { ...pageArguments(t.arg), search: t.arg.string({ description: 'Part of the name, case-insensitive.' }) },
    resolve: guarded(operations.mcpClients, (_actor, args, { services }) => listClients(services, pageOf(args))),
  }),
  mcpConnections: t.field({
    type: McpConnectionConnection,
    description:
      'Super admin with mcp:access:view: how MCP clients connected in the last seven days, newest step first; at most 100 at a time.',
    args: { ...pageArguments(t.arg), filter: t.arg({ type: McpConnectionFilter }) },
    resolve: guarded(operations.mcpConnections, (actor, args, { services }) =>
      listConnections(services, actor, pageOf(args), args.filter ?? {}),
    ),
  }),
}));

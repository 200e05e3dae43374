/**
 * GraphQL operations of super admins on MCP clients: registered clients and connection attempts.
 */

import { connectionStatuses, type StepRow } from '../../domain/client-onboarding/connections-store.ts';
import {
  type ConnectionFilter,
  type ConnectionTimeline,
  listConnections,
} from '../../domain/client-onboarding/list-connections.ts';
import { connectionSteps, ruleExplanations } from '../../domain/client-onboarding/steps.ts';
import { listClients, revokeClient } from '../../domain/oauth/clients.ts';
import type { ClientRow } from '../../domain/oauth/clients-store.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from './connection.ts';
import { RevocationReceipt } from './sessions.ts';

// Registered clients: mcpClients, revokeMcpClient.

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

const clientsPerPage = 50;

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
      first: t.arg.int({ defaultValue: clientsPerPage }),
      after: t.arg.string(),
      search: t.arg.string({ description: 'Part of the name, case-insensitive.' }),
    },
    resolve: guarded(viewer, (_actor, args: McpClientsArguments, { services }) =>
      listClients(services, { ...args, first: args.first ?? clientsPerPage }),
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

// Connection attempts: mcpConnections.

const McpConnectionStatus = builder.enumType('McpConnectionStatus', {
  description:
    'CONNECTED: a call was passed after the last refusal. REFUSED: a step was refused, and nothing has passed it or a later one since. UNFINISHED: neither.',
  values: connectionStatuses,
});

const McpConnectionStepName = builder.enumType('McpConnectionStepName', {
  description: 'In the order in which a client takes them.',
  values: connectionSteps,
});

const McpConnectionStep = builder.objectRef<StepRow>('McpConnectionStep').implement({
  description: 'A step of a connection. One that came again as it was is one step with a count.',
  fields: (t) => ({
    step: t.expose('step', { type: McpConnectionStepName }),
    at: t.expose('at', { type: 'DateTime', description: 'The first time.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'The last time.' }),
    count: t.exposeInt('count'),
    rule: t.exposeString('rule', { nullable: true, description: 'The rule that refused it; null when it was passed.' }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'What the rule refused, such as a redirect URI without its query.',
    }),
    explanation: t.string({
      nullable: true,
      description: 'What was refused, in words; null when it was passed.',
      resolve: ({ rule }) => (rule === null ? null : ruleExplanations[rule].explanation),
    }),
    mend: t.string({
      nullable: true,
      description: 'How to allow or mend it; null when it was passed.',
      resolve: ({ rule }) => (rule === null ? null : ruleExplanations[rule].mend),
    }),
  }),
});

const McpConnection = builder.objectRef<ConnectionTimeline>('McpConnection').implement({
  description: 'An attempt of an MCP client to connect, as far as its steps are known to belong together.',
  fields: (t) => ({
    id: t.exposeID('id'),
    clientId: t.exposeID('clientId', { nullable: true, description: 'Null while the client has not said who it is.' }),
    clientName: t.exposeString('clientName', { nullable: true, description: 'As the client registered itself.' }),
    ip: t.exposeString('ip'),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    beganAt: t.expose('beganAt', { type: 'DateTime' }),
    lastStepAt: t.expose('lastStepAt', { type: 'DateTime' }),
    status: t.expose('status', { type: McpConnectionStatus }),
    firstRefusal: t.field({
      type: McpConnectionStep,
      nullable: true,
      description: 'The first step that was refused and that nothing has passed since, nor a later one.',
      resolve: ({ steps }) => steps.find(({ stands }) => stands),
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

const connectionsPerPage = 50;

interface McpConnectionsArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?: ConnectionFilter | null | undefined;
}

const accessViewer = chain(chain(loggedIn, superAdmin), scopes('EVERY', ['mcp:access:view']));

builder.queryField('mcpConnections', (t) =>
  t.field({
    type: McpConnectionConnection,
    description:
      'Super admin with mcp:access:view: how MCP clients connected in the last seven days, newest step first; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: connectionsPerPage }),
      after: t.arg.string(),
      filter: t.arg({ type: McpConnectionFilter }),
    },
    resolve: guarded(accessViewer, (actor, args: McpConnectionsArguments, { services }) =>
      listConnections(services, actor, { ...args, first: args.first ?? connectionsPerPage }, args.filter ?? {}),
    ),
  }),
);

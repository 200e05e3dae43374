/** GraphQL query of super admins on how MCP clients connect: mcpConnections. */
import { connectionStatuses, type StepRow } from '../../domain/connections/connections-store.ts';
import { ruleExplanations } from '../../domain/connections/explanations.ts';
import {
  type ConnectionFilter,
  type ConnectionTimeline,
  listConnections,
} from '../../domain/connections/list-connections.ts';
import { connectionSteps } from '../../domain/connections/steps.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from '../objects/connection.ts';

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

const pageSize = 50;

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
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      filter: t.arg({ type: McpConnectionFilter }),
    },
    resolve: guarded(accessViewer, (actor, args: McpConnectionsArguments, { services }) =>
      listConnections(services, actor, { ...args, first: args.first ?? pageSize }, args.filter ?? {}),
    ),
  }),
);

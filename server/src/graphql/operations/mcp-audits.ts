/** GraphQL queries of super admins on the record of MCP tool calls: mcpToolAudits, mcpToolOutcomes. */
import {
  countToolOutcomes,
  listToolAudits,
  type ToolAuditFilter as ToolAuditFilterInput,
} from '../../domain/audit/list-tool-audits.ts';
import { type OutcomeBucketRow, type ToolAuditRow, toolOutcomes } from '../../domain/audit/tool-audits-store.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from '../objects/connection.ts';

const McpToolOutcome = builder.enumType('McpToolOutcome', { values: toolOutcomes });

const McpToolAudit = builder.objectRef<ToolAuditRow>('McpToolAudit').implement({
  description: 'A call of an MCP tool. Neither tokens nor arguments are ever recorded.',
  fields: (t) => ({
    id: t.exposeID('id'),
    actorUserId: t.exposeID('actorUserId'),
    actorEmail: t.exposeString('actorEmail', { description: "The person's address now." }),
    credentialId: t.exposeID('credentialId'),
    clientId: t.exposeID('clientId'),
    clientName: t.exposeString('clientName', { nullable: true, description: 'As the client registered itself.' }),
    tool: t.exposeString('tool'),
    outcome: t.expose('outcome', { type: McpToolOutcome }),
    correlationId: t.exposeString('correlationId', {
      description: 'The same as in the answer to the client and in the log.',
    }),
    argumentDigest: t.exposeString('argumentDigest', {
      description: 'Alike for equal arguments, under a key of the service.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const McpToolAuditConnection = connectionOf('McpToolAudit', McpToolAudit);

const McpToolAuditFilter = builder.inputType('McpToolAuditFilter', {
  fields: (t) => ({
    tool: t.string(),
    outcome: t.field({ type: McpToolOutcome }),
    actorUserId: t.id(),
    clientId: t.id(),
    correlationId: t.string(),
    from: t.field({ type: 'DateTime', description: 'Inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'Exclusive.' }),
  }),
});

const auditor = chain(chain(loggedIn, superAdmin), scopes('EVERY', ['mcp:audit:view']));

const pageSize = 50;

interface ToolAuditsArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?: ToolAuditFilterInput | null | undefined;
}

builder.queryField('mcpToolAudits', (t) =>
  t.field({
    type: McpToolAuditConnection,
    description: 'Super admin with mcp:audit:view, newest first; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      filter: t.arg({ type: McpToolAuditFilter }),
    },
    resolve: guarded(auditor, (_actor, args: ToolAuditsArguments, { services }) =>
      listToolAudits(services, { ...args, first: args.first ?? pageSize }, args.filter ?? {}),
    ),
  }),
);

const McpToolOutcomeBucket = builder.objectRef<OutcomeBucketRow>('McpToolOutcomeBucket').implement({
  description: 'How many tool calls a piece of time saw, by what came of them.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Inclusive.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Exclusive.' }),
    success: t.exposeInt('success'),
    deny: t.exposeInt('deny'),
    error: t.exposeInt('error'),
  }),
});

interface SpanArguments {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

builder.queryField('mcpToolOutcomes', (t) =>
  t.field({
    type: [McpToolOutcomeBucket],
    description:
      'Super admin with mcp:audit:view. Hours of a span up to 48 hours, else days up to 92, from `from` on; those without a call too. Without arguments the last seven days.',
    args: { from: t.arg({ type: 'DateTime' }), to: t.arg({ type: 'DateTime' }) },
    resolve: guarded(auditor, async (_actor, args: SpanArguments, { services }) => [
      ...(await countToolOutcomes(services, args)),
    ]),
  }),
);

/** Queries of super admins on Platform MCP: the audit record of tool calls, the users, and the tool catalogue. */
import type { CsvFile } from '../../../domain/audit/audit-lists.ts';
import {
  countToolOutcomes,
  exportToolAudits,
  type ListDeps,
  listToolAudits,
} from '../../../domain/audit/list-tool-audits.ts';
import { type OutcomeBucketRow, type ToolAuditRow, toolOutcomes } from '../../../domain/audit/tool-audits-store.ts';
import { catalogue, findTool } from '../../../domain/tools/catalogue.ts';
import { listPlatformMcpUsers, type McpUserRow } from '../../../domain/tools/mcp-users.ts';
import type { Tool } from '../../../domain/tools/tool.ts';
import { inputSchemaOf } from '../../../domain/tools/tool-schemas.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';

// The audit record of tool calls: mcpToolAudits, mcpToolAuditsCsv, mcpToolOutcomes.

const McpToolOutcome = builder.enumType('McpToolOutcome', { values: toolOutcomes });

const McpToolAudit = builder.objectRef<ToolAuditRow>('McpToolAudit').implement({
  description: 'A call of an MCP tool. Neither tokens nor arguments are ever recorded.',
  fields: (t) => ({
    id: t.exposeID('id'),
    actorUserId: t.exposeID('actorUserId'),
    actorEmail: t.exposeString('actorEmail', {
      description: "The person's address now; empty when the account is deleted.",
    }),
    credentialId: t.exposeID('credentialId'),
    clientId: t.exposeID('clientId'),
    clientName: t.exposeString('clientName', { nullable: true, description: 'As the client registered it.' }),
    tool: t.exposeString('tool'),
    outcome: t.expose('outcome', { type: McpToolOutcome }),
    correlationId: t.exposeString('correlationId', {
      description: 'The same as in the answer to the client and in the log.',
    }),
    argumentDigest: t.exposeString('argumentDigest', { description: 'Keyed digest: equal for equal arguments.' }),
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

const ofRecord = ({ database }: Pick<ListDeps, 'database'>): ListDeps => ({
  database,
  isTool: (name) => findTool(name) !== null,
});

const McpToolAuditsCsv = builder.objectRef<CsvFile>('McpToolAuditsCsv').implement({
  fields: (t) => ({
    csv: t.exposeString('csv', {
      description:
        'RFC 4180, with a heading. A value that a spreadsheet would run as a formula has an apostrophe before it.',
    }),
    rows: t.exposeInt('rows', { description: 'Without the heading.' }),
    isCut: t.exposeBoolean('isCut', { description: 'Whether more calls match than the file has.' }),
  }),
});

const McpToolOutcomeBucket = builder.objectRef<OutcomeBucketRow>('McpToolOutcomeBucket').implement({
  description: 'Number of tool calls in an interval, by outcome.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Inclusive.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Exclusive.' }),
    success: t.exposeInt('success'),
    deny: t.exposeInt('deny'),
    error: t.exposeInt('error'),
  }),
});

// The users of Platform MCP: platformMcpUsers.

const McpUser = builder.objectRef<McpUserRow>('McpUser').implement({
  fields: (t) => ({
    userId: t.exposeID('userId'),
    email: t.exposeString('email'),
    name: t.exposeString('name'),
    scopes: t.stringList({ description: 'Scopes that the person has now.', resolve: ({ scopes }) => [...scopes] }),
    activeCredentials: t.exposeInt('activeCredentials', {
      description: 'Credentials of MCP clients that can be used now, access and refresh ones alike.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The last recorded call of a tool.',
    }),
  }),
});

const McpUserConnection = connectionOf('McpUser', McpUser);

// The tool catalogue: platformMcpCatalog.

const McpTool = builder.objectRef<Tool>('McpTool').implement({
  description: 'A tool that MCP clients can call.',
  fields: (t) => ({
    name: t.exposeString('name'),
    title: t.exposeString('title'),
    description: t.exposeString('description'),
    requiredScopes: t.stringList({ resolve: ({ requiredScopes }) => [...requiredScopes] }),
    inputSchema: t.string({
      description: 'JSON Schema of the input, as MCP clients receive it.',
      resolve: (tool) => JSON.stringify(inputSchemaOf(tool)),
    }),
    readOnly: t.exposeBoolean('isReadOnly'),
    destructive: t.exposeBoolean('isDestructive'),
  }),
});

builder.queryFields((t) => ({
  mcpToolAudits: t.field({
    type: McpToolAuditConnection,
    description: 'Super admin with mcp:audit:view, newest first; at most 100 at a time.',
    args: { ...pageArguments(t.arg), filter: t.arg({ type: McpToolAuditFilter }) },
    resolve: guarded(operations.mcpToolAudits, (_actor, args, { services }) =>
      listToolAudits(ofRecord(services), pageOf(args), args.filter ?? {}),
    ),
  }),
  mcpToolAuditsCsv: t.field({
    type: McpToolAuditsCsv,
    description: 'Super admin with mcp:audit:view: the newest calls of a filter as a file, at most 10,000.',
    args: { filter: t.arg({ type: McpToolAuditFilter }) },
    resolve: guarded(operations.mcpToolAuditsCsv, (_actor, { filter }, { services }) =>
      exportToolAudits(ofRecord(services), filter ?? {}),
    ),
  }),
  mcpToolOutcomes: t.field({
    type: [McpToolOutcomeBucket],
    description:
      'Super admin with mcp:audit:view. Hours for a range of up to 48 hours, else days, up to 92, starting at `from`; intervals without calls are included. Without arguments: the last seven days.',
    args: { from: t.arg({ type: 'DateTime' }), to: t.arg({ type: 'DateTime' }) },
    resolve: guarded(operations.mcpToolOutcomes, async (_actor, args, { services }) => [
      ...(await countToolOutcomes(services, args)),
    ]),
  }),
  platformMcpUsers: t.field({
    type: McpUserConnection,
    description:
      'Super admin with mcp:access:view: the super admins who may use, or have used, Platform MCP and are not suspended, by address; at most 100 at a time.',
    args: {
      ...pageArguments(t.arg),
      search: t.arg.string({ description: 'Part of a name or an address, case-insensitive.' }),
    },
    resolve: guarded(operations.platformMcpUsers, (_actor, args, { services }) =>
      listPlatformMcpUsers(services, pageOf(args)),
    ),
  }),
  platformMcpCatalog: t.field({
    type: [McpTool],
    description: 'Super admin with mcp:catalog:view. Every tool, including those that the caller may not use.',
    resolve: guarded(operations.platformMcpCatalog, () => [...catalogue]),
  }),
}));

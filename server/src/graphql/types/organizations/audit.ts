/** GraphQL queries on the audit of the active organization. */
import type { CsvFile } from '../../../domain/audit/audit-lists.ts';
import { exportOrganizationAudits, listOrganizationAudits } from '../../../domain/audit/list-organization-audits.ts';
import {
  type OrganizationAuditRow,
  organizationAuditEvents,
  type organizationAuditOutcomes,
} from '../../../domain/audit/organization-audits-store.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';
import { ActorKind } from '../sessions.ts';

const OrganizationAuditEvent = builder.enumType('OrganizationAuditEvent', { values: organizationAuditEvents });

const OrganizationAuditOutcome = builder.enumType('OrganizationAuditOutcome', {
  values: {
    deny: {},
    error: {},
    started: {
      description:
        'Before a tool that may change something ran. Without a second row of this correlation id the outcome is unknown.',
    },
    success: {},
  } satisfies Record<(typeof organizationAuditOutcomes)[number], object>,
});

const OrganizationAuditEntry = builder.objectRef<OrganizationAuditRow>('OrganizationAuditEntry').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    position: t.exposeInt('position', { description: 'Of the chain of this organization, from 1.' }),
    event: t.expose('event', { type: OrganizationAuditEvent }),
    outcome: t.expose('outcome', {
      type: OrganizationAuditOutcome,
      description: 'For MCP_TOOL_CALLED; success otherwise.',
    }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Null when no actor did it, as with a report.' }),
    actorKind: t.expose('actorKind', { type: ActorKind, nullable: true }),
    actorEmail: t.exposeString('actorEmail', {
      nullable: true,
      description:
        'The address now. Null for a service account, once the person is gone, and once they left and have another one.',
    }),
    credentialId: t.exposeID('credentialId', { nullable: true }),
    subjectId: t.exposeID('subjectId', {
      nullable: true,
      description: 'What it was done to: the id of a token, service account or client.',
    }),
    clientId: t.exposeID('clientId', { nullable: true }),
    tool: t.exposeString('tool', { nullable: true, description: 'For MCP_TOOL_CALLED.' }),
    correlationId: t.exposeString('correlationId', { description: 'The same as in the answer to the caller.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    details: t.exposeString('details', {
      nullable: true,
      description: 'JSON text; null once erased. Never a secret, never a raw argument.',
    }),
  }),
});

const OrganizationAuditConnection = connectionOf('OrganizationAudit', OrganizationAuditEntry);

const OrganizationAuditFilter = builder.inputType('OrganizationAuditFilter', {
  fields: (t) => ({
    actorId: t.id(),
    correlationId: t.string(),
    event: t.field({ type: OrganizationAuditEvent }),
    from: t.field({ type: 'DateTime', description: 'Inclusive.' }),
    outcome: t.field({ type: OrganizationAuditOutcome }),
    subjectId: t.id(),
    to: t.field({ type: 'DateTime', description: 'Exclusive.' }),
    tool: t.string(),
  }),
});

const OrganizationAuditCsv = builder.objectRef<CsvFile>('OrganizationAuditCsv').implement({
  fields: (t) => ({
    csv: t.exposeString('csv', {
      description:
        'RFC 4180, with a heading. A value that a spreadsheet would run as a formula has an apostrophe before it.',
    }),
    rows: t.exposeInt('rows', { description: 'Without the heading.' }),
    isCut: t.exposeBoolean('isCut', { description: 'Whether more rows match than the file has.' }),
  }),
});

builder.queryFields((t) => ({
  organizationAudit: t.field({
    type: OrganizationAuditConnection,
    description: "Scope AUDIT_VIEW. The active organization's, newest first; at most 100 at a time.",
    args: { ...pageArguments(t.arg), filter: t.arg({ type: OrganizationAuditFilter }) },
    resolve: guarded(operations.organizationAudit, ({ membership }, args, { services }) =>
      listOrganizationAudits(services, membership.organization.id, pageOf(args), args.filter ?? {}),
    ),
  }),
  organizationAuditCsv: t.field({
    type: OrganizationAuditCsv,
    description: 'Scope AUDIT_VIEW: the newest rows of a filter as a file, at most 10,000.',
    args: { filter: t.arg({ type: OrganizationAuditFilter }) },
    resolve: guarded(operations.organizationAuditCsv, ({ membership }, { filter }, { services }) =>
      exportOrganizationAudits(services, membership.organization.id, filter ?? {}),
    ),
  }),
}));

/** GraphQL operations of super admins on many sessions. */
import { actorKindOf, listSessionFamilies } from '../../../domain/session-admin/list-sessions.ts';
import {
  type BulkRevocation as Bulk,
  mostChosen,
  revokeOrganizationSessions,
  revokeSessionFamilies,
  revokeSessions,
} from '../../../domain/session-admin/revoke-many.ts';
import { type SessionFamilyRow, sessionOrders } from '../../../domain/session-admin/session-families-store.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import type { GraphqlContext } from '../../context.ts';
import { clearCookiesOfCaller } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { ActorKind } from '../sessions.ts';
import { SessionFilter } from './governance.ts';

const SessionFamily = builder.objectRef<SessionFamilyRow>('SessionFamily').implement({
  description: 'A session family, or the token of a machine, with what is active of it.',
  fields: (t) => ({
    sessionFamilyId: t.exposeID('sessionFamilyId'),
    actorKind: t.field({ type: ActorKind, resolve: actorKindOf }),
    tokenName: t.exposeString('tokenName', { nullable: true, description: 'Of a machine: the name of the token.' }),
    userId: t.exposeID('userId'),
    userEmail: t.exposeString('userEmail'),
    organizationId: t.exposeID('organizationId', { nullable: true }),
    organizationName: t.exposeString('organizationName', { nullable: true }),
    clientName: t.exposeString('clientName', { nullable: true }),
    audience: t.exposeString('audience'),
    authMethod: t.exposeString('authMethod'),
    credentials: t.exposeInt('credentials', { description: 'Number of active credentials.' }),
    firstIssuedAt: t.expose('firstIssuedAt', { type: 'DateTime' }),
    issueIp: t.exposeString('issueIp', {
      nullable: true,
      description: 'Of the newest pair or secret, which filters compare.',
    }),
    issueUserAgent: t.exposeString('issueUserAgent', {
      nullable: true,
      description: 'Of the newest pair, which filters compare.',
    }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
    lastSeenIp: t.exposeString('lastSeenIp', { nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    isCurrent: t.boolean({
      description: "True for the request's own session.",
      resolve: ({ sessionFamilyId }, _args, { actor }) => sessionFamilyId === actor?.credential.sessionFamilyId,
    }),
  }),
});

const SessionFamilyConnection = connectionOf('SessionFamily', SessionFamily);

const SessionOrder = builder.enumType('SessionOrder', {
  description: 'NEWEST: by the issue of the newest pair, in a list of any length. Others sort 10,000 sessions at most.',
  values: sessionOrders,
});

const SortDirection = builder.enumType('SortDirection', { values: ['ASC', 'DESC'] as const });

builder.queryField('sessionFamilies', (t) =>
  t.field({
    type: SessionFamilyConnection,
    description:
      'Super admin with sessions:view. One row a session or token of a machine: those of which an active credential matches the filter; at most 100 at a time.',
    args: {
      ...pageArguments(t.arg),
      filter: t.arg({ type: SessionFilter }),
      orderBy: t.arg({ type: SessionOrder, defaultValue: 'NEWEST' }),
      direction: t.arg({ type: SortDirection, defaultValue: 'DESC' }),
    },
    resolve: guarded(operations.sessionFamilies, (_actor, args, { services }) =>
      listSessionFamilies(services, pageOf(args), args.filter ?? {}, args),
    ),
  }),
);

const BulkRevocation = builder.objectRef<Bulk>('BulkRevocation').implement({
  description: 'What a change ended, or after a dry run would end.',
  fields: (t) => ({
    dryRun: t.exposeBoolean('dryRun'),
    sessions: t.exposeInt('sessions'),
    revokedCredentials: t.exposeInt('revokedCredentials', { description: 'Credentials that were active.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was durable; no server accepts the credentials after this instant. Null after a dry run.',
    }),
    endsOwnSession: t.exposeBoolean('endsOwnSession', {
      description: "Whether the request's own session is among them.",
    }),
  }),
});

const deliver = (context: GraphqlContext, revocation: Bulk): Bulk => {
  if (revocation.endsOwnSession && !revocation.dryRun) clearCookiesOfCaller(context);
  return revocation;
};

builder.mutationFields((t) => ({
  revokeSessions: t.field({
    type: BulkRevocation,
    description:
      'Super admin with sessions:revoke. Ends every session of which an active credential matches the filter; LIMIT_REACHED beyond 10,000. CONFLICT, with `count` in the extensions, when it is another number than expectedCount, which a dry run with the same filter answers.',
    args: {
      filter: t.arg({ type: SessionFilter, required: true }),
      expectedCount: t.arg.int(),
      dryRun: t.arg.boolean({ defaultValue: false }),
    },
    resolve: guarded(operations.revokeSessions, async (actor, { filter, expectedCount, dryRun }, context) =>
      deliver(
        context,
        await revokeSessions(context.services, actor, { filter, expectedCount, dryRun: dryRun === true }),
      ),
    ),
  }),
  revokeOrganizationSessions: t.field({
    type: BulkRevocation,
    description:
      'Super admin with sessions:revoke. Ends every session, token and MCP pair that was issued in an organization; LIMIT_REACHED beyond 10,000 sessions.',
    args: { organizationId: t.arg.id({ required: true }), dryRun: t.arg.boolean({ defaultValue: false }) },
    resolve: guarded(operations.revokeOrganizationSessions, async (actor, { organizationId, dryRun }, context) =>
      deliver(
        context,
        await revokeOrganizationSessions(context.services, actor, { organizationId, dryRun: dryRun === true }),
      ),
    ),
  }),
  revokeSessionFamilies: t.field({
    type: BulkRevocation,
    description: `Super admin with sessions:revoke. Ends the sessions that were chosen, ${mostChosen} at most; one that has ended meanwhile counts for nothing.`,
    args: { sessionFamilyIds: t.arg.idList({ required: true }), dryRun: t.arg.boolean({ defaultValue: false }) },
    resolve: guarded(operations.revokeSessionFamilies, async (actor, { sessionFamilyIds, dryRun }, context) =>
      deliver(
        context,
        await revokeSessionFamilies(context.services, actor, { sessionFamilyIds, dryRun: dryRun === true }),
      ),
    ),
  }),
}));

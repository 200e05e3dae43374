/**
 * Owns: GraphQL operations of super admins: sessions, people and organizations, MCP clients and tool calls.
 * Promises: Each requires a super admin.
 *
 * Those on all sessions.
 */
import { authMethods } from '../../../domain/credentials/token.ts';
import { listActiveSessions } from '../../../domain/session-admin/list-sessions.ts';
import {
  type AdminRevocation,
  adminRevokeSession,
  revokeSessionsOfUser,
} from '../../../domain/session-admin/revoke-session.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import type { GraphqlContext } from '../../context.ts';
import { clearCookiesOfCaller } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { CredentialKind, RevocationReceipt, Session } from '../sessions.ts';

const SessionConnection = connectionOf('Session', Session);

/** Fields of one filter hold together. */
export const SessionFilter = builder.inputType('SessionFilter', {
  description: 'Fields of one filter hold together. A field that is malformed, or names nothing, is BAD_USER_INPUT.',
  fields: (t) => ({
    email: t.string({ description: 'Part of the e-mail address, case-insensitive. Never finds a service account.' }),
    userId: t.id({ description: 'Of a person, or of a service account.' }),
    organizationId: t.id(),
    audience: t.string(),
    kind: t.field({ type: CredentialKind }),
    clientId: t.id(),
    authMethod: t.string({ description: `One of: ${authMethods.join(', ')}.` }),
    issuedAfter: t.field({ type: 'DateTime', description: 'At this instant or later.' }),
    issuedBefore: t.field({ type: 'DateTime' }),
    seenAfter: t.field({ type: 'DateTime', description: 'Last used at this instant or later.' }),
    seenBefore: t.field({ type: 'DateTime', description: 'Last used before; a credential never used does not match.' }),
    network: t.string({ description: 'An address or a CIDR, of issue or of last use.' }),
    userAgent: t.string({ description: 'Part of the user agent of issue, case-insensitive.' }),
  }),
});

builder.queryField('activeSessions', (t) =>
  t.field({
    type: SessionConnection,
    description:
      'Super admin with sessions:view. Active credentials of every user and service account, MCP ones included, newest first; at most 100 at a time.',
    args: { ...pageArguments(t.arg), filter: t.arg({ type: SessionFilter }) },
    resolve: guarded(operations.activeSessions, (_actor, args, { services }) =>
      listActiveSessions(services, pageOf(args), args.filter ?? {}),
    ),
  }),
);

const deliver = (context: GraphqlContext, revocation: AdminRevocation): AdminRevocation => {
  if (revocation.endsOwnSession) clearCookiesOfCaller(context);
  return revocation;
};

builder.mutationFields((t) => ({
  revokeSession: t.field({
    type: RevocationReceipt,
    description:
      'Super admin with sessions:revoke. Ends the whole session, or token of a machine, that the credential belongs to.',
    args: { credentialId: t.arg.id({ required: true }) },
    resolve: guarded(operations.revokeSession, async (actor, { credentialId }, context) =>
      deliver(context, await adminRevokeSession(context.services, actor, { credentialId, dryRun: false })),
    ),
  }),
  revokeUserSessions: t.field({
    type: RevocationReceipt,
    description:
      'Super admin with sessions:revoke. Signs a user out everywhere: personal tokens end too. A service account is NOT_FOUND.',
    args: { userId: t.arg.id({ required: true }) },
    resolve: guarded(operations.revokeUserSessions, async (actor, { userId }, context) =>
      deliver(context, await revokeSessionsOfUser(context.services, actor, { userId, dryRun: false })),
    ),
  }),
}));

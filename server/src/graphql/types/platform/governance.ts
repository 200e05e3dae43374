/**
 * Owns: GraphQL operations of super admins: sessions, people and organizations, MCP clients and tool calls.
 * Promises: Each requires a super admin.
 *
 * GraphQL operations of super admins on all sessions: activeSessions, revokeSession, revokeUserSessions.
 */
import {
  type AdminRevocation,
  adminRevokeSession,
  listActiveSessions,
  revokeSessionsOfUser,
} from '../../../domain/sessions/admin-sessions.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import type { GraphqlContext } from '../../context.ts';
import { clearCookiesOfCaller } from '../../deliver-pair.ts';
import { guarded, guards } from '../../guards.ts';
import { CredentialKind, RevocationReceipt, Session } from '../sessions.ts';

const SessionConnection = connectionOf('Session', Session);

const SessionFilter = builder.inputType('SessionFilter', {
  fields: (t) => ({
    email: t.string({ description: 'Part of the e-mail address, case-insensitive.' }),
    userId: t.id(),
    organizationId: t.id(),
    audience: t.string(),
    kind: t.field({ type: CredentialKind }),
  }),
});

builder.queryField('activeSessions', (t) =>
  t.field({
    type: SessionConnection,
    description:
      'Super admin: active credentials of every user, MCP ones included, newest first; at most 100 at a time.',
    args: {
      ...pageArguments(t.arg),
      filter: t.arg({ type: SessionFilter }),
    },
    resolve: guarded(guards.activeSessions, (_actor, args, { services }) =>
      listActiveSessions(services, pageOf(args), args.filter ?? {}),
    ),
  }),
);

const deliver = (context: GraphqlContext, revocation: AdminRevocation): AdminRevocation => {
  if (revocation.endsOwnSession) clearCookiesOfCaller(context);
  return revocation;
};

builder.mutationField('revokeSession', (t) =>
  t.field({
    type: RevocationReceipt,
    description: 'Super admin with sessions:revoke. Ends the whole session that the credential belongs to.',
    args: { credentialId: t.arg.id({ required: true }) },
    resolve: guarded(guards.revokeSession, async (actor, { credentialId }, context) =>
      deliver(context, await adminRevokeSession(context.services, actor, { credentialId, dryRun: false })),
    ),
  }),
);

builder.mutationField('revokeUserSessions', (t) =>
  t.field({
    type: RevocationReceipt,
    description: 'Super admin with sessions:revoke. Signs a user out everywhere.',
    args: { userId: t.arg.id({ required: true }) },
    resolve: guarded(guards.revokeUserSessions, async (actor, { userId }, context) =>
      deliver(context, await revokeSessionsOfUser(context.services, actor, { userId, dryRun: false })),
    ),
  }),
);

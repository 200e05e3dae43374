/** GraphQL operations of super admins on all sessions: activeSessions, revokeSession, revokeUserSessions. */
import {
  type AdminRevocation,
  listActiveSessions,
  revokeSessionOfAnybody,
  revokeSessionsOfUser,
  type SessionFilter as SessionFilterInput,
} from '../../domain/sessions/admin-sessions.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { clearCookiesOfCaller } from '../deliver-pair.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from './connection.ts';
import { CredentialKind, RevocationReceipt, Session } from './sessions.ts';

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

const pageSize = 50;

interface ActiveSessionsArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?: SessionFilterInput | null | undefined;
}

builder.queryField('activeSessions', (t) =>
  t.field({
    type: SessionConnection,
    description:
      'Super admin: active credentials of every user, MCP ones included, newest first; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      filter: t.arg({ type: SessionFilter }),
    },
    resolve: guarded(chain(loggedIn, superAdmin), (_actor, args: ActiveSessionsArguments, { services }) =>
      listActiveSessions(services, { ...args, first: args.first ?? pageSize }, args.filter ?? {}),
    ),
  }),
);

const sessionRevoker = chain(chain(loggedIn, superAdmin), scopes('EVERY', ['sessions:revoke']));

const deliver = (context: GraphqlContext, revocation: AdminRevocation): AdminRevocation => {
  if (revocation.endsOwnSession) clearCookiesOfCaller(context);
  return revocation;
};

builder.mutationField('revokeSession', (t) =>
  t.field({
    type: RevocationReceipt,
    description: 'Super admin with sessions:revoke. Ends the whole session that the credential belongs to.',
    args: { credentialId: t.arg.id({ required: true }) },
    resolve: guarded(sessionRevoker, async (actor, { credentialId }: { credentialId: string }, context) =>
      deliver(context, await revokeSessionOfAnybody(context.services, actor, { credentialId, dryRun: false })),
    ),
  }),
);

builder.mutationField('revokeUserSessions', (t) =>
  t.field({
    type: RevocationReceipt,
    description: 'Super admin with sessions:revoke. Signs a user out everywhere.',
    args: { userId: t.arg.id({ required: true }) },
    resolve: guarded(sessionRevoker, async (actor, { userId }: { userId: string }, context) =>
      deliver(context, await revokeSessionsOfUser(context.services, actor, { userId, dryRun: false })),
    ),
  }),
);

/** GraphQL types and operations of the history of sign-ins. */
import { listOwnSignIns, listSignIns, type SignInPage } from '../../domain/session-admin/list-sign-ins.ts';
import type { SignInRow } from '../../domain/session-admin/sign-ins-store.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../builder.ts';
import { guarded, operations } from '../operations.ts';

const SignIn = builder.objectRef<SignInRow>('SignIn').implement({
  description: 'An attempt to sign in. Never what was typed.',
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    userId: t.exposeID('userId', { nullable: true, description: 'Null where the attempt named no known person.' }),
    userEmail: t.exposeString('userEmail', { nullable: true }),
    method: t.exposeString('method', { description: 'google, invitation, passkey or password.' }),
    outcome: t.exposeString('outcome', { description: 'success, or the code of the refusal.' }),
    ip: t.exposeString('ip', { nullable: true }),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    sessionFamilyId: t.exposeID('sessionFamilyId', { nullable: true, description: 'The session that began.' }),
  }),
});

const SignInConnection = connectionOf<SignInRow, SignInPage>('SignIn', SignIn);

builder.objectField(SignInConnection, 'unlistedRefusals', (t) =>
  t.int({
    description:
      'Refused attempts beyond 100 a day of one person, or 10,000 of no known person, which are counted and not listed: those of the person of the list, or of all.',
    resolve: ({ unlistedRefusals }) => unlistedRefusals(),
  }),
);

const SignInFilter = builder.inputType('SignInFilter', {
  fields: (t) => ({
    userId: t.id(),
    network: t.string({ description: 'An address or a CIDR.' }),
    method: t.string({ description: 'google, invitation, passkey or password.' }),
    outcome: t.string({ description: 'success, or the code of a refusal.' }),
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime' }),
  }),
});

builder.queryFields((t) => ({
  signIns: t.field({
    type: SignInConnection,
    description:
      'Super admin with sessions:view. Attempts to sign in of the last SIGN_IN_HISTORY_DAYS, newest first; at most 100 at a time.',
    args: { ...pageArguments(t.arg), filter: t.arg({ type: SignInFilter }) },
    resolve: guarded(operations.signIns, (actor, args, { services }) =>
      listSignIns(services, actor, pageOf(args), args.filter ?? {}),
    ),
  }),
  mySignIns: t.field({
    type: SignInConnection,
    description: "The caller's own attempts to sign in, newest first; at most 100 at a time.",
    args: pageArguments(t.arg),
    resolve: guarded(operations.mySignIns, (actor, args, { services }) =>
      listOwnSignIns(services, actor, pageOf(args)),
    ),
  }),
}));

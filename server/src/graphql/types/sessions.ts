/** GraphQL types and operations for sessions: sign in, refresh, sign out, list. */
import type { EmailValidationStatus as ValidationStatus } from '../../domain/accounts/verify-email.ts';
import type { RevocationReceipt as Receipt } from '../../domain/credentials/revoke.ts';
import { rotateCredentialPair } from '../../domain/credentials/rotate-pair.ts';
import type { SessionRow } from '../../domain/credentials/sessions-store.ts';
import { credentialKinds } from '../../domain/credentials/token.ts';
import { actorKindOf, actorKinds } from '../../domain/session-admin/list-sessions.ts';
import { confirmSignUp } from '../../domain/sessions/confirm-sign-up.ts';
import { listOwnSessions, revokeOwnSession, signOut, signOutEverywhere } from '../../domain/sessions/own-sessions.ts';
import { signInWithPassword } from '../../domain/sessions/sign-in.ts';
import { actorByCookie, callerOf } from '../../http-kit/authenticate-request.ts';
import { type PresentedTokens, readAuthCookies } from '../../http-kit/cookies.ts';
import { requirePortalOrigin } from '../../http-kit/origins.ts';
import { forgetSignUp } from '../../http-kit/pending-sign-ups-cookie.ts';
import { consumeNetworkPermit } from '../../http-kit/rate-limit-headers.ts';
import { readSignInDevice, setSignInDevice } from '../../http-kit/sign-in-device.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { builder } from '../builder.ts';
import { countedServices, type GraphqlContext } from '../context.ts';
import {
  clearCookiesOfCaller,
  type DeliveredPair,
  type Delivery,
  deliverFirstPair,
  deliverPair,
  detailOf,
  presentTokens,
  signInContextOf,
} from '../deliver-pair.ts';
import { guarded, operations } from '../operations.ts';
import { EmailValidationStatus } from './account/accounts.ts';
import { User } from './user.ts';

// Types of a session and of a revocation: Session, RevocationReceipt.

export const CredentialKind = builder.enumType('CredentialKind', { values: credentialKinds });

export const ActorKind = builder.enumType('ActorKind', { values: actorKinds });

export const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A credential as session governance shows it. Neither tokens nor their hashes ever appear.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The credential's id." }),
    sessionFamilyId: t.exposeID('sessionFamilyId'),
    kind: t.expose('kind', { type: CredentialKind }),
    audience: t.exposeString('audience'),
    authMethod: t.exposeString('authMethod'),
    actorKind: t.field({ type: ActorKind, resolve: actorKindOf }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'Whether a passkey or a second factor was used in it. False for machine and MCP credentials.',
    }),
    tokenName: t.exposeString('tokenName', {
      nullable: true,
      description: 'Of a machine credential: the name of the token.',
    }),
    userId: t.exposeID('userId', { description: "The person's, or the service account's." }),
    userEmail: t.exposeString('userEmail', {
      description: 'Of a service account: an address in service-account.invalid, which no mail reaches.',
    }),
    organizationId: t.exposeID('organizationId', { nullable: true }),
    organizationName: t.exposeString('organizationName', { nullable: true }),
    clientName: t.exposeString('clientName', {
      nullable: true,
      description: 'Name of the MCP client, for MCP credentials.',
    }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'In mySessions: when the person signed in.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'In mySessions: when the session family ends.' }),
    issueIp: t.exposeString('issueIp', { nullable: true }),
    issueUserAgent: t.exposeString('issueUserAgent', { nullable: true }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
    lastSeenIp: t.exposeString('lastSeenIp', { nullable: true }),
    isCurrent: t.boolean({
      description: "True for the request's own access credential.",
      resolve: ({ id }, _args, { actor }) => id === actor?.credential.id,
    }),
  }),
});

export const RevocationReceipt = builder
  .objectRef<Pick<Receipt, 'revokedCredentials' | 'revokedAt'>>('RevocationReceipt')
  .implement({
    description: 'The result of a revocation.',
    fields: (t) => ({
      success: t.boolean({ resolve: () => true }),
      revokedCredentials: t.exposeInt('revokedCredentials', {
        description: 'Credentials that were active and are now revoked.',
      }),
      revokedAt: t.expose('revokedAt', {
        type: 'DateTime',
        description: 'When the revocation was durable; no server accepts the credentials after this instant.',
      }),
    }),
  });

// The type of a newly issued pair: AuthPayload.

const onlyInBody = 'Only for opaque clients; null when cookies carried the pair.';

export const AuthPayload = builder.objectRef<DeliveredPair>('AuthPayload').implement({
  fields: (t) => ({
    user: t.field({
      type: User,
      // The person is read together with the pair where selected; a lookup here could fail and lose the pair.
      resolve: async ({ pair, delivery, person }, _args, { request, services: { authenticator, settings } }) => {
        const actor = person ?? (await authenticator.authenticate(pair.accessToken, settings.graphqlAudiences));
        return delivery === 'cookies' ? actorByCookie(actor, request, settings) : actor;
      },
    }),
    accessToken: t.string({
      nullable: true,
      description: onlyInBody,
      resolve: ({ pair, delivery }) => (delivery === 'body' ? pair.accessToken : null),
    }),
    refreshToken: t.string({
      nullable: true,
      description: onlyInBody,
      resolve: ({ pair, delivery }) => (delivery === 'body' ? pair.refreshToken : null),
    }),
    accessTokenExpiresAt: t.field({ type: 'DateTime', resolve: ({ pair }) => pair.accessTokenExpiresAt }),
    refreshTokenExpiresAt: t.field({ type: 'DateTime', resolve: ({ pair }) => pair.refreshTokenExpiresAt }),
  }),
});

const SignInWithPasswordInput = builder.inputType('SignInWithPasswordInput', {
  fields: (t) => ({ email: t.string({ required: true }), password: t.string({ required: true }) }),
});

const ConfirmSignUpInput = builder.inputType('ConfirmSignUpInput', {
  fields: (t) => ({ token: t.string({ required: true }), password: t.string({ required: true }) }),
});

interface ConfirmedSignUp {
  readonly status: ValidationStatus;
  readonly auth: DeliveredPair | null;
}

const ConfirmSignUpPayload = builder.objectRef<ConfirmedSignUp>('ConfirmSignUpPayload').implement({
  fields: (t) => ({
    status: t.expose('status', { type: EmailValidationStatus }),
    auth: t.expose('auth', { type: AuthPayload, nullable: true, description: 'Not null exactly when it is VERIFIED.' }),
  }),
});

export const signInDeviceOf = ({ request, services }: GraphqlContext, email: string): string | null =>
  services.limits.isEnabled ? readSignInDevice(request, services.settings, { ...services, email }) : null;

export const rememberDevice = ({ request, reply, services }: GraphqlContext, email: string): void => {
  forgetSignUp(request, reply, services.settings, { ...services, email });
  if (services.limits.isEnabled) setSignInDevice(request, reply, services.settings, { ...services, email });
};

builder.mutationFields((t) => ({
  signInWithPassword: t.field({
    type: AuthPayload,
    description:
      'SECOND_FACTOR_REQUIRED, with `challenge`, `methods` and `expiresAt` in the extensions of the error, for a person with one-time codes: completeSecondFactor goes on.',
    args: { input: t.arg({ type: SignInWithPasswordInput, required: true }) },
    resolve: guarded(operations.signInWithPassword, async (context, { input }) => {
      const { delivery, ...signInContext } = signInContextOf(context);
      const attempt = { ...input, ...signInContext, deviceId: signInDeviceOf(context, input.email) };
      const pair = await signInWithPassword(countedServices(context), attempt);
      if (delivery === 'cookies') rememberDevice(context, input.email);
      return deliverFirstPair(context, pair, delivery);
    }),
  }),
  confirmSignUp: t.field({
    type: ConfirmSignUpPayload,
    description:
      'Verifies an address with the token of its mail and the password that was chosen, and signs in. INVALID_CREDENTIALS for a wrong password; nothing is then verified.',
    args: { input: t.arg({ type: ConfirmSignUpInput, required: true }) },
    resolve: guarded(operations.confirmSignUp, async (context, { input }) => {
      const { delivery, ...signInContext } = signInContextOf(context);
      await consumeNetworkPermit(context, rateLimits.validateEmail);
      const confirmation = await confirmSignUp(countedServices(context), { ...input, ...signInContext });
      if (confirmation.status !== 'VERIFIED') return { status: confirmation.status, auth: null };
      if (delivery === 'cookies') rememberDevice(context, confirmation.email);
      return { status: confirmation.status, auth: deliverFirstPair(context, confirmation.pair, delivery) };
    }),
  }),
  refreshAccessToken: t.field({
    type: AuthPayload,
    description: 'Opaque clients pass both tokens; the portal passes none (cookies).',
    args: { refreshToken: t.arg.string(), accessToken: t.arg.string() },
    resolve: guarded(operations.refreshAccessToken, async (context, args) => {
      const { tokens, delivery } = refreshTokensOf(args, context);
      const pair = await rotateCredentialPair(context.services, {
        ...tokens,
        audiences: context.services.settings.graphqlAudiences,
        caller: callerOf(context.request),
        detail: detailOf(context),
      });
      return deliverPair(context, pair, delivery);
    }),
  }),
}));

interface RefreshArguments {
  readonly refreshToken?: string | null | undefined;
  readonly accessToken?: string | null | undefined;
}

/** A token from a cookie is answered in cookies, one of the arguments in the body. A Bearer token excludes cookies. */
const refreshTokensOf = (
  args: RefreshArguments,
  { request, services, access }: GraphqlContext,
): { tokens: PresentedTokens; delivery: Delivery } => {
  const tokens = { refreshToken: args.refreshToken ?? undefined, accessToken: args.accessToken ?? undefined };
  const hasArguments = tokens.refreshToken !== undefined || tokens.accessToken !== undefined;
  const cookies = readAuthCookies(request);
  if (hasArguments || access.source === 'bearer' || presentTokens(cookies).length === 0)
    return { tokens, delivery: 'body' };
  requirePortalOrigin(request, services.settings);
  return { tokens: cookies, delivery: 'cookies' };
};

builder.queryField('mySessions', (t) =>
  t.field({
    type: [Session],
    description:
      "The caller's own active sessions, one per session family (a device), newest first; at most the newest 500.",
    resolve: guarded(operations.mySessions, (actor, _args, { services }) => listOwnSessions(services, actor)),
  }),
);

const SignOutPayload = builder.objectRef<Receipt>('SignOutPayload').implement({
  fields: (t) => ({ success: t.boolean({ resolve: () => true }) }),
});

builder.mutationFields((t) => ({
  signOut: t.field({
    type: SignOutPayload,
    description: "Revokes the current device's session family and clears the portal's cookies.",
    resolve: guarded(operations.signOut, async (actor, _args, context) => {
      const receipt = await signOut(context.services, actor);
      clearCookiesOfCaller(context);
      return receipt;
    }),
  }),
  signOutEverywhere: t.field({
    type: RevocationReceipt,
    description: 'Bumps credentials_revision: every credential of the caller is refused from then on.',
    resolve: guarded(operations.signOutEverywhere, async (actor, _args, context) => {
      const receipt = await signOutEverywhere(context.services, actor);
      clearCookiesOfCaller(context);
      return receipt;
    }),
  }),
  revokeMySession: t.field({
    type: RevocationReceipt,
    description: "Ends one of the caller's own sessions.",
    args: { sessionFamilyId: t.arg.id({ required: true }) },
    resolve: guarded(operations.revokeMySession, async (actor, { sessionFamilyId }, context) => {
      const receipt = await revokeOwnSession(context.services, actor, sessionFamilyId);
      if (receipt.sessionFamilyId === actor.credential.sessionFamilyId) clearCookiesOfCaller(context);
      return receipt;
    }),
  }),
}));

/**
 * GraphQL operations on pairs and sessions: signInWithPassword, confirmSignUp, refreshAccessToken, signOut,
 * signOutEverywhere, mySessions, revokeMySession.
 */
import type { EmailValidationStatus as ValidationStatus } from '../../domain/accounts/validate-email.ts';
import type { RevocationReceipt as RevocationFacts } from '../../domain/credentials/revoke.ts';
import { rotateCredentialPair } from '../../domain/credentials/rotate-pair.ts';
import { confirmSignUp } from '../../domain/sessions/confirm-sign-up.ts';
import { listOwnSessions, revokeOwnSession, signOut, signOutEverywhere } from '../../domain/sessions/own-sessions.ts';
import { signInWithPassword } from '../../domain/sessions/sign-in-with-password.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import { callerOf } from '../../web/caller.ts';
import { type PresentedTokens, readAuthCookies } from '../../web/cookies.ts';
import { requirePortalOrigin } from '../../web/origins.ts';
import { forgetSignUp } from '../../web/pending-sign-ups-cookie.ts';
import { readSignInDevice, setSignInDevice } from '../../web/sign-in-device.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import {
  clearCookiesOfCaller,
  type DeliveredPair,
  type Delivery,
  deliverFirstPair,
  deliverPair,
  detailOf,
  entranceOf,
  presentTokens,
} from '../deliver-pair.ts';
import { guarded, loggedIn } from '../guards.ts';
import { AuthPayload } from '../objects/auth-payload.ts';
import { EmailValidationStatus } from '../objects/email-validation.ts';
import { RevocationReceipt, Session } from '../objects/session.ts';
import { countedServices, takeTurnOfNetwork } from '../turns.ts';

const SignInWithPasswordInput = builder.inputType('SignInWithPasswordInput', {
  fields: (t) => ({ email: t.string({ required: true }), password: t.string({ required: true }) }),
});

builder.mutationField('signInWithPassword', (t) =>
  t.field({
    type: AuthPayload,
    args: { input: t.arg({ type: SignInWithPasswordInput, required: true }) },
    resolve: async (_parent, { input }, context) => {
      const { delivery, ...entrance } = entranceOf(context);
      const attempt = { ...input, ...entrance, deviceId: deviceOf(context, input.email) };
      const pair = await signInWithPassword(countedServices(context), attempt);
      if (delivery === 'cookies') rememberDevice(context, input.email);
      return deliverFirstPair(context, pair, delivery);
    },
  }),
);

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

builder.mutationField('confirmSignUp', (t) =>
  t.field({
    type: ConfirmSignUpPayload,
    description:
      'Verifies an address by the token of its mail and the password that was chosen, and signs in. INVALID_CREDENTIALS for a wrong password; then nothing is verified.',
    args: { input: t.arg({ type: ConfirmSignUpInput, required: true }) },
    resolve: async (_parent, { input }, context) => {
      const { delivery, ...entrance } = entranceOf(context);
      await takeTurnOfNetwork(context, rateLimits.validateEmail);
      const confirmation = await confirmSignUp(countedServices(context), { ...input, ...entrance });
      if (confirmation.status !== 'VERIFIED') return { status: confirmation.status, auth: null };
      if (delivery === 'cookies') rememberDevice(context, confirmation.email);
      return { status: confirmation.status, auth: deliverFirstPair(context, confirmation.pair, delivery) };
    },
  }),
);

const deviceOf = ({ request, services }: GraphqlContext, email: string): string | null =>
  services.limits.isEnabled ? readSignInDevice(request, services.settings, { ...services, email }) : null;

const rememberDevice = ({ request, reply, services }: GraphqlContext, email: string): void => {
  forgetSignUp(request, reply, services.settings, { ...services, email });
  if (services.limits.isEnabled) setSignInDevice(request, reply, services.settings, { ...services, email });
};

builder.mutationField('refreshAccessToken', (t) =>
  t.field({
    type: AuthPayload,
    description: 'Opaque clients pass both tokens; the portal passes none (cookies).',
    args: { refreshToken: t.arg.string(), accessToken: t.arg.string() },
    resolve: async (_parent, args, context) => {
      await takeTurnOfNetwork(context, rateLimits.refresh);
      const { tokens, delivery } = refreshTokensOf(args, context);
      const pair = await rotateCredentialPair(context.services, {
        ...tokens,
        audiences: context.services.settings.graphqlAudiences,
        caller: callerOf(context.request),
        detail: detailOf(context),
      });
      return deliverPair(context, pair, delivery);
    },
  }),
);

interface RefreshArguments {
  readonly refreshToken?: string | null | undefined;
  readonly accessToken?: string | null | undefined;
}

/** Cookies in, cookies out; arguments in, body out. Beside a Bearer the cookies are not read. */
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
    resolve: guarded(loggedIn, (actor, _args, { services }) => listOwnSessions(services, actor)),
  }),
);

const SignOutPayload = builder.objectRef<RevocationFacts>('SignOutPayload').implement({
  fields: (t) => ({ success: t.boolean({ resolve: () => true }) }),
});

builder.mutationField('signOut', (t) =>
  t.field({
    type: SignOutPayload,
    description: "Revokes the current device's session family and clears the portal's cookies.",
    resolve: guarded(loggedIn, async (actor, _args, context) => {
      const receipt = await signOut(context.services, actor);
      clearCookiesOfCaller(context);
      return receipt;
    }),
  }),
);

builder.mutationField('signOutEverywhere', (t) =>
  t.field({
    type: RevocationReceipt,
    description: 'Bumps credentials_revision: every credential of the caller is refused from then on.',
    resolve: guarded(loggedIn, async (actor, _args, context) => {
      const receipt = await signOutEverywhere(context.services, actor);
      clearCookiesOfCaller(context);
      return receipt;
    }),
  }),
);

builder.mutationField('revokeMySession', (t) =>
  t.field({
    type: RevocationReceipt,
    description: "Ends one of the caller's own sessions.",
    args: { sessionFamilyId: t.arg.id({ required: true }) },
    resolve: guarded(loggedIn, async (actor, { sessionFamilyId }: { sessionFamilyId: string }, context) => {
      const receipt = await revokeOwnSession(context.services, actor, sessionFamilyId);
      if (receipt.sessionFamilyId === actor.credential.sessionFamilyId) clearCookiesOfCaller(context);
      return receipt;
    }),
  }),
);

/**
 * Owns: GraphQL operations of people on their own account: sign-up, address, name and password, ways to sign in, data.
 * Promises: They act on the account of the caller, or on the one whose link the caller presents.
 *
 * The confirmation that also signs in is in sessions.ts.
 */
import { signUpWithPassword } from '../../../domain/accounts/sign-up.ts';
import {
  findVerificationLink,
  rejectSignUp,
  resendVerification,
  type EmailValidationStatus as Status,
  type VerificationLink as VerificationLinkInfo,
  type VerificationLinkStatus,
  validateEmail,
} from '../../../domain/accounts/verify-email.ts';
import { addressOf } from '../../../http-kit/authenticate-request.ts';
import { wantsCookies } from '../../../http-kit/origins.ts';
import { readPendingSignUps, rememberSignUp } from '../../../http-kit/pending-sign-ups-cookie.ts';
import { consumeNetworkPermits } from '../../../http-kit/rate-limit-headers.ts';
import { randomSecret } from '../../../kernel/secrets.ts';
import { rateLimits } from '../../../platform/rate-limit/rate-limit-table.ts';
import { builder } from '../../builder.ts';
import { countedServices, type GraphqlContext } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';

const SignUpPayload = builder.objectRef<{ readonly verificationRequired: boolean }>('SignUpPayload').implement({
  description: 'Identical for every address, registered or not.',
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    verificationRequired: t.exposeBoolean('verificationRequired'),
  }),
});

const SignUpWithPasswordInput = builder.inputType('SignUpWithPasswordInput', {
  fields: (t) => ({
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    password: t.string({ required: true }),
    redirect: t.string({
      description:
        'Where to continue after verification: an internal path, or an absolute URL of a front end; carried in the verification link.',
    }),
  }),
});

/** Whether the caller is a browser of the portal, which remembers its sign-up; other callers get no cookie. */
const remembersBrowser = ({ request, services }: GraphqlContext): boolean =>
  services.settings.emailVerificationEnabled && wantsCookies(request, services.settings);

const rememberBrowser = (
  { request, reply, services }: GraphqlContext,
  signUp: { readonly email: string; readonly browserId: string },
): void => rememberSignUp(request, reply, services.settings, { ...services, ...signUp });

const VerificationLinkStatusEnum = builder.enumType('VerificationLinkStatus', {
  values: {
    OPEN: { description: 'The token verifies the address.' },
    EXPIRED: { description: 'The token had expired, or another one replaced it within the hour.' },
    INVALID: { description: 'Unknown, malformed or already used. Says nothing about any account.' },
  } satisfies Record<VerificationLinkStatus, object>,
});

const VerificationLink = builder.objectRef<VerificationLinkInfo>('VerificationLink').implement({
  description: 'The facts about a verification link that its page may show. Reading them changes nothing.',
  fields: (t) => ({
    status: t.expose('status', { type: VerificationLinkStatusEnum }),
    email: t.exposeString('email', {
      nullable: true,
      description:
        'The address, in the browser that signed up with it in the portal: validateEmail is enough there. Null in any other browser, which needs confirmSignUp with the password.',
    }),
    isEarlierSignUp: t.exposeBoolean('isEarlierSignUp', {
      description:
        'Whether the last sign-up of this browser with the address changed nothing: the password of an earlier one counts.',
    }),
  }),
});

builder.queryField('verificationLink', (t) =>
  t.field({
    type: VerificationLink,
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.verificationLink, ({ request, services }, { token }) => {
      const isPortal = wantsCookies(request, services.settings);
      const remembered = isPortal ? readPendingSignUps(request, services.settings, services.keyring) : [];
      return findVerificationLink(services, token, remembered);
    }),
  }),
);

const ValidateEmailPayload = builder
  .objectRef<{ readonly status: Status }>('ValidateEmailPayload')
  .implement({ fields: (t) => ({ status: t.expose('status', { type: EmailValidationStatus }) }) });

builder.mutationFields((t) => ({
  signUpWithPassword: t.field({
    type: SignUpPayload,
    args: { input: t.arg({ type: SignUpWithPasswordInput, required: true }) },
    resolve: guarded(operations.signUpWithPassword, async (context, { input }) => {
      const clientKey = { ip: addressOf(context.request) };
      context.services.passwords.requireRoom(clientKey);
      await consumeNetworkPermits(context, { network: rateLimits.signUp, site: rateLimits.signUpOfSite });
      const browserId = remembersBrowser(context) ? randomSecret(16) : null;
      const payload = await signUpWithPassword(countedServices(context), { ...input, clientKey, browserId });
      if (browserId !== null) rememberBrowser(context, { email: input.email, browserId });
      return payload;
    }),
  }),
  resendVerification: t.field({
    type: SignUpPayload,
    description: 'The same answer for every address.',
    args: { email: t.arg.string({ required: true }) },
    resolve: guarded(operations.resendVerification, (context, { email }) =>
      resendVerification(countedServices(context), { email, ip: addressOf(context.request) }),
    ),
  }),
  validateEmail: t.field({
    type: ValidateEmailPayload,
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.validateEmail, async ({ services }, { token }) => ({
      status: await validateEmail(services, token),
    })),
  }),
  rejectSignUp: t.boolean({
    description: 'None. For the second link of a verification mail: deletes the account that was never verified.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.rejectSignUp, ({ services }, { token }) => rejectSignUp(services, token)),
  }),
}));

// The GraphQL enum EmailValidationStatus: the outcome of a verification token.

export const EmailValidationStatus = builder.enumType('EmailValidationStatus', {
  values: {
    VERIFIED: {},
    EXPIRED_RESENT: { description: 'The token had expired and a new one was sent.' },
    EXPIRED: { description: 'The token had expired and the last send was less than an hour ago.' },
    INVALID: { description: 'Unknown, malformed or already used. Says nothing about any account.' },
  } satisfies Record<Status, object>,
});

/** GraphQL operations by which a person comes to have an account: signUpWithPassword, validateEmail. */
import { signUpWithPassword } from '../../domain/accounts/sign-up-with-password.ts';
import { type EmailValidationStatus, validateEmail } from '../../domain/accounts/validate-email.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import { addressOf } from '../../web/caller.ts';
import { builder } from '../builder.ts';
import { countedServices, takeTurnOfNetwork } from '../turns.ts';

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
      description: 'Internal path to continue at after verification; carried in the verification link.',
    }),
  }),
});

builder.mutationField('signUpWithPassword', (t) =>
  t.field({
    type: SignUpPayload,
    args: { input: t.arg({ type: SignUpWithPasswordInput, required: true }) },
    resolve: async (_parent, { input }, context) => {
      const asker = { ip: addressOf(context.request) };
      context.services.passwords.requireRoom(asker);
      await takeTurnOfNetwork(context, rateLimits.signUp);
      return signUpWithPassword(countedServices(context), { ...input, asker });
    },
  }),
);

const EmailValidationStatusEnum = builder.enumType('EmailValidationStatus', {
  values: {
    VERIFIED: {},
    EXPIRED_RESENT: { description: 'The token had expired and a new one was sent.' },
    EXPIRED: { description: 'The token had expired and the last send was less than an hour ago.' },
    INVALID: { description: 'Unknown, malformed or already used. Says nothing about any account.' },
  } satisfies Record<EmailValidationStatus, object>,
});

const ValidateEmailPayload = builder
  .objectRef<{ readonly status: EmailValidationStatus }>('ValidateEmailPayload')
  .implement({ fields: (t) => ({ status: t.expose('status', { type: EmailValidationStatusEnum }) }) });

builder.mutationField('validateEmail', (t) =>
  t.field({
    type: ValidateEmailPayload,
    args: { token: t.arg.string({ required: true }) },
    resolve: async (_parent, { token }, context) => {
      await takeTurnOfNetwork(context, rateLimits.validateEmail);
      return { status: await validateEmail(context.services, token) };
    },
  }),
);

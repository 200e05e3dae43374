/** GraphQL operations of one-time codes (contract/account.md#one-time-codes). */
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  regenerateRecoveryCodes,
  type TotpEnrolment as StartedEnrolment,
} from '../../../domain/factors/one-time-codes.ts';
import { completeSecondFactor } from '../../../domain/sessions/complete-second-factor.ts';
import { addressOf } from '../../../http-kit/authenticate-request.ts';
import { Acknowledgement, acknowledged, builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { deliverFirstPair, signInContextOf } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { AuthPayload, rememberDevice, signInDeviceOf } from '../sessions.ts';

const TotpEnrolment = builder.objectRef<StartedEnrolment>('TotpEnrolment').implement({
  fields: (t) => ({
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    secret: t.exposeString('secret', { description: 'Base32.' }),
    uri: t.exposeString('uri', { description: 'otpauth://, for a QR code.' }),
  }),
});

const RecoveryCodes = builder.objectRef<readonly string[]>('RecoveryCodes').implement({
  description: 'Shown once: the service keeps their hashes alone.',
  fields: (t) => ({ codes: t.stringList({ resolve: (codes) => [...codes] }) }),
});

const CompleteSecondFactorInput = builder.inputType('CompleteSecondFactorInput', {
  fields: (t) => ({
    challenge: t.string({ required: true }),
    code: t.string({ required: true, description: 'Six digits, or a recovery code.' }),
  }),
});

builder.mutationFields((t) => ({
  beginTotp: t.field({
    type: TotpEnrolment,
    description: 'Nothing is set until confirmTotp, within 10 minutes; a later call replaces it.',
    resolve: guarded(operations.beginTotp, (actor, _args: object, { services }) => beginTotp(services, actor)),
  }),
  confirmTotp: t.field({
    type: RecoveryCodes,
    description:
      'Adds one-time codes, or replaces the authenticator app. CHALLENGE_REFUSED when nothing was begun; INVALID_CREDENTIALS.',
    args: { code: t.arg.string({ required: true }) },
    resolve: guarded(operations.confirmTotp, (actor, { code }, context) =>
      confirmTotp(countedServices(context), actor, {
        code,
        ip: addressOf(context.request),
        deviceId: signInDeviceOf(context, actor.user.email),
      }),
    ),
  }),
  disableTotp: t.field({
    type: Acknowledgement,
    description: 'The recovery codes go too.',
    resolve: guarded(operations.disableTotp, async (actor, _args: object, { services }) => {
      await disableTotp(services, actor);
      return acknowledged;
    }),
  }),
  regenerateRecoveryCodes: t.field({
    type: RecoveryCodes,
    description: 'Earlier ones are not accepted any more. FORBIDDEN without one-time codes.',
    resolve: guarded(operations.regenerateRecoveryCodes, (actor, _args: object, { services }) =>
      regenerateRecoveryCodes(services, actor),
    ),
  }),
  completeSecondFactor: t.field({
    type: AuthPayload,
    description:
      'Completes a sign-in that was answered with SECOND_FACTOR_REQUIRED. CHALLENGE_REFUSED, INVALID_CREDENTIALS, RATE_LIMITED.',
    args: { input: t.arg({ type: CompleteSecondFactorInput, required: true }) },
    resolve: guarded(operations.completeSecondFactor, async (context, { input }) => {
      const { delivery, ...signInContext } = signInContextOf(context);
      const { pair, email, authMethod } = await completeSecondFactor(countedServices(context), {
        ...input,
        ...signInContext,
        deviceIdOf: (address) => signInDeviceOf(context, address),
      });
      // As for a sign-in by each first factor: a provider's sign-in does not speak for the address's password.
      if (delivery === 'cookies' && authMethod === 'password') rememberDevice(context, email);
      return deliverFirstPair(context, pair, delivery);
    }),
  }),
}));

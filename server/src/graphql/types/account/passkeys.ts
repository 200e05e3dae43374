/**
 * GraphQL operations on passkeys (contract/account.md#passkeys). The contract always contains them; the served schema
 * does not where FRONTEND_URL has an IP address for a host.
 */
import {
  beginPasskeyRegistration,
  listOwnPasskeys,
  registerPasskey,
  removePasskey,
  renamePasskey,
} from '../../../domain/factors/own-passkeys.ts';
import type { PasskeyOptions } from '../../../domain/factors/passkey-challenges.ts';
import type { PasskeyRow } from '../../../domain/factors/passkeys-store.ts';
import { beginPasskeyReauthentication } from '../../../domain/sessions/reauthenticate.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../../../domain/sessions/sign-in-with-passkey.ts';
import { Acknowledgement, acknowledged, builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { deliverFirstPair, signInContextOf } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { AuthPayload, rememberDevice } from '../sessions.ts';

const PasskeyOptionsType = builder.objectRef<PasskeyOptions>('PasskeyOptions').implement({
  description: 'Absent, with all operations on passkeys, where FRONTEND_URL is an IP address.',
  fields: (t) => ({
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    publicKey: t.exposeString('publicKey', {
      description: 'JSON text: PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON.',
    }),
  }),
});

const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    id: t.exposeID('id'),
    isBackedUp: t.exposeBoolean('isBackedUp', {
      description: 'Whether it is stored on several devices, as it reported last.',
    }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    name: t.exposeString('name'),
    relyingPartyId: t.exposeString('relyingPartyId', { description: "It works only while this is the service's." }),
  }),
});

builder.queryField('myPasskeys', (t) =>
  t.field({
    type: [Passkey],
    description: "The caller's passkeys, oldest first.",
    resolve: guarded(operations.myPasskeys, async (actor, _args: object, { services }) => [
      ...(await listOwnPasskeys(services, actor)),
    ]),
  }),
);

const RegisterPasskeyInput = builder.inputType('RegisterPasskeyInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    response: t.string({ required: true, description: 'JSON text: RegistrationResponseJSON.' }),
  }),
});

builder.mutationFields((t) => ({
  registerPasskeyOptions: t.field({
    type: PasskeyOptionsType,
    description: 'REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED; LIMIT_REACHED with 20 passkeys.',
    resolve: guarded(operations.registerPasskeyOptions, (actor, _args: object, { services }) =>
      beginPasskeyRegistration(services, actor),
    ),
  }),
  registerPasskey: t.field({
    type: Passkey,
    description:
      'REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED; CHALLENGE_REFUSED; BAD_USER_INPUT for a response that is malformed or forged; LIMIT_REACHED with 20 passkeys.',
    args: { input: t.arg({ type: RegisterPasskeyInput, required: true }) },
    resolve: guarded(operations.registerPasskey, (actor, { input }, { services }) =>
      registerPasskey(services, actor, input),
    ),
  }),
  renamePasskey: t.field({
    type: Passkey,
    args: { id: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
    resolve: guarded(operations.renamePasskey, (actor, { id, name }, { services }) =>
      renamePasskey(services, actor, { id, name }),
    ),
  }),
  removePasskey: t.field({
    type: Acknowledgement,
    description: 'REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED; FORBIDDEN for the last way to sign in.',
    args: { id: t.arg.id({ required: true }) },
    resolve: guarded(operations.removePasskey, async (actor, { id }, { services }) => {
      await removePasskey(services, actor, id);
      return acknowledged;
    }),
  }),
  reauthenticateOptions: t.field({
    type: PasskeyOptionsType,
    resolve: guarded(operations.reauthenticateOptions, (actor, _args: object, { services }) =>
      beginPasskeyReauthentication(services, actor),
    ),
  }),
  signInWithPasskeyOptions: t.field({
    type: PasskeyOptionsType,
    description: 'Takes no address: the authenticator offers the passkeys that it has.',
    resolve: guarded(operations.signInWithPasskeyOptions, ({ services }) => beginPasskeySignIn(services)),
  }),
  signInWithPasskey: t.field({
    type: AuthPayload,
    description: 'CHALLENGE_REFUSED; INVALID_CREDENTIALS; EMAIL_NOT_VERIFIED. The session has a second factor.',
    args: { response: t.arg.string({ required: true, description: 'JSON text: AuthenticationResponseJSON.' }) },
    resolve: guarded(operations.signInWithPasskey, async (context, { response }) => {
      const { delivery, ...signInContext } = signInContextOf(context);
      const { pair, email } = await signInWithPasskey(countedServices(context), { response, ...signInContext });
      if (delivery === 'cookies') rememberDevice(context, email);
      return deliverFirstPair(context, pair, delivery);
    }),
  }),
}));

/** GraphQL operations of step-up (contract/account.md#step-up). */
import {
  findOwnSecondFactors,
  methodsOf,
  type SecondFactorState,
  secondFactorMethods,
} from '../../../domain/factors/second-factors.ts';
import { type Reauthentication, reauthenticate } from '../../../domain/sessions/reauthenticate.ts';
import { callerOf } from '../../../http-kit/authenticate-request.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { signInDeviceOf } from '../sessions.ts';

const SecondFactorMethod = builder.enumType('SecondFactorMethod', {
  description: 'PASSKEY: by signInWithPasskey instead.',
  values: secondFactorMethods,
});

const SecondFactorStateType = builder.objectRef<SecondFactorState>('SecondFactorState').implement({
  fields: (t) => ({
    hasOneTimeCodes: t.exposeBoolean('hasOneTimeCodes'),
    isFresh: t.exposeBoolean('isRecent', {
      description: 'Whether the person of this session authenticated within the last 10 minutes.',
    }),
    methods: t.field({ type: [SecondFactorMethod], resolve: methodsOf }),
    passkeys: t.exposeInt('passkeys'),
    provedAt: t.expose('authenticatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person of this session last authenticated; null when that is not known.',
    }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft'),
    sessionHasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'Whether this session used a passkey or another second factor.',
    }),
  }),
});

builder.queryField('mySecondFactor', (t) =>
  t.field({
    type: SecondFactorStateType,
    resolve: guarded(operations.mySecondFactor, (actor, _args: object, { services }) =>
      findOwnSecondFactors(services, actor),
    ),
  }),
);

const ReauthenticateInput = builder.inputType('ReauthenticateInput', {
  description: 'Exactly one field, else BAD_USER_INPUT.',
  fields: (t) => ({
    code: t.string({ description: 'Six digits, or a recovery code.' }),
    passkey: t.string({ description: 'JSON text: AuthenticationResponseJSON.' }),
    password: t.string(),
  }),
});

const ReauthenticationType = builder.objectRef<Reauthentication>('Reauthentication').implement({
  fields: (t) => ({
    freshUntil: t.expose('freshUntil', {
      type: 'DateTime',
      description: 'Until when an operation that requires a recent authentication passes.',
    }),
    sessionHasSecondFactor: t.exposeBoolean('hasSecondFactor'),
  }),
});

builder.mutationField('reauthenticate', (t) =>
  t.field({
    type: ReauthenticationType,
    description:
      'Notes in this session that its person authenticated now; issues no pair. INVALID_CREDENTIALS; CHALLENGE_REFUSED; SECOND_FACTOR_REQUIRED for a password alone where one-time codes are set.',
    args: { input: t.arg({ type: ReauthenticateInput, required: true }) },
    resolve: guarded(operations.reauthenticate, (actor, { input }, context) =>
      reauthenticate(countedServices(context), actor, {
        password: input.password ?? null,
        code: input.code ?? null,
        passkey: input.passkey ?? null,
        caller: callerOf(context.request),
        deviceId: signInDeviceOf(context, actor.user.email),
      }),
    ),
  }),
);

/** GraphQL operations of a user on their own account: name, language, password. */
import { changeName, changePassword, setLanguage } from '../../../domain/sessions/own-account.ts';
import { callerOf } from '../../../http-kit/authenticate-request.ts';
import { languages } from '../../../kernel/languages.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { signInDeviceOf } from '../sessions.ts';
import { User } from '../user.ts';

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  fields: (t) => ({
    currentPassword: t.string({ description: 'Required of a user who has one.' }),
    newPassword: t.string({ required: true }),
  }),
});

builder.mutationFields((t) => ({
  changeName: t.field({
    type: User,
    args: { name: t.arg.string({ required: true }) },
    resolve: guarded(operations.changeName, (actor, { name }, { services }) => changeName(services, actor, name)),
  }),
  setLanguage: t.field({
    type: User,
    description: `The language of mails, and of the portal on a new device: ${languages.join(', ')}. Null for no choice.`,
    args: { language: t.arg.string() },
    resolve: guarded(operations.setLanguage, (actor, { language }, { services }) =>
      setLanguage(services, actor, language ?? null),
    ),
  }),
  changePassword: t.field({
    type: User,
    description:
      'Every other session of the user ends, with OAuth clients. INVALID_CREDENTIALS for a wrong current password; REAUTHENTICATION_REQUIRED without one.',
    args: { input: t.arg({ type: ChangePasswordInput, required: true }) },
    resolve: guarded(operations.changePassword, (actor, { input }, context) =>
      changePassword(countedServices(context), actor, {
        currentPassword: input.currentPassword ?? null,
        newPassword: input.newPassword,
        caller: callerOf(context.request),
        deviceId: signInDeviceOf(context, actor.user.email),
      }),
    ),
  }),
}));

/** GraphQL operations that change a user's address, and undo that. */
import { confirmEmailChange, requestEmailChange } from '../../../domain/email-changes/change-email.ts';
import { undoEmailChange } from '../../../domain/email-changes/undo-email-change.ts';
import { Acknowledgement, acknowledged, builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { User } from '../user.ts';

builder.mutationFields((t) => ({
  requestEmailChange: t.field({
    type: Acknowledgement,
    description: 'The same answer for every address. REAUTHENTICATION_REQUIRED.',
    args: { newEmail: t.arg.string({ required: true }) },
    resolve: guarded(operations.requestEmailChange, async (actor, { newEmail }, context) => {
      await requestEmailChange(countedServices(context), actor, newEmail);
      return acknowledged;
    }),
  }),
  confirmEmailChange: t.field({
    type: User,
    description: 'As the person who requested the change, else ACCOUNT_MISMATCH; LINK_NOT_OPEN.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.confirmEmailChange, (actor, { token }, { services }) =>
      confirmEmailChange(services, actor, token),
    ),
  }),
  undoEmailChange: t.field({
    type: Acknowledgement,
    description: 'LINK_NOT_OPEN. Ends every session of the person, and signs nobody in.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.undoEmailChange, async ({ services }, { token }) => {
      await undoEmailChange(services, token);
      return acknowledged;
    }),
  }),
}));

/** GraphQL operations that change a user's address: requestEmailChange, confirmEmailChange, undoEmailChange. */
import { confirmEmailChange, requestEmailChange } from '../../../domain/email-changes/change-email.ts';
import { undoEmailChange } from '../../../domain/email-changes/undo-email-change.ts';
import { consumeNetworkPermit } from '../../../http-kit/rate-limit-headers.ts';
import { rateLimits } from '../../../platform/rate-limit/rate-limit-table.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, guards } from '../../guards.ts';
import { Acknowledgement, acknowledged } from '../acknowledgement.ts';
import { User } from '../user.ts';

builder.mutationField('requestEmailChange', (t) =>
  t.field({
    type: Acknowledgement,
    description: 'The same answer for every address. REAUTHENTICATION_REQUIRED.',
    args: { newEmail: t.arg.string({ required: true }) },
    resolve: guarded(guards.requestEmailChange, async (actor, { newEmail }, context) => {
      await requestEmailChange(countedServices(context), actor, newEmail);
      return acknowledged;
    }),
  }),
);

builder.mutationField('confirmEmailChange', (t) =>
  t.field({
    type: User,
    description: 'As the person who requested the change, else ACCOUNT_MISMATCH; LINK_NOT_OPEN.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(guards.confirmEmailChange, async (actor, { token }, context) => {
      await consumeNetworkPermit(context, rateLimits.emailChangeLink);
      return confirmEmailChange(context.services, actor, token);
    }),
  }),
);

builder.mutationField('undoEmailChange', (t) =>
  t.field({
    type: Acknowledgement,
    description: 'LINK_NOT_OPEN. Ends every session of the person, and signs nobody in.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(guards.undoEmailChange, async (context, { token }) => {
      await consumeNetworkPermit(context, rateLimits.emailChangeLink);
      await undoEmailChange(context.services, token);
      return acknowledged;
    }),
  }),
);

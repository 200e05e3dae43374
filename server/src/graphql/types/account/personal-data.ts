/** GraphQL operations on what is kept of the caller: its export and its deletion. */
import { deleteAccount } from '../../../domain/personal-data/delete-account.ts';
import { exportMyData, type PersonalData } from '../../../domain/personal-data/export-my-data.ts';
import { Acknowledgement, acknowledged, builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { clearCookiesOfCaller } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { streamText } from '../../streamed-text.ts';

const PersonalDataType = builder.objectRef<PersonalData>('PersonalData').implement({
  description: 'All that is kept of a person: no secret, and nothing of other people.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    json: t.string({ description: 'JSON text.', resolve: ({ json }, _args, { reply }) => streamText(reply, json) }),
  }),
});

builder.mutationFields((t) => ({
  exportMyData: t.field({
    type: PersonalDataType,
    description:
      'REAUTHENTICATION_REQUIRED more than 10 minutes after the last authentication. RATE_LIMITED while another export of the caller, or four of others, are on their way.',
    resolve: guarded(operations.exportMyData, (actor, _args: object, context) =>
      exportMyData(countedServices(context), actor, (ended) => {
        if (context.reply.raw.closed) ended();
        else context.reply.raw.once('close', ended);
      }),
    ),
  }),
  deleteAccount: t.field({
    type: Acknowledgement,
    description:
      'Deletes the caller, their sessions and memberships, and the organizations without another member. BAD_USER_INPUT for another address; LAST_OWNER; SUBSCRIPTION_ACTIVE; FORBIDDEN for a super admin; REAUTHENTICATION_REQUIRED.',
    args: {
      email: t.arg.string({ required: true, description: 'The address of the account, as the person typed it.' }),
    },
    resolve: guarded(operations.deleteAccount, async (actor, { email }, context) => {
      await deleteAccount(context.services, actor, email);
      clearCookiesOfCaller(context);
      return acknowledged;
    }),
  }),
}));

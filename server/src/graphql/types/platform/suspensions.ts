/** GraphQL operations of super admins who suspend and reinstate people. */
import {
  reinstateUser,
  type Suspension as SuspensionInfo,
  suspendUser,
} from '../../../domain/session-admin/suspend-user.ts';
import { builder } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';

const Suspension = builder.objectRef<SuspensionInfo>('Suspension').implement({
  description: 'Whether a person is suspended: every credential ended, and none is issued.',
  fields: (t) => ({
    userId: t.exposeID('userId'),
    isSuspended: t.exposeBoolean('isSuspended', { description: 'After a dry run: whether the person would be.' }),
    suspendedAt: t.expose('suspendedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null for a person who is not suspended, also after a dry run.',
    }),
    revokedCredentials: t.exposeInt('revokedCredentials'),
  }),
});

builder.mutationFields((t) => ({
  suspendUser: t.field({
    type: Suspension,
    description:
      'Super admin with users:suspend. Ends every credential of a person, who cannot sign in until reinstateUser; a mail without the reason tells them. Never oneself.',
    args: {
      userId: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: '1 to 200 characters, for super admins.' }),
      dryRun: t.arg.boolean({ defaultValue: false }),
    },
    resolve: guarded(operations.suspendUser, (actor, { userId, reason, dryRun }, { services }) =>
      suspendUser(services, actor, { userId, reason, dryRun: dryRun ?? false }),
    ),
  }),
  reinstateUser: t.field({
    type: Suspension,
    description: 'Super admin with users:suspend. Ends the suspension of a person; sessions of before stay ended.',
    args: { userId: t.arg.id({ required: true }) },
    resolve: guarded(operations.reinstateUser, (actor, { userId }, { services }) =>
      reinstateUser(services, actor, { userId, dryRun: false }),
    ),
  }),
}));

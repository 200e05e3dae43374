/** GraphQL operations on service accounts. */
import {
  createServiceAccount,
  deleteServiceAccount,
  serviceAccountsOf,
  updateServiceAccount,
} from '../../../domain/machine-tokens/service-accounts.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { RevocationReceipt } from '../sessions.ts';
import { ServiceAccount } from './types.ts';

builder.queryField('serviceAccounts', (t) =>
  t.field({
    type: [ServiceAccount],
    description: 'Scope TOKENS_MANAGE. Of the active organization, by name.',
    resolve: guarded(operations.serviceAccounts, ({ membership }, _args: object, { services }) =>
      serviceAccountsOf(services, membership),
    ),
  }),
);

const CreateServiceAccountInput = builder.inputType('CreateServiceAccountInput', {
  fields: (t) => ({
    description: t.string({ defaultValue: '' }),
    name: t.string({ required: true }),
    scopes: t.stringList({ required: true, description: 'At least one.' }),
  }),
});

const UpdateServiceAccountInput = builder.inputType('UpdateServiceAccountInput', {
  description: 'What is left out stays.',
  fields: (t) => ({
    description: t.string(),
    name: t.string(),
    scopes: t.stringList(),
    serviceAccountId: t.id({ required: true }),
  }),
});

builder.mutationFields((t) => ({
  createServiceAccount: t.field({
    type: ServiceAccount,
    description: 'Scope TOKENS_MANAGE, and every scope that it gives; REAUTHENTICATION_REQUIRED. LIMIT_REACHED.',
    args: { input: t.arg({ type: CreateServiceAccountInput, required: true }) },
    resolve: guarded(
      operations.createServiceAccount,
      (actor, { input }: { input: typeof CreateServiceAccountInput.$inferInput }, context) =>
        createServiceAccount(countedServices(context), actor, { ...input, description: input.description ?? '' }),
    ),
  }),
  updateServiceAccount: t.field({
    type: ServiceAccount,
    description: 'Scope TOKENS_MANAGE, and every scope that is added; REAUTHENTICATION_REQUIRED when one is.',
    args: { input: t.arg({ type: UpdateServiceAccountInput, required: true }) },
    resolve: guarded(
      operations.updateServiceAccount,
      (actor, { input }: { input: typeof UpdateServiceAccountInput.$inferInput }, { services }) => {
        const { serviceAccountId, name = null, description = null, scopes = null } = input;
        return updateServiceAccount(services, actor, { serviceAccountId, name, description, scopes });
      },
    ),
  }),
  deleteServiceAccount: t.field({
    type: RevocationReceipt,
    description: 'Scope TOKENS_MANAGE. Ends its tokens.',
    args: { serviceAccountId: t.arg.id({ required: true }) },
    resolve: guarded(operations.deleteServiceAccount, (actor, { serviceAccountId }, { services }) =>
      deleteServiceAccount(services, actor, serviceAccountId),
    ),
  }),
}));

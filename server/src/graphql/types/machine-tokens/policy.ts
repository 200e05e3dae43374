/** GraphQL operations on the policy for tokens. */
import { getTokenPolicy, setTokenPolicy } from '../../../domain/machine-tokens/token-policy.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { PersonalTokenPolicy, TokenPolicy } from './types.ts';

builder.queryField('tokenPolicy', (t) =>
  t.field({
    type: TokenPolicy,
    description: 'Scope TOKENS_MANAGE. What the active organization allows its tokens.',
    resolve: guarded(operations.tokenPolicy, ({ membership }, _args: object, { services }) =>
      getTokenPolicy(services, membership),
    ),
  }),
);

const TokenPolicyInput = builder.inputType('TokenPolicyInput', {
  description: 'What is left out stays.',
  fields: (t) => ({
    allowedNetworks: t.stringList({ description: 'CIDRs, 50 at most; empty is any.' }),
    maxTokenLifetimeDays: t.int({ description: '1 to 366.' }),
    personalTokens: t.field({ type: PersonalTokenPolicy }),
  }),
});

builder.mutationField('setTokenPolicy', (t) =>
  t.field({
    type: TokenPolicy,
    description:
      'Scope TOKENS_MANAGE; REAUTHENTICATION_REQUIRED. Counts from the next request of each token: what it refuses is blocked, and not revoked.',
    args: { input: t.arg({ type: TokenPolicyInput, required: true }) },
    resolve: guarded(
      operations.setTokenPolicy,
      (actor, { input }: { input: typeof TokenPolicyInput.$inferInput }, context) => {
        const { allowedNetworks = null, maxTokenLifetimeDays = null, personalTokens = null } = input;
        return setTokenPolicy(countedServices(context), actor, {
          allowedNetworks,
          maxTokenLifetimeDays,
          personalTokens,
        });
      },
    ),
  }),
);

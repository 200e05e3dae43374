/** GraphQL operations on tokens of machines. */
import { createPersonalToken, createServiceToken } from '../../../domain/machine-tokens/create-token.ts';
import { decideToken, revokeToken } from '../../../domain/machine-tokens/end-token.ts';
import { listMyTokens, listOrganizationTokens } from '../../../domain/machine-tokens/list-tokens.ts';
import { rotateToken } from '../../../domain/machine-tokens/rotate-token.ts';
import { callerOf } from '../../../http-kit/authenticate-request.ts';
import { builder, pageArguments, pageOf } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { RevocationReceipt } from '../sessions.ts';
import {
  MachineToken,
  MachineTokenConnection,
  MachineTokenKind,
  MachineTokenSecret,
  MachineTokenStatus,
} from './types.ts';

const MachineTokenFilter = builder.inputType('MachineTokenFilter', {
  fields: (t) => ({
    expiresBefore: t.field({ type: 'DateTime', description: 'Exclusive.' }),
    kind: t.field({ type: MachineTokenKind }),
    serviceAccountId: t.id(),
    status: t.field({ type: MachineTokenStatus }),
    unusedForDays: t.int({ description: 'Not used for this many days, or never and older than that.' }),
    userId: t.id(),
  }),
});

builder.queryFields((t) => ({
  myTokens: t.field({
    type: [MachineToken],
    description:
      'A person, logged in: own personal tokens of every organization, newest first; those that ended up to 90 days ago too; 500 at most.',
    resolve: guarded(operations.myTokens, (actor, _args: object, { services }) => listMyTokens(services, actor)),
  }),
  organizationTokens: t.field({
    type: MachineTokenConnection,
    description:
      'Scope TOKENS_MANAGE. Personal and service tokens of the active organization, newest first; at most 100 at a time.',
    args: { ...pageArguments(t.arg), filter: t.arg({ type: MachineTokenFilter }) },
    resolve: guarded(operations.organizationTokens, ({ membership }, args, { services }) =>
      listOrganizationTokens(services, membership, pageOf(args)),
    ),
  }),
}));

const CreatePersonalTokenInput = builder.inputType('CreatePersonalTokenInput', {
  fields: (t) => ({
    expiresAt: t.field({ type: 'DateTime', required: true }),
    name: t.string({ required: true }),
    scopes: t.stringList({ required: true, description: 'At least one.' }),
  }),
});

const defaultOverlapSeconds = 86_400;

const RotateTokenInput = builder.inputType('RotateTokenInput', {
  fields: (t) => ({
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Left out: as long again as the token was given last, within the policy.',
    }),
    overlapSeconds: t.int({
      defaultValue: defaultOverlapSeconds,
      description: 'How long the old secret lives on; 0 to 604800.',
    }),
    tokenId: t.id({ required: true }),
  }),
});

builder.mutationFields((t) => ({
  createPersonalToken: t.field({
    type: MachineTokenSecret,
    description:
      'Logged in with membership; REAUTHENTICATION_REQUIRED. Bound to the active organization; scopes among those that the caller holds now.',
    args: { input: t.arg({ type: CreatePersonalTokenInput, required: true }) },
    resolve: guarded(
      operations.createPersonalToken,
      (actor, { input }: { input: typeof CreatePersonalTokenInput.$inferInput }, context) =>
        createPersonalToken(countedServices(context), actor, input, callerOf(context.request)),
    ),
  }),
  createServiceToken: t.field({
    type: MachineTokenSecret,
    description:
      'Scope TOKENS_MANAGE, and every scope of the account; REAUTHENTICATION_REQUIRED. LIMIT_REACHED for a third live token.',
    args: { expiresAt: t.arg({ type: 'DateTime', required: true }), serviceAccountId: t.arg.id({ required: true }) },
    resolve: guarded(operations.createServiceToken, (actor, args, context) =>
      createServiceToken(countedServices(context), actor, args, callerOf(context.request)),
    ),
  }),
  rotateToken: t.field({
    type: MachineTokenSecret,
    description:
      'A personal token: its own person. A service token: TOKENS_MANAGE and every scope of the account. REAUTHENTICATION_REQUIRED. NOT_FOUND for one that is expired or revoked.',
    args: { input: t.arg({ type: RotateTokenInput, required: true }) },
    resolve: guarded(
      operations.rotateToken,
      (actor, { input }: { input: typeof RotateTokenInput.$inferInput }, context) => {
        const { tokenId, expiresAt = null, overlapSeconds } = input;
        const wish = { tokenId, expiresAt, overlapSeconds: overlapSeconds ?? defaultOverlapSeconds };
        return rotateToken(countedServices(context), actor, wish, callerOf(context.request));
      },
    ),
  }),
  revokeToken: t.field({
    type: RevocationReceipt,
    description: 'The person whose token it is, or scope TOKENS_MANAGE. Ends both secrets, for good.',
    args: { tokenId: t.arg.id({ required: true }) },
    resolve: guarded(operations.revokeToken, (actor, { tokenId }, { services }) =>
      revokeToken(services, actor, tokenId),
    ),
  }),
  decideToken: t.field({
    type: MachineToken,
    description:
      'Scope TOKENS_MANAGE. For a token that is PENDING, else NOT_FOUND. Refused, it is revoked. FORBIDDEN for a token of the caller, unless they are OWNER.',
    args: { approve: t.arg.boolean({ required: true }), tokenId: t.arg.id({ required: true }) },
    resolve: guarded(operations.decideToken, (actor, args, { services }) => decideToken(services, actor, args)),
  }),
}));

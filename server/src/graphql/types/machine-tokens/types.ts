/**
 * Owns: GraphQL operations on personal tokens, service accounts and their tokens, and the policy for them.
 * Promises: A secret is in the answer of the operation that issues it, and in no other; no input names another person.
 */
import { personalTokenPolicies } from '../../../domain/credentials/machine-actor-store.ts';
import type { IssuedToken } from '../../../domain/machine-tokens/create-token.ts';
import { serviceAccountOf } from '../../../domain/machine-tokens/service-accounts.ts';
import type { ServiceAccountRow } from '../../../domain/machine-tokens/service-accounts-store.ts';
import type { TokenPolicyRow } from '../../../domain/machine-tokens/token-policy.ts';
import type { MachineTokenRow, machineTokenStatuses } from '../../../domain/machine-tokens/tokens-store.ts';
import { builder, connectionOf } from '../../builder.ts';

export const MachineTokenKind = builder.enumType('MachineTokenKind', { values: ['PERSONAL', 'SERVICE'] as const });

export const MachineTokenStatus = builder.enumType('MachineTokenStatus', {
  values: {
    ACTIVE: {},
    BLOCKED: { description: "The organization's policy refuses it now." },
    EXPIRED: {},
    PENDING: { description: 'Waits for a decision.' },
    REVOKED: { description: 'Refused by a decision, too.' },
  } satisfies Record<(typeof machineTokenStatuses)[number], object>,
});

export const ServiceAccount = builder.objectRef<ServiceAccountRow>('ServiceAccount').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    createdByEmail: t.exposeString('createdByEmail', {
      nullable: true,
      description: 'Null once that person is gone, or left and has another address.',
    }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    liveTokens: t.exposeInt('liveTokens', {
      description: 'Live tokens, two at most; secrets in overlap do not count.',
    }),
  }),
});

export const MachineToken = builder.objectRef<MachineTokenRow>('MachineToken').implement({
  description:
    'A token of a machine. Its id stays the same when it is rotated. Neither the secret nor its hash ever appears.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.field({
      type: MachineTokenKind,
      resolve: ({ userId }) => (userId === null ? ('SERVICE' as const) : ('PERSONAL' as const)),
    }),
    name: t.exposeString('name', { description: "A service token's is that of its account." }),
    scopes: t.stringList({
      description: "A personal token's own; a service token's those of its account.",
      resolve: ({ scopes }) => [...scopes],
    }),
    status: t.expose('status', { type: MachineTokenStatus }),
    organizationId: t.exposeID('organizationId'),
    organizationName: t.exposeString('organizationName'),
    userId: t.exposeID('userId', { nullable: true }),
    userEmail: t.exposeString('userEmail', {
      nullable: true,
      description: 'Null for a service token, and once the person left the organization and has another address.',
    }),
    serviceAccount: t.field({
      type: ServiceAccount,
      nullable: true,
      description: 'Null for a personal token.',
      resolve: ({ serviceAccountId }, _args, { services }) =>
        serviceAccountId === null ? null : serviceAccountOf(services, serviceAccountId),
    }),
    credentialId: t.exposeID('credentialId', { description: 'Of the current secret, as in activeSessions.' }),
    lastCharacters: t.exposeString('lastCharacters', {
      description: 'The last four characters of the current secret.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    rotatedAt: t.expose('rotatedAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    previousSecretEndsAt: t.expose('previousSecretEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret of before the last rotation is accepted; null when it is not.',
    }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    lastUsedIp: t.exposeString('lastUsedIp', { nullable: true }),
  }),
});

export const MachineTokenConnection = connectionOf('MachineToken', MachineToken);

export const MachineTokenSecret = builder.objectRef<IssuedToken>('MachineTokenSecret').implement({
  description: 'The only time that the secret is seen.',
  fields: (t) => ({ secret: t.exposeString('secret'), token: t.expose('token', { type: MachineToken }) }),
});

export const PersonalTokenPolicy = builder.enumType('PersonalTokenPolicy', { values: personalTokenPolicies });

export const TokenPolicy = builder.objectRef<TokenPolicyRow>('TokenPolicy').implement({
  fields: (t) => ({
    allowedNetworks: t.stringList({
      description: 'CIDR; empty is any.',
      resolve: ({ allowedNetworks }) => [...allowedNetworks],
    }),
    maxTokenLifetimeDays: t.exposeInt('maxTokenLifetimeDays'),
    personalTokens: t.expose('personalTokens', { type: PersonalTokenPolicy }),
  }),
});

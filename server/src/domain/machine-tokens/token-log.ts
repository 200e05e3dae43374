/** One log line for each durable change of a token, a service account or the policy: the acting person and the subject. */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import type { MachineTokenRow } from './tokens-store.ts';

const sentences = {
  'token.created': 'A token of a machine was created',
  'token.rotated': 'A token of a machine was given a new secret',
  'token.revoked': 'A token of a machine was revoked',
  'token.approved': 'A personal token was approved',
  'token.refused': 'A personal token was refused',
} as const;

/** Logged once the transaction is durable. */
export const recordToken = (
  transaction: Transaction,
  logger: Logger,
  event: keyof typeof sentences,
  actor: Pick<Actor, 'user'>,
  { id: tokenId, organizationId, userId: ownerId, serviceAccountId }: MachineTokenRow,
): void => {
  const facts = { userId: actor.user.id, organizationId, tokenId, ownerId, serviceAccountId };
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentences[event]));
};

const sentencesOfAccounts = {
  'service_account.created': 'A service account was created',
  'service_account.updated': 'A service account was changed',
  'service_account.deleted': 'A service account was deleted',
} as const;

export const recordServiceAccount = (
  transaction: Transaction,
  logger: Logger,
  event: keyof typeof sentencesOfAccounts,
  facts: { readonly userId: string; readonly organizationId: string; readonly serviceAccountId: string },
): void => {
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentencesOfAccounts[event]));
};

export const recordTokenPolicy = (
  transaction: Transaction,
  logger: Logger,
  facts: { readonly userId: string; readonly organizationId: string },
): void => {
  transaction.afterCommit(() =>
    logger.info(
      { event: 'organization.token_policy_changed', ...facts },
      'The policy of an organization for tokens of machines was changed',
    ),
  );
};

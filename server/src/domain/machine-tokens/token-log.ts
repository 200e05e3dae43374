/**
 * The record of each durable change of a token, a service account or the policy: a line of the log, with the acting
 * person and the subject, and a row in the audit of the organization.
 */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { type NotedAudit, noteAudit } from '../audit/audits-of-transaction.ts';
import type { TokenPolicyRow } from './policy-store.ts';
import type { ServiceAccountRow } from './service-accounts-store.ts';
import type { MachineTokenRow } from './tokens-store.ts';

interface Recorded {
  readonly sentence: string;
  readonly audit: NotedAudit['event'];
}

const tokenEvents = {
  'token.created': { sentence: 'A token of a machine was created', audit: 'TOKEN_CREATED' },
  'token.rotated': { sentence: 'A token of a machine was given a new secret', audit: 'TOKEN_ROTATED' },
  'token.approved': { sentence: 'A personal token was approved', audit: 'TOKEN_DECIDED' },
  'token.refused': { sentence: 'A personal token was refused', audit: 'TOKEN_DECIDED' },
} as const satisfies Readonly<Record<string, Recorded>>;

/** Records a change of a token. The end of one is recorded where its secrets are revoked. */
export const recordToken = (
  transaction: Transaction,
  logger: Logger,
  event: keyof typeof tokenEvents,
  actor: Pick<Actor, 'user'>,
  token: MachineTokenRow,
): void => {
  const { id: tokenId, organizationId, userId: ownerId, serviceAccountId } = token;
  const { sentence, audit } = tokenEvents[event];
  const facts = { userId: actor.user.id, organizationId, tokenId, ownerId, serviceAccountId };
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentence));
  const isDecision = audit === 'TOKEN_DECIDED';
  const details = isDecision ? { approved: event === 'token.approved' } : detailsOf(token);
  noteAudit(transaction, { organizationId, event: audit, subjectId: tokenId, subjectUserId: ownerId, details });
};

/** Logs the end of a token. Its row in the audit is noted where the secrets are revoked. */
export const logRevoked = (
  transaction: Transaction,
  logger: Logger,
  actor: Pick<Actor, 'user'>,
  { id: tokenId, organizationId, userId: ownerId, serviceAccountId }: MachineTokenRow,
): void => {
  const facts = { userId: actor.user.id, organizationId, tokenId, ownerId, serviceAccountId };
  transaction.afterCommit(() => logger.info({ event: 'token.revoked', ...facts }, 'A token of a machine was revoked'));
};

const detailsOf = ({ name, scopes, expiresAt, status, serviceAccountId }: MachineTokenRow) => ({
  name,
  scopes,
  expiresAt: expiresAt.toISOString(),
  status,
  serviceAccountId,
});

const accountEvents = {
  'service_account.created': { sentence: 'A service account was created', audit: 'SERVICE_ACCOUNT_CREATED' },
  'service_account.updated': { sentence: 'A service account was changed', audit: 'SERVICE_ACCOUNT_UPDATED' },
  'service_account.deleted': { sentence: 'A service account was deleted', audit: 'SERVICE_ACCOUNT_DELETED' },
} as const satisfies Readonly<Record<string, Recorded>>;

export const recordServiceAccount = (
  transaction: Transaction,
  logger: Logger,
  event: keyof typeof accountEvents,
  actor: Pick<Actor, 'user'>,
  { id: serviceAccountId, organizationId, name, scopes }: ServiceAccountRow,
): void => {
  const { sentence, audit } = accountEvents[event];
  const facts = { userId: actor.user.id, organizationId, serviceAccountId };
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentence));
  noteAudit(transaction, { organizationId, event: audit, subjectId: serviceAccountId, details: { name, scopes } });
};

export const recordTokenPolicy = (
  transaction: Transaction,
  logger: Logger,
  actor: Pick<Actor, 'user'>,
  organizationId: string,
  { personalTokens, maxTokenLifetimeDays, allowedNetworks }: TokenPolicyRow,
): void => {
  const event = 'organization.token_policy_changed';
  const facts = { userId: actor.user.id, organizationId };
  const sentence = 'The policy of an organization for tokens of machines was changed';
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentence));
  const details = { personalTokens, maxTokenLifetimeDays, allowedNetworks };
  noteAudit(transaction, { organizationId, event: 'TOKEN_POLICY_CHANGED', subjectId: null, details });
};

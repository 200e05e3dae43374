/**
 * The record of each durable change of a token or a service account: a line of the log, with the acting person and the
 * subject, and a row in the audit of the organization.
 */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { addAudit, type PendingAudit } from '../audit/audits-of-transaction.ts';
import type { ServiceAccountRow } from './service-accounts-store.ts';
import type { MachineTokenRow } from './tokens-store.ts';

interface Recorded {
  readonly sentence: string;
  readonly audit: PendingAudit['event'];
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
  const { id: subjectId, organizationId, userId: subjectUserId } = token;
  const { sentence, audit } = tokenEvents[event];
  transaction.afterCommit(() => logger.info({ event, userId: actor.user.id, ...tokenFields(token) }, sentence));
  const isDecision = audit === 'TOKEN_DECIDED';
  const details = isDecision ? { approved: event === 'token.approved' } : detailsOf(token);
  addAudit(transaction, { organizationId, event: audit, subjectId, subjectUserId, details });
};

/** A token in a line of the log. */
export const tokenFields = ({ organizationId, id: tokenId, userId: ownerId, serviceAccountId }: MachineTokenRow) => ({
  organizationId,
  tokenId,
  ownerId,
  serviceAccountId,
});

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
  addAudit(transaction, { organizationId, event: audit, subjectId: serviceAccountId, details: { name, scopes } });
};

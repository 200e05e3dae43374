/**
 * One log line for each change of an invitation, once it is durable: who made it, and of which row. No secret, no
 * address.
 */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';

const sentences = {
  'invitation.created': 'A person was invited',
  'invitation.reissued': 'An invitation was sent again',
  'invitation.cancelled': 'An invitation was cancelled',
  'invitation.reissued_by_super_admin': 'A super admin had an invitation sent again',
  'invitation.cancelled_by_super_admin': 'A super admin cancelled an invitation',
  'invitation.accepted': 'A person accepted an invitation',
  'invitation.profile_completed': 'An invited person completed a profile and signed in',
} as const;

export interface InvitationFacts {
  /** Who acted. */
  readonly userId: string;
  readonly organizationId: string;
  readonly memberId: string;
}

export const recordInvitation = (
  logger: Logger,
  transaction: Transaction,
  event: keyof typeof sentences,
  { userId, organizationId, memberId }: InvitationFacts,
): void => transaction.afterCommit(() => logger.info({ event, userId, organizationId, memberId }, sentences[event]));

/** Operation acceptInvitation (specification, "Invitation"; contract, "Invitations"). */
import { Refusal } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { findMember, type MemberRow } from '../organizations/members-store.ts';
import { lockUserRow, setCurrentMembership } from '../users/users-store.ts';
import { isWellFormedInvitationToken } from './invitation-token.ts';
import { type AcceptedRow, acceptOpenInvitation, findInvitedPerson } from './invitations-store.ts';
import { recordInvitation } from './record-invitation.ts';
import { invitationNotOpen } from './send-invitation.ts';

export interface AcceptInvitationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Makes the caller a member of the organization that invited them, and that their active membership. Their session stays
 * what it was: its snapshot moves only with switchOrganization.
 * @param token raw, from the link
 * @throws Refusal ACCOUNT_MISMATCH for an open invitation to somebody else, which stays open; else INVITATION_NOT_OPEN
 * @throws Refusal UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const acceptInvitation = async (
  { database, logger }: AcceptInvitationDeps,
  actor: Actor,
  token: string,
): Promise<MemberRow> => {
  if (!isWellFormedInvitationToken(token)) throw invitationNotOpen();
  return onBehalfOf(database, actor).transaction(async (transaction) => {
    const { memberId, organizationId } = await accept(transaction, actor.user.id, sha256(token));
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(logger, transaction, 'invitation.accepted', facts);
    return transaction.one(findMember, [memberId, organizationId]);
  });
};

const accept = async (transaction: Transaction, userId: string, tokenHash: Buffer): Promise<AcceptedRow> => {
  // The person before the membership: whoever changes both locks them in this order.
  await transaction.maybeOne(lockUserRow, [userId]);
  const accepted = await transaction.maybeOne(acceptOpenInvitation, [tokenHash, userId]);
  if (accepted === null) throw await refusalOf(transaction, userId, tokenHash);
  await transaction.execute(setCurrentMembership, [userId, accepted.memberId]);
  return accepted;
};

const refusalOf = async (transaction: Transaction, userId: string, tokenHash: Buffer): Promise<Refusal> => {
  const invited = await transaction.maybeOne(findInvitedPerson, [tokenHash]);
  return invited === null || invited.userId === userId
    ? invitationNotOpen()
    : new Refusal('ACCOUNT_MISMATCH', 'This invitation is for another account. Sign in with that one to accept it.');
};

/** Who may change an invitation of an organization: the tenant's rules, in the transaction that makes the change. */
import type { Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { getMember, requireSayOver } from '../memberships/member-rules.ts';
import { invitationNotOpen } from './send-invitation.ts';

/**
 * Locks the caller's active organization and makes sure that this is one of its invitations, open or expired, over which
 * the caller has a say.
 * @returns the organization's id
 * @throws Refusal MEMBERSHIP_REQUIRED; FORBIDDEN without MEMBERS_INVITE or for an ADMIN and an invited OWNER; NOT_FOUND,
 *   the same for an unknown, a malformed and another organization's id; INVITATION_NOT_OPEN for who has joined
 */
export const authorizeForInvitation = async (
  transaction: Transaction,
  actor: Actor,
  memberId: string,
): Promise<string> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_INVITE');
  const organizationId = own.organization.id;
  const member = await getMember(transaction, memberId, organizationId);
  if (member.joinedAt !== null) throw invitationNotOpen();
  requireSayOver(own.role, member.role);
  return organizationId;
};

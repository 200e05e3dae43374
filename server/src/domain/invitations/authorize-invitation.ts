/** Who may change an invitation of an organization: the tenant's rules, in the transaction that makes the change. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { findMember } from '../organizations/members-store.ts';
import { mayManage, type Role } from '../scopes/scopes.ts';
import { invitationNotOpen } from './send-invitation.ts';

/** @throws Refusal FORBIDDEN when someone in this role has no say over that one */
export const requireSayOver = (role: Role, other: Role): void => {
  if (!mayManage(role, other)) throw new Refusal('FORBIDDEN', 'Only an owner can invite an owner.');
};

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
  const member = isId(memberId) ? await transaction.maybeOne(findMember, [memberId, organizationId]) : null;
  if (member === null) throw new Refusal('NOT_FOUND', 'There is no such invitation.');
  if (member.joinedAt !== null) throw invitationNotOpen();
  requireSayOver(own.role, member.role);
  return organizationId;
};

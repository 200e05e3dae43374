/** Operation inviteMember (specification, "Invitation", first row). */
import { invalidInput, type Refusal, requireValidInput } from '../../kernel/errors.ts';
import { newId, newPersonId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { requireSayOver } from '../memberships/member-rules.ts';
import { findMember, type MemberRow } from '../organizations/members-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { emailReason, normalizeEmail } from '../users/text-rules.ts';
import { findAccountByEmail, insertInvitedPerson } from '../users/users-store.ts';
import { newInvitationToken } from './invitation-token.ts';
import { findJoined, openInvitation } from './invitations-store.ts';
import { recordInvitation } from './record-invitation.ts';
import { type InvitationMailDeps, sendInvitation } from './send-invitation.ts';

export interface InvitationDeps extends InvitationMailDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface InviteInput {
  readonly email: string;
  readonly role: Role;
}

/**
 * Invites an address to the caller's active organization, or renews its invitation when that has expired, and mails the
 * link. The inviter learns nothing of whether the address has an account.
 * @throws Refusal BAD_USER_INPUT naming email: no address, the caller's own, a member's, or one that is invited already;
 *   MEMBERSHIP_REQUIRED; FORBIDDEN without MEMBERS_INVITE, and for an ADMIN who would invite an OWNER
 */
export const inviteMember = async (deps: InvitationDeps, actor: Actor, input: InviteInput): Promise<MemberRow> => {
  const email = normalizeEmail(input.email);
  const isOwn = email === actor.user.email;
  requireValidInput({ email: emailReason(email) ?? (isOwn ? 'This is your own address.' : null) });
  const invited = { email, role: input.role };
  return deps.database.transaction((transaction) => invite(deps, transaction, actor, invited));
};

const invite = async (
  deps: InvitationDeps,
  transaction: Transaction,
  actor: Actor,
  { email, role }: InviteInput,
): Promise<MemberRow> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_INVITE');
  requireSayOver(own.role, role);
  const { id: organizationId, name: organizationName } = own.organization;
  const userId = await findOrInsertPerson(transaction, email);
  const token = newInvitationToken();
  const params = [newId(), userId, organizationId, role, sha256(token)] as const;
  const opened = await transaction.maybeOne(openInvitation, [...params]);
  if (opened === null) throw await refusalOf(transaction, userId, organizationId);
  const letter = { email, organizationName, role, inviterName: actor.user.name };
  await sendInvitation(deps, transaction, letter, token);
  recordInvitation(deps.logger, transaction, 'invitation.created', {
    userId: actor.user.id,
    organizationId,
    memberId: opened.id,
  });
  return transaction.one(findMember, [opened.id, organizationId]);
};

/** The person with this address: one who is known, or a new one who has neither name nor password yet. */
export const findOrInsertPerson = async (transaction: Transaction, email: string): Promise<string> => {
  const fresh = await transaction.maybeOne(insertInvitedPerson, [newPersonId(), email]);
  return (fresh ?? (await transaction.one(findAccountByEmail, [email]))).id;
};

const refusalOf = async (transaction: Transaction, userId: string, organizationId: string): Promise<Refusal> => {
  const known = await transaction.maybeOne(findJoined, [userId, organizationId]);
  const reason =
    known?.joined === true
      ? 'This person is a member already.'
      : 'This address is invited already. Send the invitation again instead.';
  return invalidInput({ email: reason });
};

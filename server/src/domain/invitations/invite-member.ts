/** Operation inviteMember (specification, "Invitation", first row). */
import { invalidInput, type Refusal, requireValidInput } from '../../kernel/errors.ts';
import { newId, newPersonId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { requireSayOver } from '../memberships/member-rules.ts';
import { findMember, type MemberRow } from '../organizations/members-store.ts';
import { mayManage, type Role, roles } from '../scopes/scopes.ts';
import { emailReason, normalizeEmail } from '../users/text-rules.ts';
import { findAccountByEmail, insertInvitedPerson } from '../users/users-store.ts';
import { newInvitationToken } from './invitation-token.ts';
import { findConnection, openInvitation } from './invitations-store.ts';
import { takeMailTurn } from './mail-limits.ts';
import { recordInvitation } from './record-invitation.ts';
import { type InvitationMailDeps, sendInvitation } from './send-invitation.ts';

export interface InvitationDeps extends InvitationMailDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly limits: RateLimits;
}

export interface InviteInput {
  readonly email: string;
  readonly role: Role;
}

/**
 * Invites an address to the caller's active organization, or renews its invitation when that has expired, and mails the
 * link. The inviter learns nothing of whether the address has an account.
 * @throws Refusal BAD_USER_INPUT naming email: no address, the caller's own, a member's, or one that is invited already;
 *   MEMBERSHIP_REQUIRED; FORBIDDEN without MEMBERS_INVITE, and for an ADMIN who would invite an OWNER, or who would renew
 *   the invitation of one; RATE_LIMITED, see `takeMailTurn`; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const inviteMember = async (deps: InvitationDeps, actor: Actor, input: InviteInput): Promise<MemberRow> => {
  const email = normalizeEmail(input.email);
  const isOwn = email === actor.user.email;
  requireValidInput({ email: emailReason(email) ?? (isOwn ? 'This is your own address.' : null) });
  const invited = { email, role: input.role };
  return onBehalfOf(deps.database, actor).transaction((transaction) => invite(deps, transaction, actor, invited));
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
  const renewable = roles.filter((other) => mayManage(own.role, other));
  const params = [newId(), userId, organizationId, role, sha256(token), renewable] as const;
  const opened = await transaction.maybeOne(openInvitation, [...params]);
  if (opened === null) throw await refusalOf(transaction, own, userId);
  await takeMailTurn(deps.limits, transaction, actor.user.id, email);
  const letter = { email, organizationName, role, inviterName: actor.user.name };
  await sendInvitation(deps, transaction, letter, token);
  recordInvitation(deps.logger, transaction, 'invitation.created', {
    userId: actor.user.id,
    organizationId,
    memberId: opened.id,
  });
  return transaction.one(findMember, [opened.id, organizationId]);
};

/**
 * The person with this address: one who is known, or a new one who has neither name nor password yet. Another transaction
 * may insert the address at this moment, which the second statement sees, or delete it, after which the third inserts it.
 */
export const findOrInsertPerson = async (transaction: Transaction, email: string): Promise<string> => {
  const params = [newPersonId(), email] as const;
  const person =
    (await transaction.maybeOne(insertInvitedPerson, [...params])) ??
    (await transaction.maybeOne(findAccountByEmail, [email])) ??
    (await transaction.one(insertInvitedPerson, [...params]));
  return person.id;
};

const refusalOf = async (
  transaction: Transaction,
  { role, organization }: ActiveMembership,
  userId: string,
): Promise<Refusal> => {
  const known = await transaction.maybeOne(findConnection, [userId, organization.id]);
  if (known?.joined === true) return invalidInput({ email: 'This person is a member already.' });
  if (known !== null) requireSayOver(role, known.role);
  return invalidInput({ email: 'This address is invited already. Send the invitation again instead.' });
};

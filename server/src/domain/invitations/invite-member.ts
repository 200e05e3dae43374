/**
 * Owns: invite, send again, cancel, preview, accept, complete a profile; all invitations for super admins.
 * Promises: An invitation is accepted once, by its addressee; no inviter learns if an address has an account.
 *
 * Operation inviteMember (contract/organizations.md#inviting-a-person), and the parts that all invitations share: the
 * tokens, the mail, its rate limits and the log line.
 */
import { randomUUID } from 'node:crypto';
import { invalidInput, Refusal, requireValidInput } from '../../kernel/errors.ts';
import { isId, newId, newPersonId } from '../../kernel/ids.ts';
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Mail, MailValues } from '../../platform/mail/mails.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import { type ActiveMembership, type Actor, roleManagerOf } from '../access/actor.ts';
import { authorizeInOrganization, liveTransaction } from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { requireCanManageRole, requireProofForOwner } from '../memberships/manage-members.ts';
import { findMember, type MemberRow } from '../organizations/organizations-store.ts';
import { requireSeats } from '../organizations/seats.ts';
import { type BuiltInRole, builtInRoles, type Role } from '../scopes/scopes.ts';
import { shareAddress } from '../users/email-changes-store.ts';
import { emailReason, mailboxOf, normalizeEmail } from '../users/text-rules.ts';
import { findAccountByEmail, insertInvitedPerson } from '../users/users-store.ts';
import { findMembershipRow, openInvitation } from './invitations-store.ts';

export type InvitationDeps = Deps<'application' | 'database' | 'logger' | 'limits'> & MailDeps;

interface InviteInput {
  readonly email: string;
  readonly role: Role;
}

/**
 * Invites an address, or renews its expired invitation, and mails the link. The inviter does not learn of an account.
 * @throws Refusal BAD_USER_INPUT: email is malformed, the caller's, a member's or invited; FORBIDDEN: without
 *   MEMBERS_INVITE, or a role that the caller may not manage; SEATS_EXHAUSTED; REAUTHENTICATION_REQUIRED: the role is
 *   OWNER; RATE_LIMITED: see `consumeMailPermit`
 */
export const inviteMember = async (deps: InvitationDeps, actor: Actor, input: InviteInput): Promise<MemberRow> => {
  const email = normalizeEmail(input.email);
  const isOwn = email === actor.user.email;
  requireValidInput({ email: emailReason(email) ?? (isOwn ? 'This is your own address.' : null) });
  const invited = { email, role: input.role };
  return liveTransaction(deps.database, actor, (transaction) => invite(deps, transaction, actor, invited));
};

const invite = async (
  deps: InvitationDeps,
  transaction: Transaction,
  actor: Actor,
  { email, role }: InviteInput,
): Promise<MemberRow> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_INVITE');
  requireCanManageRole(actor, own, role);
  await requireProofForOwner(transaction, actor, role);
  const organizationId = own.organization.id;
  const opened = await openFor(transaction, actor, own, { email, role });
  if (opened.memberId === null) throw await notInvitable(transaction, actor, own, opened.userId);
  await requireSeats(transaction, deps.application, organizationId, 'members and invitations');
  await consumeMailPermit(deps.limits, transaction, actor.user.id, email);
  await mailOpened(deps, transaction, actor, own, { email, role, ...opened, memberId: opened.memberId });
  return transaction.one(findMember, [opened.memberId, organizationId]);
};

interface OpenedInvitation {
  readonly userId: string;
  /** Null when the person is a member, or an invitation is open that the caller cannot renew. */
  readonly memberId: string | null;
  /** Raw: only the mail contains it. */
  readonly token: string;
}

/** Opens an invitation, or renews one that has expired. The caller's authority over the role has been checked. */
export const openFor = async (
  transaction: Transaction,
  actor: Actor,
  own: ActiveMembership,
  { email, role }: InviteInput,
): Promise<OpenedInvitation> => {
  const userId = await findOrInsertPerson(transaction, email);
  const token = newInvitationToken();
  const [organizationId, hash] = [own.organization.id, sha256(token)];
  const renewable = renewableRoles(actor, own);
  const opened = await transaction.maybeOne(openInvitation, [newId(), userId, organizationId, role, hash, renewable]);
  return { userId, memberId: opened?.id ?? null, token };
};

/** Queues the mail of an opened invitation, and the line of the log. */
export const mailOpened = async (
  deps: InvitationDeps,
  transaction: Transaction,
  actor: Actor,
  { organization }: ActiveMembership,
  { email, role, memberId, token }: InviteInput & { readonly memberId: string; readonly token: string },
): Promise<void> => {
  const names = { organizationName: organization.name, inviter: actor.user };
  await sendInvitation(deps, transaction, { email, role, ...names }, token);
  const facts = { userId: actor.user.id, organizationId: organization.id, memberId };
  recordInvitation(deps.logger, transaction, 'invitation.created', facts);
};

/** Roles whose expired invitations the caller may renew: those that they may give. Null is every role. */
export const renewableRoles = (actor: Actor, own: ActiveMembership): Role[] | null => {
  const manager = roleManagerOf(actor, own);
  if (actor.application.mayManage(manager, 'OWNER')) return null;
  return actor.application.roles.map(({ name }) => name).filter((role) => actor.application.mayManage(manager, role));
};

/**
 * The user with this address, existing or new, without name and password. A new one of an address that is reserved
 * cannot complete a profile. A concurrent transaction may insert the address, which the second statement sees, or
 * delete it, after which the third inserts it.
 */
export const findOrInsertPerson = async (transaction: Transaction, email: string): Promise<string> => {
  const invited = [newPersonId(), email] as const;
  await transaction.maybeOne(shareAddress, [email]);
  const person =
    (await transaction.maybeOne(insertInvitedPerson, invited)) ??
    (await transaction.maybeOne(findAccountByEmail, [email])) ??
    (await transaction.one(insertInvitedPerson, invited));
  return person.id;
};

const notInvitable = async (
  transaction: Transaction,
  actor: Actor,
  own: ActiveMembership,
  userId: string,
): Promise<Refusal> => {
  const known = await transaction.maybeOne(findMembershipRow, [userId, own.organization.id]);
  if (known?.joined === true) return invalidInput({ email: 'This person is a member already.' });
  if (known !== null) requireCanManageRole(actor, own, known.role);
  return invalidInput({ email: 'This address is invited already. Send the invitation again instead.' });
};

// Parts shared by the operations on open and expired invitations: the refusal and the mail.

/** @param userId who was invited, where it is known */
export const invitationNotOpen = (userId: string | null = null): Refusal =>
  new Refusal('INVITATION_NOT_OPEN', 'This invitation is no longer open.', { userId });

/** Queues the mail in the transaction that creates or renews the invitation. @returns its subject */
export const sendInvitation = (
  { application, mail, settings }: Deps<'application'> & MailDeps,
  transaction: Transaction,
  { role, ...names }: Omit<InvitationMailParams, 'roleTitle'> & { readonly role: Role },
  token: string,
): Promise<{ readonly subject: string }> => {
  const roleTitle = application.roles.find(({ name }) => name === role)?.title ?? null;
  return mail.enqueue(transaction, invitationMail(settings.frontendUrl, { ...names, role, roleTitle }, token));
};

// The recipient of the mail may know neither organization nor service, and the names in it are untrusted input.

/** Who invites a person. */
export interface Inviter {
  readonly email: string;
  /** Null when the operator of the service sends the invitation. */
  readonly name: string | null;
}

interface InvitationMailParams {
  readonly email: string;
  readonly organizationName: string;
  readonly role: Role;
  /** Null for a role that the application no longer has. */
  readonly roleTitle: string | null;
  readonly inviter: Inviter;
}

/** @param token raw: only the mail contains it */
const invitationMail = (
  frontendUrl: string,
  { email, organizationName: organization, inviter, ...role }: InvitationMailParams,
  token: string,
): Mail => {
  const values = { organization, email, role: roleInMail(role), roleTitle: role.roleTitle ?? '' };
  const facts = { to: email, accounts: [email, inviter.email], links: [`${frontendUrl}/invitation/${token}`] } as const;
  return inviter.name === null
    ? { ...facts, mail: 'invitationByOperator', values }
    : { ...facts, mail: 'invitation', values: { ...values, inviter: inviter.name } };
};

const isBuiltIn = (role: Role): role is BuiltInRole => Object.hasOwn(builtInRoles, role);

/** The mail has words for the built-in roles, while the application gives them no title of its own. */
const roleInMail = ({
  role,
  roleTitle,
}: Pick<InvitationMailParams, 'role' | 'roleTitle'>): MailValues<'invitation'>['role'] => {
  if (isBuiltIn(role) && roleTitle === builtInRoles[role].title) return role;
  return roleTitle === null ? 'none' : 'named';
};

/**
 * Consumes the permits of inviter and mailbox in the transaction that queues the mail: anyone can put two names into a
 * mail to any address, so that invitations could be spam.
 * @param email normalized
 */
export const consumeMailPermit = async (
  limits: RateLimits,
  transaction: Transaction,
  inviterId: string,
  email: string,
): Promise<void> => {
  await limits.consumeIn(transaction, rateLimits.invitationFrom, inviterId);
  await limits.consumeIn(transaction, rateLimits.invitationTo, mailboxOf(email));
};

// Two secrets: the token in the link, stored as SHA-256, and the vToken derived from it by a key, which is not stored.

/** A UUID of 122 random bits (contract/organizations.md#invitation-token-and-mail). */
export const newInvitationToken = (): string => randomUUID();

/** Whether a text has the format of such a token. */
export const isWellFormedInvitationToken = isId;

const purpose = 'invitation vToken';

export const vTokenOf = (keyring: Keyring, token: string): string => keyring.mac(purpose, token);

/** Whether this service issued the vToken for this invitation, under any of its secrets. */
export const isVTokenOf = (keyring: Keyring, token: string, candidate: string): boolean =>
  keyring.isMac(purpose, token, candidate);

// One log line for each durable change of an invitation: the acting user and the row, without secrets and addresses.

const sentences = {
  'invitation.created': 'A person was invited',
  'invitation.reissued': 'An invitation was sent again',
  'invitation.cancelled': 'An invitation was cancelled',
  'invitation.reissued_by_super_admin': 'A super admin had an invitation sent again',
  'invitation.cancelled_by_super_admin': 'A super admin cancelled an invitation',
  'invitation.accepted': 'A person accepted an invitation',
  'invitation.profile_completed': 'An invited person completed a profile and signed in',
} as const;

export type InvitationEvent = keyof typeof sentences;

export interface InvitationIds {
  /** The acting user. */
  readonly userId: string;
  readonly organizationId: string;
  readonly memberId: string;
}

export const recordInvitation = (
  logger: Logger,
  transaction: Transaction,
  event: InvitationEvent,
  { userId, organizationId, memberId }: InvitationIds,
): void => transaction.afterCommit(() => logger.info({ event, userId, organizationId, memberId }, sentences[event]));

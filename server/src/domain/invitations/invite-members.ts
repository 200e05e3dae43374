/** Operation inviteMembers: invites a list in one transaction, with a report for each address; a dry run too. */
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import { runAndRollBack } from '../../platform/database/transaction.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { EvenLimit } from '../../platform/rate-limit/rate-limits.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import { authorizeInOrganization, inLiveSession } from '../access/authorize.ts';
import { requireCanManageRole, requireProofForOwner } from '../memberships/manage-members.ts';
import { freeSeats } from '../organizations/seats.ts';
import type { Role } from '../scopes/scopes.ts';
import { emailReason, mailboxOf, normalizeEmail } from '../users/text-rules.ts';
import { findConnections } from './invitations-store.ts';
import { type InvitationDeps, mailOpened, openFor, renewableRoles } from './invite-member.ts';

export const invitationOutcomes = [
  'INVITED',
  /** A new link for an invitation that had expired, with the role asked for. */
  'RENEWED',
  'MEMBER',
  'ALREADY_INVITED',
  'OWN_ADDRESS',
  'MALFORMED',
  /** The address stands earlier in the list. */
  'REPEATED',
  /** The product has no seat left. */
  'NO_SEAT',
  /** The limits of invitation mails refuse it for now. */
  'TOO_MANY_MAILS',
  /** Its expired invitation has a role that the caller may not manage. */
  'NOT_ALLOWED',
] as const;
type InvitationOutcome = (typeof invitationOutcomes)[number];

export interface AddressReport {
  /** In the list, from 0. */
  readonly position: number;
  /** Normalized; null when it is malformed. */
  readonly email: string | null;
  readonly outcome: InvitationOutcome;
}

export interface BulkInvitation {
  readonly dryRun: boolean;
  /** One for each address of the list, in its order. */
  readonly reports: readonly AddressReport[];
}

interface InviteMembersInput {
  readonly emails: readonly string[];
  readonly role: Role;
  readonly dryRun: boolean;
}

export const maxAddresses = 200;

/**
 * Invites all addresses that can be invited, or none.
 * @throws Refusal BAD_USER_INPUT: `emails` are none or too many; FORBIDDEN: without MEMBERS_INVITE, or the caller may
 *   not manage the role; REAUTHENTICATION_REQUIRED: the role is OWNER
 */
export const inviteMembers = async (
  deps: InvitationDeps,
  actor: Actor,
  { emails, role, dryRun }: InviteMembersInput,
): Promise<BulkInvitation> => {
  if (emails.length === 0) throw invalidInput({ emails: 'The list has no address.' });
  if (emails.length > maxAddresses) {
    throw invalidInput({ emails: `Invite at most ${maxAddresses} addresses at a time.` });
  }
  const work = inLiveSession(actor, (transaction) => inviteAll(deps, transaction, actor, { emails, role }));
  return { dryRun, reports: await withNewDeadline(() => run(deps.database, dryRun, work), waitLimits.bulkMillis) };
};

const run = <Result>(
  database: Database,
  dryRun: boolean,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => (dryRun ? runAndRollBack(database, work) : database.transaction(work));

const inviteAll = async (
  deps: InvitationDeps,
  transaction: Transaction,
  actor: Actor,
  { emails, role }: Omit<InviteMembersInput, 'dryRun'>,
): Promise<readonly AddressReport[]> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_INVITE');
  requireCanManageRole(actor, own, role);
  await requireProofForOwner(transaction, actor, role);
  const reports = await examine(transaction, actor, own, emails);
  let seats = (await freeSeats(transaction, deps.application, own.organization.id)) ?? Number.POSITIVE_INFINITY;
  const outcomes = new Map<number, InvitationOutcome>();
  const mayMail = mailPermits(deps, transaction, actor);
  // In the order of the addresses: two lists that share some lock them in the same order.
  for (const { position, email, outcome } of reports.filter(isInvitable).sort(byAddress)) {
    const invite = async () =>
      (await mayMail(email))
        ? inviteOne(deps, transaction, actor, own, { email, role, outcome })
        : ('TOO_MANY_MAILS' as const);
    const result = seats > 0 ? await invite() : 'NO_SEAT';
    if (isInvited(result)) seats -= 1;
    outcomes.set(position, result);
  }
  return reports.map((report) => ({ ...report, outcome: outcomes.get(report.position) ?? report.outcome }));
};

type Invitable = AddressReport & { readonly email: string; readonly outcome: 'INVITED' | 'RENEWED' };

const isInvited = (outcome: InvitationOutcome): outcome is Invitable['outcome'] =>
  outcome === 'INVITED' || outcome === 'RENEWED';

const isInvitable = (report: AddressReport): report is Invitable => report.email !== null && isInvited(report.outcome);

const byAddress = (one: Invitable, other: Invitable): number => (one.email < other.email ? -1 : 1);

/** The forecast for each address, with seats and mails for all. */
const examine = async (
  transaction: Transaction,
  actor: Actor,
  own: ActiveMembership,
  typed: readonly string[],
): Promise<readonly AddressReport[]> => {
  const emails = typed.map(normalizeEmail);
  const wellFormed = emails.filter((email) => emailReason(email) === null);
  const connections = await transaction.many(findConnections, [own.organization.id, wellFormed]);
  const renewable = renewableRoles(actor, own);
  const outcomeOf = (email: string, position: number): InvitationOutcome => {
    if (emailReason(email) !== null) return 'MALFORMED';
    if (email === actor.user.email) return 'OWN_ADDRESS';
    if (emails.indexOf(email) < position) return 'REPEATED';
    const known = connections.find((connection) => connection.email === email);
    if (known === undefined) return 'INVITED';
    if (known.joined) return 'MEMBER';
    if (known.isOpen) return 'ALREADY_INVITED';
    return renewable === null || renewable.includes(known.role) ? 'RENEWED' : 'NOT_ALLOWED';
  };
  return emails.map((email, position) => {
    const outcome = outcomeOf(email, position);
    return { position, email: outcome === 'MALFORMED' ? null : email, outcome };
  });
};

/**
 * Whether a mail to the next address may be sent: consumes a permit of the inviter and one of the mailbox. Where a
 * mailbox has none, the inviter's is left for the next address, and an inviter without one takes none of any mailbox.
 */
const mailPermits = (
  { limits }: Pick<InvitationDeps, 'limits'>,
  transaction: Transaction,
  actor: Actor,
): ((email: string) => Promise<boolean>) => {
  let inviter: 'none yet' | 'in hand' | 'exhausted' = 'none yet';
  const takes = async (limit: EvenLimit, subject: string): Promise<boolean> => {
    try {
      await limits.consumeIn(transaction, limit, subject);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  };
  return async (email) => {
    if (inviter === 'none yet') {
      inviter = (await takes(rateLimits.invitationFrom, actor.user.id)) ? 'in hand' : 'exhausted';
    }
    if (inviter === 'exhausted' || !(await takes(rateLimits.invitationTo, mailboxOf(email)))) return false;
    inviter = 'none yet';
    return true;
  };
};

const inviteOne = async (
  deps: InvitationDeps,
  transaction: Transaction,
  actor: Actor,
  own: ActiveMembership,
  { email, role, outcome }: Pick<Invitable, 'email' | 'outcome'> & { readonly role: Role },
): Promise<InvitationOutcome> => {
  const { memberId, token } = await openFor(transaction, actor, own, { email, role });
  // The address was changed to one of a member since it was examined.
  if (memberId === null) return 'MEMBER';
  await mailOpened(deps, transaction, actor, own, { email, role, memberId, token });
  return outcome;
};

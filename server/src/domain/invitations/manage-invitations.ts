/** Operations that cancel or reset an invitation, by members of its organization and by super admins. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { runAndRollBack } from '../../platform/database/transaction.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization, authorizeSuperAdmin, inLiveSession, liveTransaction } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { getMember, requireCanManageRole } from '../memberships/manage-members.ts';
import { findMember, lockOrganization, type MemberRow } from '../organizations/organizations-store.ts';
import { requireSeats } from '../organizations/seats.ts';
import { deleteInvitation, findInvitingOrganization, renewInvitation } from './invitations-store.ts';
import {
  consumeMailPermit,
  type InvitationDeps,
  type InvitationEvent,
  type InvitationIds,
  type Inviter,
  invitationNotOpen,
  newInvitationToken,
  recordInvitation,
  sendInvitation,
} from './invite-member.ts';

// Operations of super admins on an invitation of any organization.

interface AdminInvitationInput {
  /** Id of an invitation in any organization. */
  readonly memberId: string;
  /** Runs the same checks and returns the same answer, with nothing changed and no mail. */
  readonly dryRun: boolean;
}

export interface AdminInvitation {
  /** The invitation after the change; a cancelled one as it was before. */
  readonly member: MemberRow;
  readonly organizationId: string;
  readonly organizationName: string;
}

interface ReissuedInvitation extends AdminInvitation {
  /** The queued mail, without its link. */
  readonly mail: { readonly to: string; readonly subject: string };
}

type Run = <Result>(database: Database, work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

const runOf = (dryRun: boolean): Run => (dryRun ? runAndRollBack : (database, work) => database.transaction(work));

/**
 * Renews an invitation for seven days and mails its new link, in the operator's name; the old link becomes invalid.
 * @throws Refusal FORBIDDEN: no super admin with invitations:manage; NOT_FOUND: none; INVITATION_NOT_OPEN: accepted;
 *   SEATS_EXHAUSTED: it had expired; RATE_LIMITED: see `consumeMailPermit`
 */
export const adminResetInvitation = (
  deps: InvitationDeps,
  actor: Actor,
  { memberId, dryRun }: AdminInvitationInput,
): Promise<ReissuedInvitation> =>
  runOf(dryRun)(
    deps.database,
    inLiveSession(actor, async (transaction) => {
      const { organizationId, organizationName } = await authorizeFor(transaction, actor, memberId);
      const facts = { userId: actor.user.id, organizationId, memberId };
      const inviter = { email: actor.user.email, name: null };
      const event = 'invitation.reissued_by_super_admin';
      const { member, subject } = await reissue(deps, transaction, event, facts, inviter);
      const mail = { to: member.email, subject };
      return { member, organizationId, organizationName, mail };
    }),
  );

/** Cancels one, expired or not. No mail. @throws Refusal as `authorizeSuperAdmin`; NOT_FOUND; INVITATION_NOT_OPEN */
export const adminCancelInvitation = (
  deps: Deps<'database' | 'logger'>,
  actor: Actor,
  { memberId, dryRun }: AdminInvitationInput,
): Promise<AdminInvitation> =>
  runOf(dryRun)(
    deps.database,
    inLiveSession(actor, async (transaction) => {
      const invitation = await authorizeFor(transaction, actor, memberId);
      const facts = { userId: actor.user.id, organizationId: invitation.organizationId, memberId };
      await withdraw(deps, transaction, 'invitation.cancelled_by_super_admin', facts);
      return invitation;
    }),
  );

/** Locks the organization before the caller's row; only then does the invitation no longer change. */
const authorizeFor = async (transaction: Transaction, actor: Actor, memberId: string): Promise<AdminInvitation> => {
  const organization = isId(memberId) ? await transaction.maybeOne(findInvitingOrganization, [memberId]) : null;
  if (organization !== null) await transaction.maybeOne(lockOrganization, [organization.organizationId]);
  await authorizeSuperAdmin(transaction, actor, 'invitations:manage');
  const member =
    organization === null ? null : await transaction.maybeOne(findMember, [memberId, organization.organizationId]);
  if (organization === null || member === null) throw new Refusal('NOT_FOUND', 'There is no such invitation.');
  return { ...organization, member };
};

/**
 * Operation cancelInvitation (contract/organizations.md#resending-and-cancelling), without a mail.
 * @returns the invitation as it was
 * @throws Refusal see `authorizeForInvitation`
 */
export const cancelInvitation = (
  deps: Deps<'database' | 'logger'>,
  actor: Actor,
  memberId: string,
): Promise<MemberRow> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    const { organizationId, member } = await authorizeForInvitation(transaction, actor, memberId);
    await withdraw(deps, transaction, 'invitation.cancelled', { userId: actor.user.id, organizationId, memberId });
    return member;
  });

/**
 * Operation resetInvitation (contract/organizations.md#resending-and-cancelling): mails a new link.
 * @throws Refusal see `authorizeForInvitation`; SEATS_EXHAUSTED: it had expired; RATE_LIMITED: see `consumeMailPermit`
 */
export const resetInvitation = (deps: InvitationDeps, actor: Actor, memberId: string): Promise<MemberRow> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    const { organizationId } = await authorizeForInvitation(transaction, actor, memberId);
    const facts = { userId: actor.user.id, organizationId, memberId };
    return (await reissue(deps, transaction, 'invitation.reissued', facts, actor.user)).member;
  });

/**
 * Locks the active organization; requires one of its invitations, open or expired, that the caller may manage.
 * @returns the organization's id, and the invitation
 * @throws Refusal MEMBERSHIP_REQUIRED; FORBIDDEN: without MEMBERS_INVITE, or the role may not be managed; NOT_FOUND:
 *   unknown, malformed or elsewhere, indistinguishably; INVITATION_NOT_OPEN: accepted
 */
const authorizeForInvitation = async (
  transaction: Transaction,
  actor: Actor,
  memberId: string,
): Promise<{ readonly organizationId: string; readonly member: MemberRow }> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_INVITE');
  const organizationId = own.organization.id;
  const member = await getMember(transaction, memberId, organizationId);
  if (member.joinedAt !== null) throw invitationNotOpen();
  requireCanManageRole(actor, own, member.role);
  return { organizationId, member };
};

// The two changes, which both members and super admins make once their authority was checked.

/**
 * Gives an invitation a fresh token and seven more days, and mails the link.
 * @param inviter with the name in the mail
 * @throws Refusal INVITATION_NOT_OPEN: accepted or deleted; SEATS_EXHAUSTED: it had expired
 */
const reissue = async (
  deps: InvitationDeps,
  transaction: Transaction,
  event: InvitationEvent,
  ids: InvitationIds,
  inviter: Inviter,
): Promise<{ readonly member: MemberRow; readonly subject: string }> => {
  const { organizationId, memberId } = ids;
  const before = await transaction.maybeOne(findMember, [memberId, organizationId]);
  const token = newInvitationToken();
  const renewed = await transaction.maybeOne(renewInvitation, [memberId, sha256(token)]);
  if (renewed === null) throw invitationNotOpen();
  // An open invitation has its seat already.
  if (before?.invitationStatus === 'EXPIRED') {
    await requireSeats(transaction, deps.application, organizationId, 'members and invitations');
  }
  const { subject } = await sendInvitation(deps, transaction, { ...renewed, inviter }, token);
  await consumeMailPermit(deps.limits, transaction, ids.userId, renewed.email);
  recordInvitation(deps.logger, transaction, event, ids);
  return { member: await transaction.one(findMember, [memberId, organizationId]), subject };
};

/** Deletes an invitation; its link is unknown from then on. @throws Refusal INVITATION_NOT_OPEN: as for `reissue` */
const withdraw = async (
  { logger }: Deps<'logger'>,
  transaction: Transaction,
  event: InvitationEvent,
  ids: InvitationIds,
): Promise<void> => {
  if ((await transaction.maybeOne(deleteInvitation, [ids.memberId])) === null) throw invitationNotOpen();
  recordInvitation(logger, transaction, event, ids);
};

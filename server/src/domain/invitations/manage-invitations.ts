/** Operations that cancel or reset an invitation, by members of its organization and by super admins. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { runAndRollBack } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization, authorizeSuperAdmin, withSessionCheck } from '../access/authorize.ts';
import { getMember, requireSayOver } from '../memberships/manage-members.ts';
import { findMember, lockOrganization, type MemberRow } from '../organizations/organizations-store.ts';
import { findInvitingOrganization } from './invitations-store.ts';
import {
  consumeMailPermit,
  type InvitationDeps,
  invitationNotOpen,
  invitationSubject,
  recordInvitation,
  reissueInvitation,
  withdrawInvitation,
} from './invite-member.ts';

// Operations of super admins on an invitation of any organization. Every surface that manages invitations calls these
// two.

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
 * Gives an invitation, expired or not, a new link and seven more days, and mails it; the old link becomes invalid. The
 * mail names no inviter: the operator of the service sends it.
 * @throws Refusal FORBIDDEN: the caller is no longer a super admin with invitations:manage; NOT_FOUND: there is no such
 *   invitation; INVITATION_NOT_OPEN: the user has joined; RATE_LIMITED: see `consumeMailPermit`; UNAUTHENTICATED: the
 *   caller's session ended meanwhile
 */
export const resetInvitationOfAnybody = (
  deps: InvitationDeps,
  actor: Actor,
  { memberId, dryRun }: AdminInvitationInput,
): Promise<ReissuedInvitation> =>
  runOf(dryRun)(withSessionCheck(deps.database, actor), async (transaction) => {
    const { organizationId, organizationName } = await authorizeFor(transaction, actor, memberId);
    const { email } = await reissueInvitation(deps, transaction, memberId, null);
    await consumeMailPermit(deps.limits, transaction, actor.user.id, email);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.reissued_by_super_admin', facts);
    const member = await transaction.one(findMember, [memberId, organizationId]);
    return {
      member,
      organizationId,
      organizationName,
      mail: { to: email, subject: invitationSubject(organizationName) },
    };
  });

/**
 * Cancels an invitation, expired or not. No notification is sent.
 * @throws Refusal FORBIDDEN: the caller is no longer a super admin with invitations:manage; NOT_FOUND: there is no such
 *   invitation; INVITATION_NOT_OPEN: the user has joined; UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const adminCancelInvitation = (
  deps: { readonly database: Database; readonly logger: Logger },
  actor: Actor,
  { memberId, dryRun }: AdminInvitationInput,
): Promise<AdminInvitation> =>
  runOf(dryRun)(withSessionCheck(deps.database, actor), async (transaction) => {
    const invitation = await authorizeFor(transaction, actor, memberId);
    await withdrawInvitation(transaction, memberId);
    const facts = { userId: actor.user.id, organizationId: invitation.organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.cancelled_by_super_admin', facts);
    return invitation;
  });

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

interface CancelInvitationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Operation cancelInvitation (contract, `cancelInvitation`): cancels an invitation of the caller's active organization,
 * expired or not. No notification is sent.
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN, NOT_FOUND, INVITATION_NOT_OPEN: see `authorizeForInvitation`;
 *   UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const cancelInvitation = (deps: CancelInvitationDeps, actor: Actor, memberId: string): Promise<void> =>
  withSessionCheck(deps.database, actor).transaction(async (transaction) => {
    const organizationId = await authorizeForInvitation(transaction, actor, memberId);
    await withdrawInvitation(transaction, memberId);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.cancelled', facts);
  });

/**
 * Operation resetInvitation (specification, "Invitation", re-issue): gives an invitation of the caller's active
 * organization, expired or not, a new link, and mails it.
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN, NOT_FOUND, INVITATION_NOT_OPEN: see `authorizeForInvitation`;
 *   RATE_LIMITED: see `consumeMailPermit`; UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const resetInvitation = (deps: InvitationDeps, actor: Actor, memberId: string): Promise<MemberRow> =>
  withSessionCheck(deps.database, actor).transaction(async (transaction) => {
    const organizationId = await authorizeForInvitation(transaction, actor, memberId);
    const { email } = await reissueInvitation(deps, transaction, memberId, actor.user.name);
    await consumeMailPermit(deps.limits, transaction, actor.user.id, email);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.reissued', facts);
    return transaction.one(findMember, [memberId, organizationId]);
  });

/**
 * Locks the caller's active organization, and requires that this is one of its invitations, open or expired, and that
 * the caller may manage it.
 * @returns the organization's id
 * @throws Refusal MEMBERSHIP_REQUIRED: there is no active membership; FORBIDDEN: the scope MEMBERS_INVITE is missing,
 *   or an ADMIN manages the invitation of an OWNER; NOT_FOUND: the id is unknown, malformed or of another organization,
 *   which are indistinguishable; INVITATION_NOT_OPEN: the user has joined
 */
const authorizeForInvitation = async (transaction: Transaction, actor: Actor, memberId: string): Promise<string> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_INVITE');
  const organizationId = own.organization.id;
  const member = await getMember(transaction, memberId, organizationId);
  if (member.joinedAt !== null) throw invitationNotOpen();
  requireSayOver(own.role, member.role);
  return organizationId;
};

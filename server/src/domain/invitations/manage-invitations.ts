/**
 * Operations that cancel or reset an invitation, by members of its organization and by super admins.
 */
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

// Operations of super admins on an invitation of any organization: send it again, cancel it. Every surface that governs
// invitations calls these two.

export interface AdminInvitationInput {
  /** The invitation's, in any organization. */
  readonly memberId: string;
  /** The same checks and the same answer, with nothing changed and no mail. */
  readonly dryRun: boolean;
}

export interface AdminInvitation {
  /** As it is afterwards; of a cancelled one, as it was. */
  readonly member: MemberRow;
  readonly organizationId: string;
  readonly organizationName: string;
}

export interface ReissuedInvitation extends AdminInvitation {
  /** What is queued, without its link. */
  readonly mail: { readonly to: string; readonly subject: string };
}

type Run = <Result>(database: Database, work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

const runOf = (dryRun: boolean): Run => (dryRun ? runAndRollBack : (database, work) => database.transaction(work));

/**
 * Gives an invitation, expired or not, a new link and seven more days, and mails it; the old link is dead. The mail names
 * nobody: it comes from whoever runs the service.
 * @throws Refusal FORBIDDEN when the caller is no super admin with invitations:manage by now; NOT_FOUND; INVITATION_NOT_OPEN
 *   for who has joined; RATE_LIMITED, see `consumeMailPermit`; UNAUTHENTICATED when the caller's session ended meanwhile
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
 * Takes back an invitation, expired or not. Nobody is told.
 * @throws Refusal FORBIDDEN when the caller is no super admin with invitations:manage by now; NOT_FOUND; INVITATION_NOT_OPEN
 *   for who has joined; UNAUTHENTICATED when the caller's session ended meanwhile
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

/** Locks the organization first and the caller's row after it; only then is the invitation what it will stay. */
const authorizeFor = async (transaction: Transaction, actor: Actor, memberId: string): Promise<AdminInvitation> => {
  const organization = isId(memberId) ? await transaction.maybeOne(findInvitingOrganization, [memberId]) : null;
  if (organization !== null) await transaction.maybeOne(lockOrganization, [organization.organizationId]);
  await authorizeSuperAdmin(transaction, actor, 'invitations:manage');
  const member =
    organization === null ? null : await transaction.maybeOne(findMember, [memberId, organization.organizationId]);
  if (organization === null || member === null) throw new Refusal('NOT_FOUND', 'There is no such invitation.');
  return { ...organization, member };
};

// Operation cancelInvitation (contract, `cancelInvitation`).

export interface CancelInvitationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Takes back an invitation of the caller's active organization, expired or not. Nobody is told.
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN, NOT_FOUND or INVITATION_NOT_OPEN, see `authorizeForInvitation`;
 *   UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const cancelInvitation = (deps: CancelInvitationDeps, actor: Actor, memberId: string): Promise<void> =>
  withSessionCheck(deps.database, actor).transaction(async (transaction) => {
    const organizationId = await authorizeForInvitation(transaction, actor, memberId);
    await withdrawInvitation(transaction, memberId);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.cancelled', facts);
  });

// Operation resetInvitation (specification, "Invitation", re-issue).

/**
 * Gives an invitation of the caller's active organization, expired or not, a new link, and mails it.
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN, NOT_FOUND or INVITATION_NOT_OPEN, see `authorizeForInvitation`;
 *   RATE_LIMITED, see `consumeMailPermit`; UNAUTHENTICATED when the caller's session ended meanwhile
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

// Who may change an invitation of an organization: the tenant's rules, in the transaction that makes the change.

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

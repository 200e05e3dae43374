/**
 * Operations of super admins on an invitation of any organization: send it again, cancel it. Every surface that governs
 * invitations calls these two.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { rehearse } from '../../platform/database/rehearse.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin } from '../access/authorize.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { findMember, type MemberRow } from '../organizations/members-store.ts';
import { lockOrganization } from '../organizations/organizations-store.ts';
import { invitationSubject } from './invitation-mail.ts';
import { findInvitingOrganization } from './invitations-store.ts';
import type { InvitationDeps } from './invite-member.ts';
import { takeMailTurn } from './mail-limits.ts';
import { recordInvitation } from './record-invitation.ts';
import { reissueInvitation, withdrawInvitation } from './send-invitation.ts';

export interface GovernInvitationInput {
  /** The invitation's, in any organization. */
  readonly memberId: string;
  /** The same checks and the same answer, with nothing changed and no mail. */
  readonly dryRun: boolean;
}

export interface GovernedInvitation {
  /** As it is afterwards; of a cancelled one, as it was. */
  readonly member: MemberRow;
  readonly organizationId: string;
  readonly organizationName: string;
}

export interface ReissuedInvitation extends GovernedInvitation {
  /** What is queued, without its link. */
  readonly mail: { readonly to: string; readonly subject: string };
}

type Run = <Result>(database: Database, work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

const runOf = (dryRun: boolean): Run => (dryRun ? rehearse : (database, work) => database.transaction(work));

/**
 * Gives an invitation, expired or not, a new link and seven more days, and mails it; the old link is dead. The mail names
 * nobody: it comes from whoever runs the service.
 * @throws Refusal FORBIDDEN when the caller is no super admin with invitations:manage by now; NOT_FOUND; INVITATION_NOT_OPEN
 *   for who has joined; RATE_LIMITED, see `takeMailTurn`; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const resetInvitationOfAnybody = (
  deps: InvitationDeps,
  actor: Actor,
  { memberId, dryRun }: GovernInvitationInput,
): Promise<ReissuedInvitation> =>
  runOf(dryRun)(onBehalfOf(deps.database, actor), async (transaction) => {
    const { organizationId, organizationName } = await authorizeFor(transaction, actor, memberId);
    const { email } = await reissueInvitation(deps, transaction, memberId, null);
    await takeMailTurn(deps.limits, transaction, actor.user.id, email);
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
export const cancelInvitationOfAnybody = (
  deps: { readonly database: Database; readonly logger: Logger },
  actor: Actor,
  { memberId, dryRun }: GovernInvitationInput,
): Promise<GovernedInvitation> =>
  runOf(dryRun)(onBehalfOf(deps.database, actor), async (transaction) => {
    const invitation = await authorizeFor(transaction, actor, memberId);
    await withdrawInvitation(transaction, memberId);
    const facts = { userId: actor.user.id, organizationId: invitation.organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.cancelled_by_super_admin', facts);
    return invitation;
  });

/** Locks the organization first and the caller's row after it; only then is the invitation what it will stay. */
const authorizeFor = async (transaction: Transaction, actor: Actor, memberId: string): Promise<GovernedInvitation> => {
  const organization = isId(memberId) ? await transaction.maybeOne(findInvitingOrganization, [memberId]) : null;
  if (organization !== null) await transaction.maybeOne(lockOrganization, [organization.organizationId]);
  await authorizeSuperAdmin(transaction, actor, 'invitations:manage');
  const member =
    organization === null ? null : await transaction.maybeOne(findMember, [memberId, organization.organizationId]);
  if (organization === null || member === null) throw new Refusal('NOT_FOUND', 'There is no such invitation.');
  return { ...organization, member };
};

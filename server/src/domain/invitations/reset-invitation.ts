/** Operation resetInvitation (specification, "Invitation", re-issue). */
import type { Actor } from '../access/actor.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { findMember, type MemberRow } from '../organizations/members-store.ts';
import { authorizeForInvitation } from './authorize-invitation.ts';
import type { InvitationDeps } from './invite-member.ts';
import { takeMailTurn } from './mail-limits.ts';
import { recordInvitation } from './record-invitation.ts';
import { reissueInvitation } from './send-invitation.ts';

/**
 * Gives an invitation of the caller's active organization, expired or not, a new link, and mails it.
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN, NOT_FOUND or INVITATION_NOT_OPEN, see `authorizeForInvitation`;
 *   RATE_LIMITED, see `takeMailTurn`; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const resetInvitation = (deps: InvitationDeps, actor: Actor, memberId: string): Promise<MemberRow> =>
  onBehalfOf(deps.database, actor).transaction(async (transaction) => {
    const organizationId = await authorizeForInvitation(transaction, actor, memberId);
    const { email } = await reissueInvitation(deps, transaction, memberId, actor.user.name);
    await takeMailTurn(deps.limits, transaction, actor.user.id, email);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.reissued', facts);
    return transaction.one(findMember, [memberId, organizationId]);
  });

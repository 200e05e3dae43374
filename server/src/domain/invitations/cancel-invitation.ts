/** Operation cancelInvitation (contract, `cancelInvitation`). */
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { authorizeForInvitation } from './authorize-invitation.ts';
import { recordInvitation } from './record-invitation.ts';
import { withdrawInvitation } from './send-invitation.ts';

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
  onBehalfOf(deps.database, actor).transaction(async (transaction) => {
    const organizationId = await authorizeForInvitation(transaction, actor, memberId);
    await withdrawInvitation(transaction, memberId);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(deps.logger, transaction, 'invitation.cancelled', facts);
  });

/**
 * Operation removeMember: somebody takes a person out of their active organization, or leaves one of their own. The
 * sessions that the person had in that organization end with it.
 */
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { listFamiliesInOrganization } from '../credentials/credentials-store.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import type { MemberRow } from '../organizations/members-store.ts';
import { lockOrganization } from '../organizations/organizations-store.ts';
import { lockUserRow } from '../users/users-store.ts';
import { getMember, lastOwner, requireSayOver } from './member-rules.ts';
import { deleteMember, fallBackFrom, findOrganizationOfOwn } from './memberships-store.ts';
import { recordOrganization } from './record-organization.ts';

export interface RemoveMemberDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface Removal {
  /** Whether the session that the caller came with is one of those that ended. */
  readonly endsOwnSession: boolean;
}

/**
 * @param memberId of any membership of the caller's own, or of anybody in the caller's active organization
 * @throws Refusal MEMBERSHIP_REQUIRED or FORBIDDEN without the scope MEMBERS_REMOVE, unless the membership is the
 *   caller's own; FORBIDDEN to an ADMIN who would remove an OWNER
 * @throws Refusal NOT_FOUND when there is no such member here; LAST_OWNER when nobody else owns the organization
 * @throws Refusal UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const removeMember = async (
  { database, logger }: RemoveMemberDeps,
  actor: Actor,
  memberId: string,
): Promise<Removal> => {
  const families = await onBehalfOf(database, actor).transaction(async (transaction) => {
    const found = await getRemovable(transaction, actor, memberId);
    const ended = await remove(transaction, found);
    const { organizationId, member } = found;
    recordOrganization(logger, transaction, 'organization.member_removed', {
      userId: actor.user.id,
      organizationId,
      memberId,
      memberUserId: member.userId,
      endedSessions: ended.length,
    });
    return ended;
  });
  return { endsOwnSession: families.includes(actor.credential.sessionFamilyId) };
};

interface Removable {
  readonly organizationId: string;
  readonly member: MemberRow;
}

/** Locks the organization, and only then looks at whom the caller may remove from it. */
const getRemovable = async (transaction: Transaction, actor: Actor, memberId: string): Promise<Removable> => {
  const own = isId(memberId) ? await transaction.maybeOne(findOrganizationOfOwn, [memberId, actor.user.id]) : null;
  if (own === null) return getManaged(transaction, actor, memberId);
  await transaction.maybeOne(lockOrganization, [own.organizationId]);
  return { organizationId: own.organizationId, member: await getMember(transaction, memberId, own.organizationId) };
};

const getManaged = async (transaction: Transaction, actor: Actor, memberId: string): Promise<Removable> => {
  const { role, organization } = await authorizeInOrganization(transaction, actor, 'MEMBERS_REMOVE');
  const member = await getMember(transaction, memberId, organization.id);
  requireSayOver(role, member.role);
  return { organizationId: organization.id, member };
};

/**
 * Deletes the membership and ends the sessions that were issued in it; answers their families. The person's row is
 * locked first: a sign-in or a switch that was under way is then either done, and its session is seen here, or finds
 * the membership gone.
 */
const remove = async (transaction: Transaction, { organizationId, member }: Removable): Promise<string[]> => {
  await transaction.maybeOne(lockUserRow, [member.userId]);
  await transaction.execute(fallBackFrom, [member.userId, member.id]);
  if ((await transaction.maybeOne(deleteMember, [member.id])) === null) throw lastOwner();
  const rows = await transaction.many(listFamiliesInOrganization, [member.userId, organizationId]);
  const families = rows.map(({ sessionFamilyId }) => sessionFamilyId);
  for (const family of families) await revokeSessionFamily(transaction, family, 'membership_removed');
  return families;
};

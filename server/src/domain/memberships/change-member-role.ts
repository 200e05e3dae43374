/** Operation changeMemberRole, of a member or of an invitation in the caller's active organization. */
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import type { MemberRow } from '../organizations/members-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { getMember, lastOwner, requireSayOver } from './member-rules.ts';
import { changeRole } from './memberships-store.ts';
import { recordOrganization } from './record-organization.ts';

export interface ChangeMemberRoleDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface ChangeMemberRoleInput {
  readonly memberId: string;
  readonly role: Role;
}

/**
 * @throws Refusal MEMBERSHIP_REQUIRED or FORBIDDEN without the scope MEMBERS_UPDATE, and FORBIDDEN to an ADMIN who would
 *   change an OWNER or make one
 * @throws Refusal NOT_FOUND when there is no such member here; LAST_OWNER when nobody else owns the organization
 * @throws Refusal UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const changeMemberRole = async (
  { database, logger }: ChangeMemberRoleDeps,
  actor: Actor,
  input: ChangeMemberRoleInput,
): Promise<MemberRow> =>
  onBehalfOf(database, actor).transaction(async (transaction) => {
    const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_UPDATE');
    const organizationId = own.organization.id;
    const member = await change(transaction, { by: own.role, organizationId }, input);
    const { id: memberId, userId: memberUserId, role } = member;
    const facts = { userId: actor.user.id, organizationId, memberId, memberUserId, role };
    recordOrganization(logger, transaction, 'organization.role_changed', facts);
    return member;
  });

const change = async (
  transaction: Transaction,
  { by, organizationId }: { readonly by: Role; readonly organizationId: string },
  { memberId, role }: ChangeMemberRoleInput,
): Promise<MemberRow> => {
  const member = await getMember(transaction, memberId, organizationId);
  requireSayOver(by, member.role);
  requireSayOver(by, role);
  if ((await transaction.maybeOne(changeRole, [memberId, role])) === null) throw lastOwner();
  return { ...member, role };
};

/** Operations on the members of the active organization: list, change a role, remove. */

import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import { authorizeInOrganization, withSessionCheck } from '../access/authorize.ts';
import { listFamiliesInOrganization } from '../credentials/credentials-store.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import {
  countMembers,
  findMember,
  listMembers as listMemberRows,
  lockOrganization,
  type MemberRow,
} from '../organizations/organizations-store.ts';
import { mayManage, type Role } from '../scopes/scopes.ts';
import { readSearch } from '../users/text-rules.ts';
import { lockUserRow } from '../users/users-store.ts';
import { changeRole, deleteMember, fallBackFrom, findOrganizationOfOwn } from './memberships-store.ts';
import { recordOrganization } from './own-organizations.ts';

interface ChangeMemberRoleDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface ChangeMemberRoleInput {
  readonly memberId: string;
  readonly role: Role;
}

/**
 * Operation changeMemberRole, for a member or an invitation of the caller's active organization.
 * @throws Refusal MEMBERSHIP_REQUIRED: there is no active membership; FORBIDDEN: the scope MEMBERS_UPDATE is missing,
 *   or an ADMIN changes an OWNER or makes one
 * @throws Refusal NOT_FOUND: there is no such member here; LAST_OWNER: the organization has no other owner
 * @throws Refusal UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const changeMemberRole = async (
  { database, logger }: ChangeMemberRoleDeps,
  actor: Actor,
  input: ChangeMemberRoleInput,
): Promise<MemberRow> =>
  withSessionCheck(database, actor).transaction(async (transaction) => {
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

// Operation removeMember: removes a user from the caller's active organization, or the caller from one of their own.
// The user's sessions in that organization end.

interface RemoveMemberDeps {
  readonly database: Database;
  readonly logger: Logger;
}

interface Removal {
  /** Whether the caller's own session is among those that ended. */
  readonly endsOwnSession: boolean;
}

/**
 * Removes a member.
 * @param memberId a membership of the caller's own, or any in the caller's active organization
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN: the scope MEMBERS_REMOVE is missing and the membership is not the
 *   caller's own; FORBIDDEN: an ADMIN removes an OWNER
 * @throws Refusal NOT_FOUND: there is no such member here; LAST_OWNER: the organization has no other owner
 * @throws Refusal UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const removeMember = async (
  { database, logger }: RemoveMemberDeps,
  actor: Actor,
  memberId: string,
): Promise<Removal> => {
  const families = await withSessionCheck(database, actor).transaction(async (transaction) => {
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

/** Locks the organization before it reads which member the caller may remove. */
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
 * Deletes the membership and ends the sessions issued in it; returns their families. The user's row is locked first: a
 * concurrent sign-in or switch has then either finished, and its session is seen here, or finds the membership gone.
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

// Query members: members and invitations of the active organization, in pages, ordered by address.

const maxSearchLength = 100;

interface MemberListRequest extends PageRequest {
  /** Part of the address, or of the name of a user who has joined; null or empty matches every member. */
  readonly search?: string | null | undefined;
}

/**
 * Lists members. The caller's guard has already required the scope MEMBERS_VIEW.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search`
 */
export const listMembers = async (
  { database }: { readonly database: Queryable },
  { organization }: ActiveMembership,
  request: MemberListRequest,
): Promise<Page<MemberRow>> => {
  const { limit, after } = readPageRequest(request, 1);
  const pattern = readSearch(request.search, maxSearchLength);
  const rows = await database.many(listMemberRows, [organization.id, pattern, after?.[0] ?? null, limit]);
  const { total } = await database.one(countMembers, [organization.id, pattern]);
  return pageOf(rows, request, total, ({ email }) => [email]);
};

// Rules shared by all operations on members and invitations: the member that an id denotes, the authority over it, and
// the refusals of both.

/** @throws Refusal NOT_FOUND: the id is unknown, malformed or of another organization, which are indistinguishable */
export const getMember = async (
  transaction: Transaction,
  memberId: string,
  organizationId: string,
): Promise<MemberRow> => {
  const member = isId(memberId) ? await transaction.maybeOne(findMember, [memberId, organizationId]) : null;
  if (member === null) throw new Refusal('NOT_FOUND', 'There is no such member or invitation here.');
  return member;
};

/** @throws Refusal FORBIDDEN: a user in this role may not invite, change and remove users of the other role */
export const requireSayOver = (role: Role, other: Role): void => {
  if (mayManage(role, other)) return;
  throw new Refusal('FORBIDDEN', 'Only an owner of the organization has a say over its owners, invited ones included.');
};

const lastOwner = (): Refusal =>
  new Refusal('LAST_OWNER', 'The organization would have no owner left. Make somebody else an owner first.');

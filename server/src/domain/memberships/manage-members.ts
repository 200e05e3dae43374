/** Operations on the members of the active organization: list, change a role, remove. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import { type ActiveMembership, type Actor, isGrantForOrganization, roleManagerOf } from '../access/actor.ts';
import {
  authorizeInOrganization,
  liveTransaction,
  machineRefused,
  requireRecentAuthentication,
} from '../access/authorize.ts';
import type { Deps, MailDeps, ReadDeps } from '../access/deps.ts';
import { listFamiliesInOrganization } from '../credentials/credentials-store.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import { notifyOfDeparture, secretsSeenBy } from '../machine-tokens/departure-mails.ts';
import {
  findMember,
  findSeats,
  lockOrganization,
  type MemberRow,
  type MemberStatus,
  membersOfOrganization,
} from '../organizations/organizations-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { readSearch } from '../users/text-rules.ts';
import { lockUserRow } from '../users/users-store.ts';
import { changeRole, deleteMember, fallBackFrom, findOrganizationOfOwn } from './memberships-store.ts';
import { recordOrganizationIn } from './own-organizations.ts';

interface ChangeMemberRoleInput {
  readonly memberId: string;
  readonly role: Role;
}

/** A member or an invitation with its new role. */
interface ChangedMember extends MemberRow {
  readonly formerRole: Role;
}

/**
 * Operation changeMemberRole (contract/organizations.md#change-of-a-role), for a member or an invitation.
 * @throws Refusal FORBIDDEN: without MEMBERS_UPDATE, or an ADMIN changes or makes an OWNER; NOT_FOUND: no such member
 *   here; LAST_OWNER; REAUTHENTICATION_REQUIRED: the new role is OWNER
 */
export const changeMemberRole = async (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  input: ChangeMemberRoleInput,
): Promise<ChangedMember> =>
  liveTransaction(database, actor, async (transaction) => {
    const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_UPDATE');
    const organizationId = own.organization.id;
    const member = await change(transaction, actor, own, input);
    const { id: memberId, userId: memberUserId, role } = member;
    const facts = { userId: actor.user.id, organizationId, memberId, memberUserId, role };
    recordOrganizationIn(transaction, logger, 'organization.role_changed', facts);
    return member;
  });

const change = async (
  transaction: Transaction,
  actor: Actor,
  own: ActiveMembership,
  { memberId, role }: ChangeMemberRoleInput,
): Promise<ChangedMember> => {
  const member = await getMember(transaction, memberId, own.organization.id);
  requireCanManageRole(actor, own, member.role, role);
  await requireProofForOwner(transaction, actor, role);
  if ((await transaction.maybeOne(changeRole, [memberId, role])) === null) throw lastOwner();
  return { ...member, role, formerRole: member.role };
};

// Operation removeMember, of another or of oneself: sessions in that organization end.

interface Removal {
  /** As it was. */
  readonly member: MemberRow;
  readonly endedSessions: number;
  /** Whether the caller's own session is among those that ended. */
  readonly endsOwnSession: boolean;
}

/**
 * @param memberId a membership of the caller's own, or any in their active organization
 * @throws Refusal FORBIDDEN: without MEMBERS_REMOVE, except for one's own; an ADMIN removes an OWNER, or a machine or
 *   client its own person; NOT_FOUND; LAST_OWNER
 */
export const removeMember = async (
  deps: Deps<'application' | 'database' | 'logger'> & MailDeps,
  actor: Actor,
  memberId: string,
): Promise<Removal> => {
  const { member, families } = await liveTransaction(deps.database, actor, async (transaction) => {
    const found = await getRemovable(transaction, actor, memberId);
    const ended = await remove(transaction, found);
    const { organizationId, member } = found;
    await tellWhenSecretsLeft(deps, transaction, found);
    recordOrganizationIn(transaction, deps.logger, 'organization.member_removed', {
      userId: actor.user.id,
      organizationId,
      memberId,
      memberUserId: member.userId,
      endedSessions: ended.length,
    });
    return { member, families: ended };
  });
  const endsOwnSession = families.includes(actor.credential.sessionFamilyId);
  return { member, endedSessions: families.length, endsOwnSession };
};

const tellWhenSecretsLeft = async (
  deps: Deps<'application'> & MailDeps,
  transaction: Transaction,
  { organizationId, member: { userId, email, name } }: Removable,
): Promise<void> => {
  const seen = await secretsSeenBy(transaction, userId, [organizationId]);
  await notifyOfDeparture(deps, transaction, { email, name: name ?? '' }, seen);
};

interface Removable {
  readonly organizationId: string;
  readonly member: MemberRow;
}

/** Locks the organization before it reads which member the caller may remove. */
const getRemovable = async (transaction: Transaction, actor: Actor, memberId: string): Promise<Removable> => {
  const own = isId(memberId) ? await transaction.maybeOne(findOrganizationOfOwn, [memberId, actor.user.id]) : null;
  // A token or client acts in its organization alone, and does not end the membership that it lives by.
  const isBound = actor.machine !== null || isGrantForOrganization(actor);
  const isElsewhere = isBound && own?.organizationId !== actor.membership?.organization.id;
  if (own === null || isElsewhere) return getManaged(transaction, actor, memberId);
  if (actor.machine !== null) throw machineRefused();
  if (isBound) throw ownRemovalRefused();
  await transaction.maybeOne(lockOrganization, [own.organizationId]);
  return { organizationId: own.organizationId, member: await getMember(transaction, memberId, own.organizationId) };
};

const ownRemovalRefused = (): Refusal =>
  new Refusal(
    'FORBIDDEN',
    'A connected client never removes the person that it acts for. You can leave the organization in the portal.',
  );

const getManaged = async (transaction: Transaction, actor: Actor, memberId: string): Promise<Removable> => {
  const own = await authorizeInOrganization(transaction, actor, 'MEMBERS_REMOVE');
  const member = await getMember(transaction, memberId, own.organization.id);
  requireCanManageRole(actor, own, member.role);
  return { organizationId: own.organization.id, member };
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
  /** As it is shown: MEMBER also finds the roles that are not defined any more. */
  readonly role?: Role | null | undefined;
  readonly status?: MemberStatus | null | undefined;
}

/** The caller's guard has already required the scope MEMBERS_VIEW. */
export const listMembers = (
  { database, application }: Deps<'application'> & ReadDeps,
  { organization }: ActiveMembership,
  { role = null, status = null, ...request }: MemberListRequest,
): Promise<Page<MemberRow>> => {
  const isFallback = role !== null && application.shownRole('') === role;
  const others = application.roles.map(({ name }) => name).filter((name) => name !== role);
  return filteredPage(database, membersOfOrganization, request, {
    organization: organization.id,
    search: readSearch(request.search, maxSearchLength),
    role: isFallback ? null : role,
    otherRoles: isFallback ? others : null,
    status,
  });
};

/** The seats of the active organization. */
export interface Seats {
  /** How many people the product allows, members and open invitations together; null is no limit. */
  readonly limit: number | null;
  readonly members: number;
  readonly openInvitations: number;
}

/** The caller's guard has already required the scope MEMBERS_VIEW. */
export const getSeats = async (
  { database, application }: Deps<'application'> & ReadDeps,
  { organization }: ActiveMembership,
): Promise<Seats> => {
  const row = await database.maybeOne(findSeats, [organization.id]);
  const { product = null, members = 0, openInvitations = 0 } = row ?? {};
  return { limit: application.findProduct(product)?.members ?? null, members, openInvitations };
};

// Rules of all operations on members and invitations.

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

/**
 * @param own the caller's membership, read in this transaction
 * @throws Refusal FORBIDDEN: these roles are not the caller's to manage; for a client, with the scopes that it lacks
 */
export const requireCanManageRole = (actor: Actor, own: ActiveMembership, ...roles: readonly Role[]): void => {
  const manager = roleManagerOf(actor, own);
  const refused = roles.filter((role) => !actor.application.mayManage(manager, role));
  if (refused.length === 0) return;
  const isOwner = refused.includes('OWNER');
  const { owner, other } = isGrantForOrganization(actor) ? byClient : actor.machine === null ? byPerson : byToken;
  if (isOwner || !isGrantForOrganization(actor)) throw new Refusal('FORBIDDEN', isOwner ? owner : other);
  const needed = new Set(refused.flatMap((role) => [...actor.application.roleScopes(role)]));
  const missingScopes = own.scopes.filter((scope) => needed.has(scope) && manager.limitedTo?.has(scope) === false);
  throw new Refusal('FORBIDDEN', other, { missingScopes });
};

/** Why a role cannot be managed: that of an owner, and any other. */
const byPerson = {
  owner: 'Only an owner of the organization can change or remove its owners, including invited ones.',
  other: 'This role has scopes that yours does not have, so you cannot give, change or remove it.',
};

const byToken = {
  ...byPerson,
  other: 'This role has scopes that the token does not have, so it cannot give, change or remove it.',
};

const byClient = {
  owner:
    'A connected client never makes an owner, nor changes or removes one. An owner of the organization can do that in the portal.',
  other:
    'This role has scopes that you do not hold, or that clients are not offered here, so a client cannot give, change or remove it. A member whose role has them can do that in the portal.',
};

/** Makes another owner only for a caller who authenticated recently. @throws Refusal REAUTHENTICATION_REQUIRED */
export const requireProofForOwner = async (transaction: Transaction, actor: Actor, role: Role): Promise<void> => {
  if (role === 'OWNER') await requireRecentAuthentication(transaction, actor);
};

const lastOwner = (): Refusal =>
  new Refusal('LAST_OWNER', 'The organization would have no owner left. Make another member an owner first.');

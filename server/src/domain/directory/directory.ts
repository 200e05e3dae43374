/**
 * Owns: all users and organizations, for super admins.
 * Promises: Reads only.
 *
 * Operations of super admins that search and read every user and every organization.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import { searchedPage } from '../../platform/database/searched-list.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { ReadDeps } from '../access/deps.ts';
import type { MemberRow } from '../organizations/organizations-store.ts';
import { readSearchText } from '../users/text-rules.ts';
import {
  allOrganizations,
  allPeople,
  type CountsOfPersonRow,
  countOfPerson,
  findOrganization,
  findPerson,
  listInvited,
  listJoined,
  listMembershipsOfPerson,
  listSuspensions,
  type MembershipOfPersonRow,
  type OrganizationRow,
  organizationsByName,
  peopleByNameOrAddress,
  type SuspensionRow,
  type UserRow,
} from './directory-store.ts';

// One organization, with its members and invitations.

export interface OrganizationDetails {
  readonly organization: OrganizationRow;
  /** The first 100 by address; the organization's counts have the totals. */
  readonly members: readonly MemberRow[];
  /** Open and expired ones, the first 100 by address. */
  readonly invitations: readonly MemberRow[];
}

const maxPeople = 100;

export const getOrganization = async (
  { database }: ReadDeps,
  actor: Actor,
  organizationId: string,
): Promise<OrganizationDetails> => {
  requireSuperAdmin(actor, ['organizations:view']);
  const organization = isId(organizationId) ? await database.maybeOne(findOrganization, [organizationId]) : null;
  if (organization === null) throw new Refusal('NOT_FOUND', 'There is no such organization.');
  const members = await database.many(listJoined, [organizationId, maxPeople]);
  const invitations = await database.many(listInvited, [organizationId, maxPeople]);
  return { organization, members, invitations };
};

// One user, with their memberships and the number of their sessions.

export interface UserDetails extends CountsOfPersonRow {
  readonly user: UserRow;
  /** The first 100; `membershipCount` has the total. */
  readonly memberships: readonly MembershipOfPersonRow[];
  /** With their reasons, the newest 20. */
  readonly suspensions: readonly SuspensionRow[];
}

const maxMemberships = 100;
const maxSuspensions = 20;

export const getUser = async ({ database }: ReadDeps, actor: Actor, userId: string): Promise<UserDetails> => {
  requireSuperAdmin(actor, ['users:view']);
  const user = isId(userId) ? await database.maybeOne(findPerson, [userId]) : null;
  const counts = user === null ? null : await database.maybeOne(countOfPerson, [userId]);
  if (user === null || counts === null) throw new Refusal('NOT_FOUND', 'There is no such person.');
  const memberships = await database.many(listMembershipsOfPerson, [userId, maxMemberships]);
  const suspensions = await database.many(listSuspensions, [userId, maxSuspensions]);
  return { user, memberships, suspensions, ...counts };
};

// All organizations with their plan and number of members, in pages.

/** In characters; no name is longer. */
export const maxOrganizationSearchLength = 100;

/** In the order of their names. @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search` */
export const listOrganizations = async (
  { database }: ReadDeps,
  actor: Actor,
  request: DirectoryRequest,
): Promise<Page<OrganizationRow>> => {
  requireSuperAdmin(actor, ['organizations:view']);
  const search = readSearchText(request.search, maxOrganizationSearchLength);
  return search === null
    ? filteredPage(database, allOrganizations, request, {})
    : searchedPage(database, organizationsByName, request, search, {});
};

// All users, found by part of their name or address, in pages.

/** In characters; no address is longer. */
export const maxUserSearchLength = 254;

interface DirectoryRequest extends PageRequest {
  /** Null or empty matches everything. */
  readonly search?: string | null | undefined;
}

/** In the order of their addresses. @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search` */
export const searchUsers = async (
  { database }: ReadDeps,
  actor: Actor,
  request: DirectoryRequest,
): Promise<Page<UserRow>> => {
  requireSuperAdmin(actor, ['users:view']);
  const search = readSearchText(request.search, maxUserSearchLength);
  return search === null
    ? filteredPage(database, allPeople, request, {})
    : searchedPage(database, peopleByNameOrAddress, request, search, {});
};

/**
 * Owns: tenants and their memberships.
 * Promises: A user has at most one membership in an organization.
 *
 * SQL of `organizations` and `organization_members`: tenants, their members with roles, and the invited users.
 */
import { statement } from '../../platform/database/database.ts';
import { byEmail, type FilteredList } from '../../platform/database/filtered-list.ts';
import type { Role, SubscriptionStatus } from '../scopes/scopes.ts';

export const insertOrganization = statement<unknown, [id: string, name: string]>(
  'organizations.insert',
  'INSERT INTO organizations (id, name) VALUES ($1, $2)',
);

export const findOrganizationName = statement<{ readonly name: string }, [id: string]>(
  'organizations.find_name',
  'SELECT name FROM organizations WHERE id = $1',
);

/**
 * Renames the organizations whose only member is this user, where they still have the old name. It does not wait for
 * locks, because the user's row is held: an organization that is being changed concurrently keeps its name.
 */
export const renameOwnOrganizations = statement<unknown, [userId: string, oldName: string, newName: string]>(
  'organizations.rename_own',
  `UPDATE organizations SET name = $3 WHERE id IN (
     SELECT o.id FROM organizations o
     JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $1 AND m.joined_at IS NOT NULL
     WHERE o.name = $2 AND NOT EXISTS (
       SELECT 1 FROM organization_members other
       WHERE other.organization_id = o.id AND other.user_id <> $1 AND other.joined_at IS NOT NULL)
     FOR NO KEY UPDATE OF o SKIP LOCKED)`,
);

/** Inserts a member who joins now, without an invitation. */
export const insertMember = statement<unknown, [id: string, userId: string, organizationId: string, role: Role]>(
  'organization_members.insert',
  `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at) VALUES ($1, $2, $3, $4, now())`,
);

/** SQL: the organization of `m` was not deleted. */
export const isInUseSql = `EXISTS (SELECT 1 FROM organizations WHERE id = m.organization_id AND deletes_at IS NULL)`;

/** An organization as its members see it; without a subscription the status is null. */
export interface OrganizationColumns {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
  /** When the organization is gone for good; null unless it was deleted. */
  readonly deletesAt: Date | null;
  /** Whether members hold scopes and roles only in sessions with a second factor. */
  readonly requireSecondFactor: boolean;
}

/** A membership as its user sees it. */
export interface MembershipRow extends OrganizationColumns {
  readonly membershipId: string;
  readonly role: Role;
}

const selectMemberships = `SELECT m.id AS "membershipId", m.role, o.id AS "organizationId", o.name AS "organizationName",
    s.status AS "subscriptionStatus", s.product, s.current_period_ends_at AS "currentPeriodEndsAt",
    o.deletes_at AS "deletesAt", o.require_second_factor AS "requireSecondFactor"
  FROM organization_members m
  JOIN organizations o ON o.id = m.organization_id
  LEFT JOIN subscriptions s ON s.organization_id = o.id
  WHERE m.joined_at IS NOT NULL`;

/** The text of a query for MembershipRows, oldest membership first. @param userId a SQL expression */
export const membershipsOfUser = (userId: string): string =>
  `${selectMemberships} AND m.user_id = ${userId} ORDER BY m.joined_at, m.id`;

export const listMembershipsOfUser = statement<MembershipRow, [userId: string]>(
  'organization_members.list_of_user',
  membershipsOfUser('$1'),
);

/** Also in an organization that was deleted, where it grants nothing. */
export const findAnyMembership = statement<MembershipRow, [userId: string, organizationId: string]>(
  'organization_members.find_any_membership',
  `${selectMemberships} AND m.user_id = $1 AND m.organization_id = $2`,
);

export const findMembership = statement<MembershipRow, [userId: string, organizationId: string]>(
  'organization_members.find_membership',
  `${selectMemberships} AND o.deletes_at IS NULL AND m.user_id = $1 AND m.organization_id = $2`,
);

/**
 * First statement of every transaction that changes an organization's members or roles: such changes are serialized, so
 * that the rows that each of them checked (the caller's role, the other owners) still hold when it writes.
 */
export const lockOrganization = statement<{ readonly id: string }, [organizationId: string]>(
  'organizations.lock',
  'SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
);

/** The product of an organization, and how many seats are taken. */
export interface SeatsRow {
  readonly product: string | null;
  readonly members: number;
  readonly openInvitations: number;
}

export const findSeats = statement<SeatsRow, [organizationId: string]>(
  'organizations.find_seats',
  `SELECT s.product, count(m.joined_at)::integer AS members,
     count(*) FILTER (WHERE m.joined_at IS NULL AND m.invitation_expires_at > now())::integer AS "openInvitations"
   FROM organization_members m LEFT JOIN subscriptions s ON s.organization_id = m.organization_id
   WHERE m.organization_id = $1 GROUP BY s.product`,
);

// Members and invited users as the organization sees them.

export const invitationStatuses = ['OPEN', 'ACCEPTED', 'EXPIRED'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export interface MemberRow {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  /** Null until the user has joined: an inviter must not learn from it which addresses have an account. */
  readonly name: string | null;
  readonly role: Role;
  /** Null until the invitation is accepted. */
  readonly joinedAt: Date | null;
  /** Null for a member who joined without an invitation. */
  readonly invitationStatus: InvitationStatus | null;
  readonly invitationExpiresAt: Date | null;
  readonly invitationAcceptedAt: Date | null;
}

/** The current state of an invitation `m` (contract/organizations.md#states-of-an-invitation). */
export const invitationStatusSql = `CASE
    WHEN m.invitation_accepted_at IS NOT NULL THEN 'ACCEPTED'
    WHEN m.invitation_expires_at > now() THEN 'OPEN'
    WHEN m.invitation_token_hash IS NOT NULL THEN 'EXPIRED' END`;

const name = 'CASE WHEN m.joined_at IS NOT NULL THEN u.name END';

const columnsOfMember = `m.id, m.user_id AS "userId", u.email, ${name} AS name, m.role, m.joined_at AS "joinedAt",
    ${invitationStatusSql} AS "invitationStatus", m.invitation_expires_at AS "invitationExpiresAt",
    m.invitation_accepted_at AS "invitationAcceptedAt"`;

const fromMembers = 'FROM organization_members m JOIN users u ON u.id = m.user_id';

/** Every row; conditions follow. */
export const selectMembers = `SELECT ${columnsOfMember} ${fromMembers}`;

export const findMember = statement<MemberRow, [memberId: string, organizationId: string]>(
  'members.find',
  `${selectMembers} WHERE m.id = $1 AND m.organization_id = $2`,
);

export const memberStatuses = ['JOINED', 'INVITED', 'EXPIRED'] as const;
/** INVITED: the invitation is open. EXPIRED: it is not any more. */
export type MemberStatus = (typeof memberStatuses)[number];

interface MemberCriteria {
  readonly organization: string;
  /** A LIKE pattern. */
  readonly search: string | null;
  readonly role: Role | null;
  /** Leaves these out: with all others, the rows of roles that are not defined any more are left. */
  readonly otherRoles: readonly Role[] | null;
  readonly status: MemberStatus | null;
}

/** The members and invited users of an organization. */
export const membersOfOrganization: FilteredList<MemberRow, MemberCriteria> = {
  name: (verb) => `members.${verb}`,
  source: `${fromMembers} WHERE true`,
  conditions: [
    ['organization', (id) => `m.organization_id = ${id}`],
    ['search', (pattern) => `(u.email LIKE ${pattern} OR lower(${name}) LIKE ${pattern})`],
    ['role', (role) => `m.role = ${role}`],
    ['otherRoles', (roles) => `m.role <> ALL (${roles}::text[])`],
    [
      'status',
      (status) => `${status} = CASE WHEN m.joined_at IS NOT NULL THEN 'JOINED'
        WHEN m.invitation_expires_at > now() THEN 'INVITED' ELSE 'EXPIRED' END`,
    ],
  ],
  order: byEmail('u.email'),
  select: (page) => `SELECT ${columnsOfMember} ${page}`,
};

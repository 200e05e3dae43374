/** SQL of `organizations` and `organization_members`: tenants, and who belongs to them in which role. */
import { statement } from '../../platform/database/statement.ts';
import type { Role, SubscriptionStatus } from '../scopes/scopes.ts';

export const insertOrganization = statement<unknown, [id: string, name: string]>(
  'organizations.insert',
  'INSERT INTO organizations (id, name) VALUES ($1, $2)',
);

/**
 * Another name for what a person alone is in, where it still has a certain one. Waits for nobody, because the person's row
 * is held by now: an organization that is being changed just now keeps its name.
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

/** A person who is a member from now on, without an invitation. */
export const insertMember = statement<unknown, [id: string, userId: string, organizationId: string, role: Role]>(
  'organization_members.insert',
  `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at) VALUES ($1, $2, $3, $4, now())`,
);

/** A membership as its holder sees it; without a subscription its status is null. */
export interface MembershipRow {
  readonly membershipId: string;
  readonly role: Role;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
}

const selectMemberships = `SELECT m.id AS "membershipId", m.role, o.id AS "organizationId", o.name AS "organizationName",
    s.status AS "subscriptionStatus", s.product, s.current_period_ends_at AS "currentPeriodEndsAt"
  FROM organization_members m
  JOIN organizations o ON o.id = m.organization_id
  LEFT JOIN subscriptions s ON s.organization_id = o.id
  WHERE m.joined_at IS NOT NULL`;

/** The text of a query for MembershipRows, the oldest membership first. @param userId in SQL */
export const membershipsOfUser = (userId: string): string =>
  `${selectMemberships} AND m.user_id = ${userId} ORDER BY m.joined_at, m.id`;

export const listMembershipsOfUser = statement<MembershipRow, [userId: string]>(
  'organization_members.list_of_user',
  membershipsOfUser('$1'),
);

export const findMembership = statement<MembershipRow, [userId: string, organizationId: string]>(
  'organization_members.find_membership',
  `${selectMemberships} AND m.user_id = $1 AND m.organization_id = $2`,
);

/**
 * First statement of whatever changes who is in an organization, or as what: such changes run one after the other, so
 * that what each of them checked (the caller's role, the other owners) still holds when it writes.
 */
export const lockOrganization = statement<{ readonly id: string }, [organizationId: string]>(
  'organizations.lock',
  'SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
);

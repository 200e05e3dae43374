/** SQL that changes an organization and its memberships, after the organization or the user was locked. */
import { statement } from '../../platform/database/database.ts';
import { isInUseSql } from '../organizations/organizations-store.ts';
import type { Role } from '../scopes/scopes.ts';

interface IdRow {
  readonly id: string;
}

export const setOrganizationName = statement<unknown, [organizationId: string, name: string]>(
  'memberships.set_organization_name',
  'UPDATE organizations SET name = $2 WHERE id = $1',
);

/** The organization of `m` has another owner who has joined. */
const hasAnotherOwner = `EXISTS (SELECT 1 FROM organization_members o WHERE o.organization_id = m.organization_id
    AND o.id <> m.id AND o.role = 'OWNER' AND o.joined_at IS NOT NULL)`;

/** Whether a member can be removed: an organization keeps an owner who has joined; every other member can leave. */
const isDispensable = `(m.role <> 'OWNER' OR m.joined_at IS NULL OR ${hasAnotherOwner})`;

/** Changes a role. No row for the last owner, unless the new role is OWNER. */
export const changeRole = statement<IdRow, [memberId: string, role: Role]>(
  'memberships.change_role',
  `UPDATE organization_members m SET role = $2 WHERE m.id = $1 AND ($2 = 'OWNER' OR ${isDispensable}) RETURNING m.id`,
);

/** Deletes a membership. No row for the last owner. */
export const deleteMember = statement<IdRow, [memberId: string]>(
  'memberships.delete',
  `DELETE FROM organization_members m WHERE m.id = $1 AND ${isDispensable} RETURNING m.id`,
);

/** The organization of a user's membership; no row for an invitation. */
export const findOrganizationOfOwn = statement<{ readonly organizationId: string }, [memberId: string, userId: string]>(
  'memberships.find_organization_of_own',
  `SELECT organization_id AS "organizationId" FROM organization_members
   WHERE id = $1 AND user_id = $2 AND joined_at IS NOT NULL`,
);

/** Replaces an active membership that is about to be removed: by the user's oldest other one, or by none. */
export const fallBackFrom = statement<unknown, [userId: string, memberId: string]>(
  'memberships.fall_back_from',
  `UPDATE users SET current_membership = (SELECT m.id FROM organization_members m
     WHERE m.user_id = $1 AND m.id <> $2 AND m.joined_at IS NOT NULL AND ${isInUseSql} ORDER BY m.joined_at, m.id LIMIT 1)
   WHERE id = $1 AND current_membership = $2`,
);

/** Makes a user's membership of an organization the active one; no row when they are not a member. */
export const activateMembership = statement<IdRow, [userId: string, organizationId: string]>(
  'memberships.activate',
  `UPDATE users u SET current_membership = m.id FROM organization_members m
   WHERE u.id = $1 AND m.user_id = u.id AND m.organization_id = $2 AND m.joined_at IS NOT NULL AND ${isInUseSql}
   RETURNING m.id`,
);

/** Members and invitations by role, for the roles that are not in $1. */
export const countUndefinedRoles = statement<
  { readonly role: Role; readonly members: number },
  [defined: readonly Role[]]
>(
  'organization_members.count_undefined_roles',
  `SELECT role, count(*)::integer AS members FROM organization_members
   WHERE role NOT IN ('OWNER', 'ADMIN', 'MEMBER') AND role <> ALL ($1) GROUP BY role ORDER BY role`,
);

/** Gives one batch of members and invitations with a role another one. */
export const moveRole = statement<{ readonly count: number }, [from: Role, to: Role, most: number]>(
  'organization_members.move_role',
  `WITH moved AS (
     UPDATE organization_members SET role = $2 WHERE id = ANY (ARRAY(
       SELECT id FROM organization_members WHERE role = $1 ORDER BY id LIMIT $3 FOR UPDATE))
     RETURNING 1)
   SELECT count(*)::integer AS count FROM moved`,
);

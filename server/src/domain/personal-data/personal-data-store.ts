/** SQL that reads or deletes everything that is kept of a person. */
import { statement } from '../../platform/database/database.ts';
import { isInUseSql } from '../organizations/organizations-store.ts';

/** Holds a user's organizations, in lock order: no member joins, leaves or changes role until the end. */
export const lockOrganizationsOfUser = statement<{ readonly id: string }, [userId: string]>(
  'personal_data.lock_organizations',
  `SELECT id FROM organizations WHERE id IN (
     SELECT organization_id FROM organization_members WHERE user_id = $1 AND joined_at IS NOT NULL)
   ORDER BY id FOR UPDATE`,
);

/**
 * Holds open invitations: none is accepted later. Waits for no acceptance, which may wait for the organization.
 * @returns whether all are held
 */
export const holdInvitations = statement<{ readonly areHeld: boolean }, [organizationIds: readonly string[]]>(
  'personal_data.hold_invitations',
  `WITH held AS MATERIALIZED (
     SELECT id FROM organization_members WHERE organization_id = ANY ($1::uuid[]) AND joined_at IS NULL
     FOR UPDATE SKIP LOCKED)
   SELECT (SELECT count(*) FROM held) = count(*) AS "areHeld" FROM organization_members
   WHERE organization_id = ANY ($1::uuid[]) AND joined_at IS NULL`,
);

/** An organization that a user leaves. */
export interface OrganizationToLeaveRow {
  readonly id: string;
  /** Other people have joined it. */
  readonly hasOthers: boolean;
  /** The user is the only owner, and the organization was not deleted. */
  readonly isLastOwner: boolean;
}

const another = `EXISTS (SELECT 1 FROM organization_members o WHERE o.organization_id = m.organization_id
    AND o.id <> m.id AND o.joined_at IS NOT NULL`;

export const listOrganizationsToLeave = statement<OrganizationToLeaveRow, [userId: string]>(
  'personal_data.list_organizations_to_leave',
  `SELECT m.organization_id AS id, ${another}) AS "hasOthers",
     m.role = 'OWNER' AND ${isInUseSql} AND NOT ${another} AND o.role = 'OWNER') AS "isLastOwner"
   FROM organization_members m WHERE m.user_id = $1 AND m.joined_at IS NOT NULL ORDER BY m.organization_id`,
);

/** Deletes organizations with their invitations and subscriptions. */
export const deleteOrganizations = statement<unknown, [ids: readonly string[]]>(
  'personal_data.delete_organizations',
  'DELETE FROM organizations WHERE id = ANY ($1::uuid[])',
);

/** Deletes a user with everything that refers to them: sessions, memberships, invitations, ways to sign in. */
export const deleteUser = statement<unknown, [userId: string]>(
  'personal_data.delete_user',
  'DELETE FROM users WHERE id = $1',
);

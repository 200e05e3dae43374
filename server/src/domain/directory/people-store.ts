/** SQL of people as super admins see them: anybody, with what they belong to and what they have open. */
import { statement } from '../../platform/database/statement.ts';
import { type InvitationStatus, invitationStatusSql } from '../organizations/members-store.ts';
import type { Role } from '../scopes/scopes.ts';

export interface PersonRow {
  readonly id: string;
  readonly email: string;
  /** Null for who was invited and never came. */
  readonly name: string | null;
  readonly emailValidatedAt: Date | null;
  readonly isSuperAdmin: boolean;
  readonly hasPassword: boolean;
  readonly hasExternalIdentity: boolean;
  readonly createdAt: Date;
}

const selectPeople = `SELECT u.id, u.email, nullif(u.name, '') AS name, u.email_validated_at AS "emailValidatedAt",
    u.is_super_admin AS "isSuperAdmin", u.password_hash IS NOT NULL AS "hasPassword",
    EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id) AS "hasExternalIdentity",
    u.created_at AS "createdAt"
  FROM users u`;

/** $1 is a pattern of LIKE, or null for everybody. */
const isFound = '($1::text IS NULL OR u.email LIKE $1 OR lower(u.name) LIKE $1)';

/** By address, which is unique: a list that does not move under the reader. */
export const listPeople = statement<PersonRow, [pattern: string | null, afterEmail: string | null, limit: number]>(
  'directory.list_people',
  `${selectPeople} WHERE ${isFound} AND ($2::text IS NULL OR u.email > $2) ORDER BY u.email LIMIT $3`,
);

export const countPeople = statement<{ readonly total: number }, [pattern: string | null]>(
  'directory.count_people',
  `SELECT count(*)::integer AS total FROM users u WHERE ${isFound}`,
);

export const findPerson = statement<PersonRow, [userId: string]>(
  'directory.find_person',
  `${selectPeople} WHERE u.id = $1`,
);

/** A membership of somebody, or an invitation to them. */
export interface MembershipOfPersonRow {
  readonly memberId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  /** Null until the invitation is accepted. */
  readonly joinedAt: Date | null;
  readonly invitationStatus: InvitationStatus | null;
  readonly invitationExpiresAt: Date | null;
}

/** Memberships before invitations, the oldest first. */
export const listMembershipsOfPerson = statement<MembershipOfPersonRow, [userId: string, limit: number]>(
  'directory.list_memberships_of_person',
  `SELECT m.id AS "memberId", o.id AS "organizationId", o.name AS "organizationName", m.role,
     m.joined_at AS "joinedAt", ${invitationStatusSql} AS "invitationStatus",
     m.invitation_expires_at AS "invitationExpiresAt"
   FROM organization_members m JOIN organizations o ON o.id = m.organization_id
   WHERE m.user_id = $1 ORDER BY m.joined_at NULLS LAST, m.id LIMIT $2`,
);

export interface CountsOfPersonRow {
  readonly membershipCount: number;
  readonly activeSessions: number;
  readonly activeCredentials: number;
}

/** Memberships and invitations together; sessions and credentials that can still be used. */
export const countOfPerson = statement<CountsOfPersonRow, [userId: string]>(
  'directory.count_of_person',
  `SELECT (SELECT count(*)::integer FROM organization_members m WHERE m.user_id = u.id) AS "membershipCount",
     live.sessions AS "activeSessions", live.credentials AS "activeCredentials"
   FROM users u CROSS JOIN LATERAL (
     SELECT count(DISTINCT c.session_family_id)::integer AS sessions, count(*)::integer AS credentials
     FROM credentials c
     WHERE c.user_id = u.id AND c.credentials_revision = u.credentials_revision AND c.revoked_at IS NULL
       AND c.expires_at > now()) AS live
   WHERE u.id = $1`,
);

/** SQL of `organization_members` as the organization sees it: who is in it, and who is invited. */
import { statement } from '../../platform/database/statement.ts';
import type { Role } from '../scopes/scopes.ts';

export const invitationStatuses = ['OPEN', 'ACCEPTED', 'EXPIRED'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** A member, or a person invited. */
export interface MemberRow {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  /** Null until the person has joined: an inviter must not learn from it who has an account. */
  readonly name: string | null;
  readonly role: Role;
  /** Null until the invitation is accepted. */
  readonly joinedAt: Date | null;
  /** Null for who joined without an invitation. */
  readonly invitationStatus: InvitationStatus | null;
  readonly invitationExpiresAt: Date | null;
  readonly invitationAcceptedAt: Date | null;
}

/** The state of an invitation `m` at this moment (specification, "Invitation"). */
export const invitationStatusSql = `CASE
    WHEN m.invitation_accepted_at IS NOT NULL THEN 'ACCEPTED'
    WHEN m.invitation_expires_at > now() THEN 'OPEN'
    WHEN m.invitation_token_hash IS NOT NULL THEN 'EXPIRED' END`;

const name = 'CASE WHEN m.joined_at IS NOT NULL THEN u.name END';

/** Everybody's row; conditions follow. */
export const selectMembers = `SELECT m.id, m.user_id AS "userId", u.email, ${name} AS name, m.role, m.joined_at AS "joinedAt",
    ${invitationStatusSql} AS "invitationStatus", m.invitation_expires_at AS "invitationExpiresAt",
    m.invitation_accepted_at AS "invitationAcceptedAt"
  FROM organization_members m
  JOIN users u ON u.id = m.user_id`;

export const findMember = statement<MemberRow, [memberId: string, organizationId: string]>(
  'members.find',
  `${selectMembers} WHERE m.id = $1 AND m.organization_id = $2`,
);

/** $2 is a pattern of LIKE, or null for everybody. */
const isFound = `($2::text IS NULL OR u.email LIKE $2 OR lower(${name}) LIKE $2)`;

/** By address, which is unique: a list that does not move under the reader. */
export const listMembers = statement<
  MemberRow,
  [organizationId: string, pattern: string | null, afterEmail: string | null, limit: number]
>(
  'members.list',
  `${selectMembers} WHERE m.organization_id = $1 AND ${isFound} AND ($3::text IS NULL OR u.email > $3)
   ORDER BY u.email LIMIT $4`,
);

export const countMembers = statement<{ readonly total: number }, [organizationId: string, pattern: string | null]>(
  'members.count',
  `SELECT count(*)::integer AS total FROM organization_members m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND ${isFound}`,
);

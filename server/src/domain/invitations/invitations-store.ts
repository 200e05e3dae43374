/**
 * SQL of invitations: rows of `organization_members` that have not been joined. Each change is one conditional
 * statement: when acceptance, re-issue and cancellation are concurrent, one wins and the others change nothing.
 */
import { statement } from '../../platform/database/database.ts';
import { type InvitationStatus, invitationStatusSql, isInUseSql } from '../organizations/organizations-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { reservedSql } from '../users/users-store.ts';

/**
 * A user `u` who sets name and password by an invitation link: unverified, or without another way to sign in. Not one
 * with a second factor, which a link never replaces, nor of an address that is reserved.
 */
const mustCompleteProfileSql = `((u.email_validation_token_hash IS NOT NULL OR (u.password_hash IS NULL
    AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id)))
    AND NOT EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id)
    AND NOT EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id) AND NOT ${reservedSql('u.email')})`;

interface InvitedRow {
  readonly id: string;
}

const life = `now() + interval '7 days'`;

/** Invites a user, or renews an expired invitation to a role in $6 (null: any). No row for a member or an open one. */
export const openInvitation = statement<
  InvitedRow,
  [id: string, userId: string, organizationId: string, role: Role, tokenHash: Buffer, renewable: readonly Role[] | null]
>(
  'invitations.open',
  `INSERT INTO organization_members AS m
     (id, user_id, organization_id, role, invitation_token_hash, invitation_expires_at)
   VALUES ($1, $2, $3, $4, $5, ${life})
   ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role,
     invitation_token_hash = excluded.invitation_token_hash, invitation_expires_at = excluded.invitation_expires_at
   WHERE m.joined_at IS NULL AND m.invitation_expires_at <= now() AND ($6::text[] IS NULL OR m.role = ANY ($6))
   RETURNING m.id`,
);

/** A user's existing membership or invitation in an organization; no row without either. */
export const findMembershipRow = statement<
  { readonly joined: boolean; readonly role: Role },
  [userId: string, organizationId: string]
>(
  'invitations.find_connection',
  `SELECT joined_at IS NOT NULL AS joined, role FROM organization_members WHERE user_id = $1 AND organization_id = $2`,
);

/** Memberships and invitations of these addresses in an organization. */
export const findConnections = statement<
  { readonly email: string; readonly joined: boolean; readonly isOpen: boolean; readonly role: Role },
  [organizationId: string, emails: readonly string[]]
>(
  'invitations.find_connections',
  `SELECT u.email, m.joined_at IS NOT NULL AS joined, coalesce(m.invitation_expires_at > now(), false) AS "isOpen", m.role
   FROM users u JOIN organization_members m ON m.user_id = u.id
   WHERE m.organization_id = $1 AND u.email = ANY ($2::text[])`,
);

/** The texts and dates that an invitation mail contains beside its link. */
interface ReissuedRow {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
}

/** Gives an invitation that was not accepted, to an organization in use, a fresh token and lifetime; else no row. */
export const renewInvitation = statement<ReissuedRow, [memberId: string, tokenHash: Buffer]>(
  'invitations.renew',
  `UPDATE organization_members m SET invitation_token_hash = $2, invitation_expires_at = ${life}
   FROM organizations o, users u
   WHERE m.id = $1 AND m.joined_at IS NULL AND o.id = m.organization_id AND o.deletes_at IS NULL AND u.id = m.user_id
   RETURNING m.organization_id AS "organizationId", o.name AS "organizationName", u.email, m.role`,
);

/** The organization of an invitation or a membership. */
export const findInvitingOrganization = statement<
  { readonly organizationId: string; readonly organizationName: string },
  [memberId: string]
>(
  'invitations.find_inviting_organization',
  `SELECT o.id AS "organizationId", o.name AS "organizationName"
   FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.id = $1`,
);

/** Deletes an invitation that was not accepted; else no row. */
export const deleteInvitation = statement<InvitedRow, [memberId: string]>(
  'invitations.delete',
  'DELETE FROM organization_members WHERE id = $1 AND joined_at IS NULL RETURNING id',
);

/** The columns that the preview of a link may show, and those that the service needs to decide so. */
export interface PreviewRow {
  readonly organizationName: string;
  readonly role: Role;
  readonly status: InvitationStatus;
  /** Null once accepted. */
  readonly expiresAt: Date | null;
  readonly userId: string;
  readonly mustComplete: boolean;
}

/** Finds an invitation by the hash of a token that is current or was accepted. */
export const findPreview = statement<PreviewRow, [tokenHash: Buffer]>(
  'invitations.find_preview',
  `SELECT o.name AS "organizationName", m.role,
     CASE WHEN m.joined_at IS NULL AND o.deletes_at IS NOT NULL THEN 'EXPIRED' ELSE ${invitationStatusSql} END AS status,
     m.invitation_expires_at AS "expiresAt", m.user_id AS "userId", ${mustCompleteProfileSql} AS "mustComplete"
   FROM organization_members m
   JOIN organizations o ON o.id = m.organization_id
   JOIN users u ON u.id = m.user_id
   WHERE m.invitation_token_hash = $1 OR m.spent_invitation_token_hash = $1`,
);

const isOpen = `m.invitation_token_hash = $1 AND m.invitation_expires_at > now() AND m.joined_at IS NULL
    AND ${isInUseSql}`;

interface InvitedPersonRow {
  readonly userId: string;
  readonly organizationId: string;
  readonly mustComplete: boolean;
  readonly isSuspended: boolean;
}

export const findInvitedPerson = statement<InvitedPersonRow, [tokenHash: Buffer]>(
  'invitations.find_invited_person',
  `SELECT m.user_id AS "userId", m.organization_id AS "organizationId", ${mustCompleteProfileSql} AS "mustComplete",
     u.suspended_at IS NOT NULL AS "isSuspended"
   FROM organization_members m JOIN users u ON u.id = m.user_id WHERE ${isOpen}`,
);

export interface AcceptedRow {
  readonly memberId: string;
  readonly organizationId: string;
}

const acceptance = (condition: string): string =>
  `UPDATE organization_members m SET joined_at = now(), invitation_accepted_at = now(),
     spent_invitation_token_hash = invitation_token_hash, invitation_token_hash = NULL, invitation_expires_at = NULL
   FROM users u WHERE u.id = m.user_id AND m.user_id = $2 AND ${isOpen}${condition}
   RETURNING m.id AS "memberId", m.organization_id AS "organizationId"`;

/** Turns an open invitation to this user into a membership, once. The caller holds the user's row. */
export const acceptOpenInvitation = statement<AcceptedRow, [tokenHash: Buffer, userId: string]>(
  'invitations.accept',
  acceptance(''),
);

/** Accepts like {@link acceptOpenInvitation}, for a user who must complete a profile. */
export const acceptForCompletion = statement<AcceptedRow, [tokenHash: Buffer, userId: string]>(
  'invitations.accept_for_completion',
  acceptance(` AND (${mustCompleteProfileSql})`),
);

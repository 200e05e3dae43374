/**
 * SQL of invitations: rows of `organization_members` that nobody has joined. Each change is one conditional statement, so
 * that of an acceptance, a re-issue and a cancellation that meet, one wins and the others find nothing to change.
 */
import { statement } from '../../platform/database/statement.ts';
import { type InvitationStatus, invitationStatusSql } from '../organizations/organizations-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { mustCompleteProfileSql } from '../users/users-store.ts';

export interface InvitedRow {
  readonly id: string;
}

const life = `now() + interval '7 days'`;

/**
 * Invites, or renews an invitation that has expired, if it is to one of the roles in $6. No row when the person has joined
 * or an invitation is open.
 */
export const openInvitation = statement<
  InvitedRow,
  [id: string, userId: string, organizationId: string, role: Role, tokenHash: Buffer, renewable: readonly Role[]]
>(
  'invitations.open',
  `INSERT INTO organization_members AS m
     (id, user_id, organization_id, role, invitation_token_hash, invitation_expires_at)
   VALUES ($1, $2, $3, $4, $5, ${life})
   ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role,
     invitation_token_hash = excluded.invitation_token_hash, invitation_expires_at = excluded.invitation_expires_at
   WHERE m.joined_at IS NULL AND m.invitation_expires_at <= now() AND m.role = ANY ($6)
   RETURNING m.id`,
);

/** What a person is in an organization already; no row when nothing connects the two. */
export const findMembershipRow = statement<
  { readonly joined: boolean; readonly role: Role },
  [userId: string, organizationId: string]
>(
  'invitations.find_connection',
  `SELECT joined_at IS NOT NULL AS joined, role FROM organization_members WHERE user_id = $1 AND organization_id = $2`,
);

/** What the mail of an invitation says beside its link. */
export interface ReissuedRow {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
}

/** A fresh token and a fresh life for an invitation that nobody has accepted, expired or not; else no row. */
export const renewInvitation = statement<ReissuedRow, [memberId: string, tokenHash: Buffer]>(
  'invitations.renew',
  `UPDATE organization_members m SET invitation_token_hash = $2, invitation_expires_at = ${life}
   FROM organizations o, users u
   WHERE m.id = $1 AND m.joined_at IS NULL AND o.id = m.organization_id AND u.id = m.user_id
   RETURNING m.organization_id AS "organizationId", o.name AS "organizationName", u.email, m.role`,
);

/** Of which organization an invitation, or a membership, is. */
export const findInvitingOrganization = statement<
  { readonly organizationId: string; readonly organizationName: string },
  [memberId: string]
>(
  'invitations.find_inviting_organization',
  `SELECT o.id AS "organizationId", o.name AS "organizationName"
   FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.id = $1`,
);

/** Deletes an invitation that nobody has accepted; else no row. */
export const deleteInvitation = statement<InvitedRow, [memberId: string]>(
  'invitations.delete',
  'DELETE FROM organization_members WHERE id = $1 AND joined_at IS NULL RETURNING id',
);

/** What a link's holder may learn, and what the service must know to say it. */
export interface PreviewRow {
  readonly organizationName: string;
  readonly role: Role;
  readonly status: InvitationStatus;
  readonly expiresAt: Date | null;
  readonly userId: string;
  readonly mustComplete: boolean;
}

/** By the hash of a token that is still good for something, or of one that was used. */
export const findPreview = statement<PreviewRow, [tokenHash: Buffer]>(
  'invitations.find_preview',
  `SELECT o.name AS "organizationName", m.role, ${invitationStatusSql} AS status,
     m.invitation_expires_at AS "expiresAt", m.user_id AS "userId", ${mustCompleteProfileSql} AS "mustComplete"
   FROM organization_members m
   JOIN organizations o ON o.id = m.organization_id
   JOIN users u ON u.id = m.user_id
   WHERE m.invitation_token_hash = $1 OR m.spent_invitation_token_hash = $1`,
);

const isOpen = 'm.invitation_token_hash = $1 AND m.invitation_expires_at > now() AND m.joined_at IS NULL';

/** Whose open invitation this is. */
export const findInvitedPerson = statement<
  { readonly userId: string; readonly mustComplete: boolean },
  [tokenHash: Buffer]
>(
  'invitations.find_invited_person',
  `SELECT m.user_id AS "userId", ${mustCompleteProfileSql} AS "mustComplete"
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

/** Makes a membership of an open invitation to this person, once. The caller holds the person's row. */
export const acceptOpenInvitation = statement<AcceptedRow, [tokenHash: Buffer, userId: string]>(
  'invitations.accept',
  acceptance(''),
);

/** The same for a person who has yet to complete a profile. */
export const acceptForCompletion = statement<AcceptedRow, [tokenHash: Buffer, userId: string]>(
  'invitations.accept_for_completion',
  acceptance(` AND (${mustCompleteProfileSql})`),
);

/** SQL of the table `credentials` as people see it: their sessions. */
import { statement } from '../../platform/database/statement.ts';
import type { CredentialKind } from './token.ts';

/** An active credential with what describes it to people. */
export interface SessionRow {
  readonly id: string;
  readonly sessionFamilyId: string;
  readonly kind: CredentialKind;
  readonly audience: string;
  readonly authMethod: string;
  readonly userId: string;
  readonly userEmail: string;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly issueIp: string | null;
  readonly issueUserAgent: string | null;
  readonly lastSeenAt: Date | null;
  readonly lastSeenIp: string | null;
}

/**
 * One row for each family that can still be used: its access credential, with the family's first and last instant. A
 * family bears the id of its first refresh credential, whose row lives as long as the family does.
 */
export const listSessionsOfUser = statement<SessionRow, [userId: string]>(
  'credentials.list_sessions_of_user',
  `SELECT c.id, c.session_family_id AS "sessionFamilyId", c.kind, c.audience, c.auth_method AS "authMethod",
     c.user_id AS "userId", u.email AS "userEmail", c.organization_id AS "organizationId", o.name AS "organizationName",
     c.scopes, first.issued_at AS "issuedAt", r.expires_at AS "expiresAt", first.issue_ip AS "issueIp",
     first.issue_user_agent AS "issueUserAgent", c.last_seen_at AS "lastSeenAt", c.last_seen_ip AS "lastSeenIp"
   FROM credentials r
   JOIN credentials c ON c.session_family_id = r.session_family_id AND c.kind = 'user_session' AND c.revoked_at IS NULL
   JOIN credentials first ON first.id = r.session_family_id
   JOIN users u ON u.id = r.user_id AND u.credentials_revision = r.credentials_revision
   LEFT JOIN organizations o ON o.id = c.organization_id
   WHERE r.user_id = $1 AND r.kind = 'user_refresh' AND r.revoked_at IS NULL AND r.expires_at > now()
   ORDER BY first.issued_at DESC, first.id DESC
   LIMIT 500`,
);

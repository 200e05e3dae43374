/** SQL of the table `credentials` by session: the sessions of a user, and the deletion of expired session families. */
import { statement } from '../../platform/database/database.ts';
import { rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';
import { sessionHasSecondFactor } from './actor-store.ts';
import { usedSecondFactor } from './credential-owner-store.ts';
import type { CredentialKind } from './token.ts';

/** An active credential with the columns that a list shows. */
export interface SessionRow {
  readonly id: string;
  readonly sessionFamilyId: string;
  readonly kind: CredentialKind;
  readonly audience: string;
  readonly authMethod: string;
  /** The id of the person, or of the service account. */
  readonly userId: string;
  /** A service account has one that no mail reaches. */
  readonly userEmail: string;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  /** The name of the OAuth client, for a credential that was issued to one. */
  readonly clientName: string | null;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly issueIp: string | null;
  readonly issueUserAgent: string | null;
  readonly lastSeenAt: Date | null;
  readonly lastSeenIp: string | null;
  /** Whether a passkey or another second factor was used in the session; false for machine and MCP credentials. */
  readonly hasSecondFactor: boolean;
  /** The name of the token, for the credential of a machine. */
  readonly tokenName: string | null;
}

/**
 * One row for each live family of a person's devices, not machines: its access credential, with the first issue and the
 * expiry of the family, whose id is that of its first refresh credential.
 */
export const listSessionsOfUser = statement<SessionRow, [userId: string]>(
  'credentials.list_sessions_of_user',
  `SELECT c.id, c.session_family_id AS "sessionFamilyId", c.kind, c.audience, c.auth_method AS "authMethod",
     c.user_id AS "userId", u.email AS "userEmail", c.organization_id AS "organizationId", o.name AS "organizationName",
     k.name AS "clientName", c.scopes, first.issued_at AS "issuedAt", r.expires_at AS "expiresAt", first.issue_ip AS "issueIp",
     first.issue_user_agent AS "issueUserAgent", c.last_seen_at AS "lastSeenAt", c.last_seen_ip AS "lastSeenIp",
     ${usedSecondFactor} AS "hasSecondFactor", NULL AS "tokenName"
   FROM credentials r
   JOIN credentials c ON c.session_family_id = r.session_family_id AND c.kind = 'user_session' AND c.revoked_at IS NULL
   JOIN credentials first ON first.id = r.session_family_id
   JOIN users u ON u.id = r.user_id AND u.credentials_revision = r.credentials_revision
   LEFT JOIN organizations o ON o.id = c.organization_id
   LEFT JOIN oauth_clients k ON k.id = c.client_id
   WHERE r.user_id = $1 AND r.kind = 'user_refresh' AND r.revoked_at IS NULL AND r.expires_at > now()
   ORDER BY first.issued_at DESC, first.id DESC
   LIMIT 500`,
);

/** A user's live session, held so that its end comes before (no row) or after. The caller holds the user's row. */
export const shareLiveSession = statement<
  { readonly sessionFamilyId: string },
  [sessionFamilyId: string, userId: string]
>(
  'credentials.share_live_session',
  `SELECT r.session_family_id AS "sessionFamilyId" FROM credentials r
   JOIN users u ON u.id = r.user_id AND u.credentials_revision = r.credentials_revision
   WHERE r.session_family_id = $1 AND r.user_id = $2 AND r.kind = 'user_refresh' AND r.revoked_at IS NULL
     AND r.expires_at > now()
   FOR SHARE OF r`,
);

/** SQL: whether a credential `c` is of no client, of a live one, or of one that this very transaction revoked. */
const isOfLiveClient = `CASE WHEN c.client_id IS NULL THEN true ELSE (
       SELECT k.revoked_at IS NULL OR k.xmin = pg_current_xact_id_if_assigned()::xid FROM oauth_clients k
       WHERE k.id = c.client_id) END`;

/**
 * A user's live session, without a lock: operations that manage sessions lock those of others, and must not deadlock.
 * One that this very transaction revoked, or whose client it revoked, still counts.
 */
export const findLiveSession = statement<
  {
    /** As in RecheckRow, read now. */
    readonly hasSecondFactor: boolean;
  },
  [sessionFamilyId: string, userId: string, credentialId: string]
>(
  'credentials.find_live_session',
  `SELECT ${sessionHasSecondFactor} AS "hasSecondFactor" FROM credentials c
   JOIN users u ON u.id = c.user_id AND u.credentials_revision = c.credentials_revision
   WHERE c.session_family_id = $1 AND c.user_id = $2 AND c.revoked_at IS NULL AND c.expires_at > now()
     AND ${isOfLiveClient}
   UNION ALL
   SELECT ${sessionHasSecondFactor} FROM credentials c
   WHERE c.id = $3 AND c.session_family_id = $1 AND c.user_id = $2 AND c.revoked_at IS NOT NULL
     AND c.xmin = pg_current_xact_id_if_assigned()::xid AND c.expires_at > now()
   LIMIT 1`,
);

/** How long an authentication is recent (contract/account.md#recent-authentication). */
export const recentSeconds = 600;

/** When the person of a session authenticated. */
export interface AuthenticationRow {
  /** Null when that is not known. */
  readonly authenticatedAt: Date | null;
  /** Within {@link recentSeconds}. */
  readonly isRecent: boolean;
  /** Whether the session used a passkey or another second factor. */
  readonly hasSecondFactor: boolean;
}

const authenticationColumns = `authenticated_at AS "authenticatedAt",
     coalesce(authenticated_at > now() - interval '${recentSeconds} seconds', false) AS "isRecent",
     second_factor_at IS NOT NULL AS "hasSecondFactor"`;

/** The instants of a live session. */
export const findAuthentication = statement<AuthenticationRow, [sessionFamilyId: string]>(
  'credentials.find_authentication',
  `SELECT ${authenticationColumns} FROM credentials
   WHERE session_family_id = $1 AND kind = 'user_session' AND revoked_at IS NULL`,
);

/**
 * Notes an authentication in a session's live rows and its first one, which a switch reads; no row when it has ended.
 * Runs after {@link lockFamily}, so that no rotation carries the earlier instants on.
 */
export const recordAuthentication = statement<
  { readonly authenticatedAt: Date; readonly hasSecondFactor: boolean },
  [sessionFamilyId: string, userId: string, hasSecondFactor: boolean]
>(
  'credentials.note_authentication',
  `WITH noted AS (
     UPDATE credentials c
     SET authenticated_at = now(), second_factor_at = CASE WHEN $3::boolean THEN now() ELSE c.second_factor_at END
     FROM users u
     WHERE u.id = $2 AND c.user_id = u.id AND c.credentials_revision = u.credentials_revision
       AND c.session_family_id = $1 AND (c.revoked_at IS NULL OR c.id = $1)
     RETURNING c.*)
   SELECT authenticated_at AS "authenticatedAt", second_factor_at IS NOT NULL AS "hasSecondFactor" FROM noted
   WHERE kind = 'user_refresh' AND revoked_at IS NULL AND expires_at > now()`,
);

/**
 * Deletes session families in batches. After `family_expires_at` no row of a family is used, not even to recognise a
 * stolen token, because no session is left to end; its successors expire no later. The rows are kept for another week
 * for the investigation of incidents.
 *
 * A client's `last_used_at` outlives its credentials. A client whose row is locked is skipped, with all its
 * credentials, until the next run, so that no circle of waits arises. The newest secret of a machine's token is left to
 * the token's own purge, which finds the token by it.
 */
export const purgeCredentials = statement(
  'credentials.purge',
  `WITH over AS MATERIALIZED (
     SELECT id, client_id, last_seen_at FROM credentials
     WHERE family_expires_at < now() - interval '7 days' AND (kind <> 'machine' OR NOT EXISTS (
       SELECT FROM machine_tokens t WHERE t.id = session_family_id AND t.credential_id = credentials.id))
     ORDER BY family_expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED),
   held AS MATERIALIZED (
     SELECT id FROM oauth_clients WHERE id IN (SELECT client_id FROM over) FOR NO KEY UPDATE SKIP LOCKED),
   noted AS (
     UPDATE oauth_clients k SET last_used_at = greatest(k.last_used_at, seen.last)
     FROM (SELECT client_id, max(last_seen_at) AS last FROM over GROUP BY client_id) AS seen
     WHERE k.id = seen.client_id AND k.id IN (SELECT id FROM held) AND seen.last IS NOT NULL)
   DELETE FROM credentials WHERE id = ANY (ARRAY(
     SELECT id FROM over WHERE client_id IS NULL OR client_id IN (SELECT id FROM held)))`,
);

/** From now on no live session of a user is one with a second factor. Runs after `lockUser`. */
export const forgetSecondFactor = statement<unknown, [userId: string]>(
  'credentials.forget_second_factor',
  `UPDATE credentials SET second_factor_at = NULL
   WHERE user_id = $1 AND second_factor_at IS NOT NULL AND (revoked_at IS NULL OR id = session_family_id)`,
);

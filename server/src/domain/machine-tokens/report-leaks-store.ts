/** SQL of reports of leaked tokens: the reports that wait, the tokens that they name, and whose they are. */
import { randomHex } from '../../kernel/secrets.ts';
import { statement } from '../../platform/database/database.ts';
import type { CredentialKind } from '../credentials/token.ts';

/** Where a token was found, as the reporter says. Printable, at most 200 characters each, without tokens. */
export interface Finding {
  readonly url: string;
  readonly source: string;
}

/** A well-formed token of a report. */
export interface ReportEntry extends Finding {
  /** SHA-256 of the token in hex. */
  readonly hash: string;
}

// The reports that wait.

/**
 * Stores a row for each reported token that is live and has none yet, in one order for all, so that no more rows wait
 * than tokens are live. A report without one writes too, one of 256 rows that are never worked off: it takes as long.
 */
export const insertReport = statement<unknown, [correlationId: string, entries: string, unclaimedId: string]>(
  'token_reports.insert',
  `INSERT INTO token_reports AS t (id, correlation_id, entries, next_attempt_at)
   WITH live AS (
     SELECT entry, hash FROM jsonb_array_elements($2::jsonb) AS entry, decode(entry ->> 'hash', 'hex') AS hash
     WHERE EXISTS (SELECT FROM credentials c WHERE c.token_hash = hash AND c.revoked_at IS NULL AND c.expires_at > now()))
   SELECT * FROM (
     SELECT encode(substr(hash, 1, 16), 'hex')::uuid AS id, $1::uuid, jsonb_build_array(entry), now() FROM live
     UNION ALL SELECT $3::uuid, $1::uuid, '[]', 'infinity' WHERE NOT EXISTS (SELECT FROM live)) AS rows
   ORDER BY id
   ON CONFLICT (id) DO UPDATE SET correlation_id = excluded.correlation_id WHERE t.entries = '[]'`,
);

/** One of the rows that reports without a live token write; several, so that they seldom wait for each other. */
export const newUnclaimedId = (): string => `00000000-0000-4000-8000-0000000000${randomHex(1)}`;

interface DueReport {
  readonly id: string;
  readonly correlationId: string;
  readonly entries: readonly ReportEntry[];
  readonly attempts: number;
}

/**
 * Claims the next due report for this process: its next attempt moves into the future (30 s, doubling, at most half an
 * hour), which is also when another process may claim it if this one dies.
 */
export const claimDueReport = statement<DueReport>(
  'token_reports.claim',
  `UPDATE token_reports SET attempts = attempts + 1,
     next_attempt_at = now() + least(30 * power(2, least(attempts, 10)), 1800) * interval '1 second'
   WHERE id = ANY (ARRAY(
     SELECT id FROM token_reports WHERE next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED))
   RETURNING id, correlation_id AS "correlationId", entries, attempts`,
);

export const deleteReport = statement<unknown, [id: string]>(
  'token_reports.delete',
  'DELETE FROM token_reports WHERE id = $1',
);

// The tokens that a report names.

interface ReportedRow {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly kind: CredentialKind;
  /** The id of a machine token is that of its family. */
  readonly sessionFamilyId: string;
}

/** The tokens live at the report: a successor that was issued since may be in the finder's hands, and ends too. */
export const listReported = statement<ReportedRow, [hashes: readonly string[], reportId: string]>(
  'token_reports.list_reported',
  `SELECT encode(c.token_hash, 'hex') AS hash, c.kind, c.session_family_id AS "sessionFamilyId"
   FROM token_reports r JOIN credentials c
     ON (c.revoked_at IS NULL OR c.revoked_at > r.received_at) AND c.expires_at > r.received_at
   WHERE r.id = $2 AND c.token_hash = ANY ($1::bytea[])
   ORDER BY c.session_family_id, c.kind`,
);

// Whom a token belongs to.

export interface ReportedTokenRow {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The token's own name, or that of its service account. */
  readonly name: string;
  /** Null for a service token. */
  readonly userId: string | null;
  readonly email: string | null;
  readonly userName: string | null;
  /** Null for a personal token. */
  readonly serviceAccountId: string | null;
  readonly at: Date;
}

/** A token of a machine, with the instant of the transaction. */
export const findReportedToken = statement<ReportedTokenRow, [tokenId: string]>(
  'token_reports.find_token',
  `SELECT o.id AS "organizationId", o.name AS "organizationName", coalesce(t.name, a.name) AS name,
     u.id AS "userId", u.email, u.name AS "userName", a.id AS "serviceAccountId", now() AS at
   FROM machine_tokens t JOIN organizations o ON o.id = t.organization_id
   LEFT JOIN users u ON u.id = t.user_id LEFT JOIN service_accounts a ON a.id = t.service_account_id
   WHERE t.id = $1`,
);

/** The person of a session, with the instant of the transaction. */
export const findPersonOfSession = statement<
  { readonly userId: string; readonly email: string; readonly name: string; readonly at: Date },
  [sessionFamilyId: string]
>(
  'token_reports.find_person_of_session',
  `SELECT u.id AS "userId", u.email, u.name, now() AS at FROM credentials c JOIN users u ON u.id = c.user_id
   WHERE c.id = $1`,
);

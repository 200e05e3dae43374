/** SQL of reports of leaked tokens: the reports that wait, the tokens that they name, and whose they are. */
import { statement } from '../../platform/database/statement.ts';
import type { CredentialKind } from '../credentials/token.ts';
import type { Recipient } from './tell-members.ts';

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

/** More of them are not accepted: working off is behind by more than it can be on a healthy database. */
const mostWaiting = 1000;

/** Affects no row when too many reports wait. Does the same for every report, whatever its tokens are. */
export const insertReport = statement<unknown, [id: string, correlationId: string, entries: string]>(
  'token_reports.insert',
  `INSERT INTO token_reports (id, correlation_id, entries)
   SELECT $1, $2, $3::jsonb
   WHERE (SELECT count(*) FROM (SELECT FROM token_reports LIMIT ${mostWaiting}) AS waiting) < ${mostWaiting}`,
);

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
  /** Of a machine token also its id. */
  readonly sessionFamilyId: string;
}

/**
 * The tokens that were live when the report was accepted: who had one then could use it until it was replaced, so its
 * successor ends too.
 */
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
  Recipient & { readonly userId: string; readonly at: Date },
  [sessionFamilyId: string]
>(
  'token_reports.find_person_of_session',
  `SELECT u.id AS "userId", u.email, u.name, now() AS at FROM credentials c JOIN users u ON u.id = c.user_id
   WHERE c.id = $1`,
);

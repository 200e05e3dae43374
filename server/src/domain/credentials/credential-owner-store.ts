/**
 * SQL of who holds a credential `c`: a person, with a row in `users`, or a service account, whose credentials have no
 * user. Lists and revocations use these parts, so that both are found, shown and counted alike.
 */
import { serviceAccountDomain } from '../users/text-rules.ts';

/** The row `u` of the person; none for a service account. */
export const withPerson = 'LEFT JOIN users u ON u.id = c.user_id';

export const ownerId = 'coalesce(c.user_id, c.service_account_id)';

/** Address of the person `u`, or that of a service account as `addressOfServiceAccount` writes it. */
export const ownerAddress = `coalesce(u.email, c.service_account_id || '@${serviceAccountDomain}')`;

/** The subquery runs once for each row, in any plan: a join could read all users. */
const hasRevision = (revision: string): string => `(c.user_id IS NULL OR c.credentials_revision = (
       SELECT ${revision} FROM users u WHERE u.id = c.user_id))`;

/** Whether no sign-out everywhere refuses the credential. */
export const isOfRevision = hasRevision('u.credentials_revision');

/** {@link isOfRevision} until the last bump of the user's credentials_revision, for the transaction that bumped it. */
export const wasOfRevision = hasRevision('u.credentials_revision - 1');

/** Name of the token of a machine, a service token's being that of its account; null for any other credential. */
export const tokenName = `CASE WHEN c.kind = 'machine' THEN (
       SELECT coalesce(t.name, a.name) FROM machine_tokens t LEFT JOIN service_accounts a ON a.id = t.service_account_id
       WHERE t.id = c.session_family_id) END`;

/** Whether a second factor was used in the session: false for the credentials of machines and clients. */
export const usedSecondFactor = 'c.client_id IS NULL AND c.second_factor_at IS NOT NULL';

/** A session's row in a list: its refresh credential or a token's secret. One comparison for one look into an index. */
export const representsSession = `c.kind <> 'user_session'`;

/** Whether a live {@link representsSession} is its session's newest: in a token's overlap, two secrets are live. */
export const isNewestOfSession = `(c.kind <> 'machine' OR NOT EXISTS (
       SELECT FROM credentials x
       WHERE x.session_family_id = c.session_family_id AND x.kind = c.kind AND x.slot <> c.slot AND x.revoked_at IS NULL
         AND x.expires_at > now() AND (x.issued_at, x.id) > (c.issued_at, c.id) OFFSET 0))`;

/** {@link isOfRevision} and the address, in one look-up. @param pattern placeholder; null matches any owner */
export const isOfOwner = (pattern: string): string => `CASE WHEN c.user_id IS NULL THEN ${pattern} IS NULL ELSE (
       SELECT u.credentials_revision = c.credentials_revision AND (${pattern} IS NULL OR u.email LIKE ${pattern})
       FROM users u WHERE u.id = c.user_id) END`;

/** Scopes that the credential is limited to; of a service token those of its account now. */
export const ownScopes = `CASE WHEN c.service_account_id IS NULL THEN c.scopes
       ELSE (SELECT a.scopes FROM service_accounts a WHERE a.id = c.service_account_id) END`;

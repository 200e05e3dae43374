/** SQL that deletes tokens and service accounts once they are not listed any more. */
import { statement } from '../../platform/database/statement.ts';
import { deletingExpired, rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';
import { listedDays } from './tokens-store.ts';

/** As in the index `credentials_of_machines_by_end`. */
const newestEnd = 'coalesce(c.revoked_at, c.expires_at)';

/**
 * Deletes tokens that ended so many days ago, with the rows of their newest secrets, by which they are found. Those of
 * replaced secrets are deleted with other credentials, in their own time; purgeCredentials leaves the newest ones.
 *
 * The trigger of `machine_tokens` deletes the secrets of a token that are not revoked, and would wait for a lock of
 * one. The deletion of an account locks the secrets first and then the token, so a token is deleted only when this
 * statement has locked all of them without waiting, and is left for the next run otherwise.
 */
export const purgeTokens = statement(
  'machine_tokens.purge',
  `WITH over AS MATERIALIZED (
     SELECT t.id, t.credential_id FROM credentials c JOIN machine_tokens t ON t.id = c.session_family_id AND t.credential_id = c.id
     WHERE c.kind = 'machine' AND c.revocation_reason IS DISTINCT FROM 'rotated' AND ${newestEnd} < now() - interval '${listedDays} days'
     ORDER BY ${newestEnd} LIMIT ${rowsAtOnce} FOR UPDATE OF t, c SKIP LOCKED),
   held AS MATERIALIZED (
     SELECT id FROM credentials
     WHERE session_family_id IN (SELECT id FROM over) AND kind = 'machine' AND revoked_at IS NULL FOR UPDATE SKIP LOCKED),
   due AS MATERIALIZED (
     SELECT id, credential_id FROM over WHERE NOT EXISTS (
       SELECT FROM credentials x WHERE x.session_family_id = over.id AND x.kind = 'machine' AND x.revoked_at IS NULL
         AND x.id NOT IN (SELECT id FROM held))),
   secrets AS (DELETE FROM credentials WHERE id = ANY (ARRAY(SELECT credential_id FROM due)))
   DELETE FROM machine_tokens WHERE id = ANY (ARRAY(SELECT id FROM due))`,
);

/** Deletes service accounts that were deleted so many days ago, once none of their tokens is left. */
export const purgeServiceAccounts = deletingExpired('service_accounts', 'id', 'deleted_at', [
  `deleted_at < now() - interval '${listedDays} days'`,
  'NOT EXISTS (SELECT FROM machine_tokens t WHERE t.service_account_id = service_accounts.id)',
]);

/** SQL that deletes tokens and service accounts once they are not listed any more. */
import { statement } from '../../platform/database/statement.ts';
import { deletingExpired, rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';
import { listedDays } from './tokens-store.ts';

/**
 * Deletes tokens that ended so many days ago, with the rows of their secrets. A token whose newest secret is gone has ended
 * too: that row is kept for as long. A secret that is locked is deleted with the other credentials, in its own time.
 */
export const purgeTokens = statement(
  'machine_tokens.purge',
  `WITH over AS MATERIALIZED (
     SELECT t.id FROM machine_tokens t LEFT JOIN credentials c ON c.id = t.credential_id
     WHERE coalesce(c.revoked_at, c.expires_at, '-infinity') < now() - interval '${listedDays} days'
     ORDER BY coalesce(c.revoked_at, c.expires_at, '-infinity') LIMIT ${rowsAtOnce} FOR UPDATE OF t SKIP LOCKED),
   secrets AS (
     DELETE FROM credentials WHERE id = ANY (ARRAY(
       SELECT id FROM credentials WHERE session_family_id IN (SELECT id FROM over) AND kind = 'machine'
       FOR UPDATE SKIP LOCKED)))
   DELETE FROM machine_tokens WHERE id = ANY (ARRAY(SELECT id FROM over))`,
);

/** Deletes service accounts that were deleted so many days ago, once none of their tokens is left. */
export const purgeServiceAccounts = deletingExpired('service_accounts', 'id', 'deleted_at', [
  `deleted_at < now() - interval '${listedDays} days'`,
  'NOT EXISTS (SELECT FROM machine_tokens t WHERE t.service_account_id = service_accounts.id)',
]);

/** SQL that deletes the rows of session families which are long over. */
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/scheduled-jobs.ts';

/**
 * No row of a family is used after `family_expires_at`, not even to recognise a stolen token: there is nothing left to
 * end. Its successors end no later. A week more, for whoever looks into what happened lately.
 *
 * When a client was last used outlives its credentials. Who revokes a client holds its row and then waits for those of
 * its credentials, so a client that is held is left for the next time, with all that it was issued.
 */
export const purgeCredentials = statement(
  'credentials.purge',
  `WITH over AS MATERIALIZED (
     SELECT id, client_id, last_seen_at FROM credentials
     WHERE family_expires_at < now() - interval '7 days'
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

/** SQL of `former_authenticators`: what accounts lost in the last seven days; triggers fill it (decision 0077). */
import { statement, type Transaction } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';

/** By table: the column that says when a row was added, and its other columns. */
const restorable = {
  passkeys: [
    'created_at',
    `id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id, is_backup_eligible,
     is_backed_up, name, last_used_at`,
  ],
  totp_secrets: ['confirmed_at', 'user_id, sealed_secret, last_step'],
  // After their secret, which they refer to.
  recovery_codes: ['created_at', 'user_id, code_hash, used_at'],
  external_identities: ['linked_at', 'issuer, subject, user_id, email, password_in_question'],
} as const;

/** Rows that were there at an instant and went since. One that is there again, or of another account, stays. */
const restorations = Object.entries(restorable).map(([table, [addedAt, columns]]) =>
  statement<unknown, [userId: string, asOf: Date]>(
    `former_authenticators.restore_${table}`,
    `INSERT INTO ${table} (${addedAt}, ${columns})
     SELECT f.added_at, ${columns.replaceAll(/\w+/g, (column) => `r.${column}`)}
     FROM former_authenticators f, jsonb_populate_record(NULL::${table}, f.stored) AS r
     WHERE f.user_id = $1 AND f.kind = '${table}' AND f.added_at <= $2 AND f.replaced_at > $2
     ON CONFLICT DO NOTHING`,
  ),
);

/** Puts back what a user had at an instant. The caller holds the user's row and removed what was added since. */
export const restoreAuthenticators = async (transaction: Transaction, userId: string, asOf: Date): Promise<void> => {
  for (const restoration of restorations) await transaction.execute(restoration, [userId, asOf]);
};

/** @param kinds tables whose former rows never come back; null: all */
export const forgetFormer = statement<unknown, [userId: string, kinds: readonly string[] | null]>(
  'former_authenticators.forget',
  'DELETE FROM former_authenticators WHERE user_id = $1 AND ($2::text[] IS NULL OR kind = ANY ($2))',
);

/** Makes the present password, or none, what an undo leaves. The caller holds the user's row. */
export const settlePassword = statement<unknown, [userId: string]>(
  'former_authenticators.settle_password',
  `WITH settled AS (
     UPDATE email_changes c SET old_password_hash = u.password_hash FROM users u WHERE u.id = $1 AND c.user_id = u.id)
   DELETE FROM former_authenticators WHERE user_id = $1 AND kind = 'users'`,
);

/** 72 hours before a request, 24 to confirm it, and 72 to undo it. */
export const purgeFormerAuthenticators = deletingExpired('former_authenticators', 'id', 'replaced_at', [
  "replaced_at < now() - interval '168 hours'",
]);

/**
 * SQL of unconfirmed sign-ups: the state of a verification link before it is used, and the deletion of such an
 * account with all that it created (contract/accounts.md#rejected-and-abandoned-sign-ups; decision 0029).
 */
import { statement } from '../../platform/database/database.ts';
import { deletingExpired, rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';
import { endVerificationSql } from '../users/users-store.ts';

/** An unverified account, by the token of its newest mail. */
interface UnconfirmedRow {
  readonly id: string;
  readonly email: string;
  readonly isOpen: boolean;
  /** SHA-256 of the id of the sign-up that set the password; null where it was not made in the portal. */
  readonly browserHash: Buffer | null;
}

export const findUnconfirmed = statement<UnconfirmedRow, [tokenHash: Buffer]>(
  'sign_ups.find_unconfirmed',
  `SELECT id, email, email_validation_expires_at > now() AS "isOpen", sign_up_browser_hash AS "browserHash"
   FROM users WHERE email_validation_token_hash = $1`,
);

/** A user `u` with nothing but an unconfirmed sign-up, not even a suspension, which goes with no link. */
const isNothingButSignUp = `u.email_validation_token_hash IS NOT NULL AND u.email_validated_at IS NULL AND NOT u.is_super_admin
     AND u.suspended_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id)
     AND NOT EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = u.id AND c.revoked_at IS NULL)
     AND NOT EXISTS (
       SELECT 1 FROM organization_members own
       JOIN organization_members other ON other.organization_id = own.organization_id AND other.user_id <> u.id
       WHERE own.user_id = u.id AND own.joined_at IS NOT NULL)`;

/** Holds the account whose newest mail has this token, even when the token has expired. */
export const lockRejectable = statement<{ readonly id: string; readonly email: string }, [tokenHash: Buffer]>(
  'sign_ups.lock_rejectable',
  `SELECT u.id, u.email FROM users u WHERE u.email_validation_token_hash = $1 AND ${isNothingButSignUp} FOR UPDATE`,
);

/** Holds accounts whose last link expired a week ago, oldest first, except those that another transaction holds. */
export const lockAbandoned = statement<{ readonly id: string }>(
  'sign_ups.lock_abandoned',
  `SELECT u.id FROM users u WHERE u.email_validation_expires_at <= now() - interval '7 days' AND ${isNothingButSignUp}
   ORDER BY u.email_validation_expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED`,
);

/** Deletes the organizations whose only member is one of these users, whose rows are held. */
export const deleteOwnOrganizations = statement<unknown, [userIds: readonly string[]]>(
  'sign_ups.delete_own_organizations',
  `DELETE FROM organizations WHERE id IN (
     SELECT organization_id FROM organization_members WHERE user_id = ANY ($1::uuid[]) AND joined_at IS NOT NULL)`,
);

/** Resets users with an invitation to their address alone, as if they had only been invited. */
export const forgetSignUps = statement<unknown, [userIds: readonly string[]]>(
  'sign_ups.forget',
  `UPDATE users u SET name = '', password_hash = NULL, signed_up_at = NULL, ${endVerificationSql},
     credentials_revision = credentials_revision + 1
   WHERE u.id = ANY ($1::uuid[]) AND EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = u.id)`,
);

export const deleteUninvited = statement<unknown, [userIds: readonly string[]]>(
  'sign_ups.delete_uninvited',
  `DELETE FROM users u
   WHERE u.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = u.id)`,
);

/** Keeps the hourly limit of mails to the address of an account that is about to be deleted; the caller holds it. */
export const keepMailPause = statement<unknown, [userId: string, addressDigest: string]>(
  'sign_ups.keep_mail_pause',
  `INSERT INTO rejected_sign_ups (address_digest, mailed_at)
   SELECT $2, account_mail_sent_at FROM users WHERE id = $1 AND account_mail_sent_at > now() - interval '1 hour'
   ON CONFLICT (address_digest) DO UPDATE SET mailed_at = greatest(rejected_sign_ups.mailed_at, excluded.mailed_at)`,
);

export const purgeMailPauses = deletingExpired('rejected_sign_ups', 'address_digest', 'mailed_at', [
  `mailed_at <= now() - interval '1 hour'`,
]);

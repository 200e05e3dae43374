/**
 * Owns: the table of users; rules for addresses, names and passwords.
 * Promises: One account for each normalized address; each accepted password is hashed as a whole.
 *
 * SQL of the table `users`: the user, the verification of the address, the counters of revocation and change; and the
 * refusal of a suspended account.
 */
import { Refusal } from '../../kernel/errors.ts';
import { statement } from '../../platform/database/database.ts';
import { rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';

/** The columns of an account that sign-in and sign-up need. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly passwordHash: string | null;
  /** An address is unverified exactly while a token is set (contract/accounts.md#verification-state). */
  readonly isUnverified: boolean;
  readonly isSuspended: boolean;
  /** A sign-in by the password also takes a second factor. */
  readonly hasOneTimeCodes: boolean;
}

/** SET clause that ends a pending verification: none of its links works any more. */
export const endVerificationSql = `email_validation_token_hash = NULL, email_validation_expires_at = NULL,
     email_validation_redirect = NULL, replaced_validation_token_hash = NULL, sign_up_browser_hash = NULL`;

/**
 * The address of a user `u` as an organization may read it: while they are a member, the present one; afterwards only
 * if it was proven before an instant of the membership, else null. Each change proves the new one.
 * @param organizationId SQL
 * @param instant SQL: when the row that names the user was made
 */
export const addressForOrganization = (organizationId: string, instant: string): string =>
  `CASE WHEN u.email_validated_at <= ${instant} OR EXISTS (SELECT FROM organization_members AS own
     WHERE own.user_id = u.id AND own.organization_id = ${organizationId} AND own.joined_at IS NOT NULL) THEN u.email END`;

/** The address and the name of users `u`, of whose parts `users_by_grams` is an index. */
export const textOfPerson = String.raw`u.email || E'\n' || lower(u.name)`;

export const findAccountByEmail = statement<AccountRow, [email: string]>(
  'users.find_account_by_email',
  `SELECT id, name, password_hash AS "passwordHash", email_validation_token_hash IS NOT NULL AS "isUnverified",
     suspended_at IS NOT NULL AS "isSuspended",
     EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = users.id) AS "hasOneTimeCodes"
   FROM users WHERE email = $1`,
);

/** Whether an address is reserved: its former user can still undo the change. @param email SQL */
export const reservedSql = (email: string): string => `EXISTS (SELECT 1 FROM email_changes AS held
     WHERE held.old_email = ${email} AND held.confirmed_at IS NOT NULL AND held.expires_at > now())`;

/**
 * A user `u` who was invited and never signed in: the row contains only an address. A sign-up or sign-in with that
 * address by another way takes the row over; otherwise an inviter could block the address forever.
 */
export const onlyInvitedSql = `u.password_hash IS NULL AND u.email_validated_at IS NULL AND u.email_validation_token_hash IS NULL
     AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id)`;

/**
 * The user with this address, existing or new. One statement for both, so that timing tells an inviter nothing.
 * Protects an existing one against deletion. No row when the address is inserted or deleted concurrently.
 */
export const insertInvitedPerson = statement<{ readonly id: string }, [id: string, email: string]>(
  'users.insert_invited',
  `WITH fresh AS (
     INSERT INTO users (id, email, name) VALUES ($1, $2, '') ON CONFLICT (email) DO NOTHING RETURNING id)
   SELECT id FROM fresh
   UNION ALL SELECT id FROM (SELECT id FROM users WHERE email = $2 FOR KEY SHARE) AS known`,
);

/** Sets name, password and active membership of a user whose mailbox was just verified; ends verifications. */
export const completeProfile = statement<
  unknown,
  [userId: string, name: string, passwordHash: string, membershipId: string]
>(
  'users.complete_profile',
  `UPDATE users SET name = $2, password_hash = $3, current_membership = $4, email_validated_at = now(),
     ${endVerificationSql}
   WHERE id = $1`,
);

/** Sets a name and verifies the address on a third party's word; removes the password: the account begins now. */
export const replaceUnprovenPassword = statement<unknown, [userId: string, name: string]>(
  'users.replace_unproven_password',
  `UPDATE users SET name = $2, password_hash = NULL, email_validated_at = now(), signed_up_at = now(),
     ${endVerificationSql} WHERE id = $1`,
);

export interface InsertedUserRow {
  readonly id: string;
  readonly signedUpAt: Date;
  /** Whether the hourly limit of mails to the address allows one now: a deleted sign-up may have used it. */
  readonly mayMail: boolean;
}

/**
 * Inserts a user. No row when the address is taken, which the unique index decides in a race, or reserved, for which
 * the caller holds the address' lock. The row of a user who was only invited is taken over.
 */
export const insertUser = statement<
  InsertedUserRow,
  [
    id: string,
    email: string,
    name: string,
    passwordHash: string | null,
    validationTokenHash: Buffer | null,
    redirect: string | null,
    addressDigest: string | null,
    browserHash: Buffer | null,
  ]
>(
  'users.insert',
  `INSERT INTO users AS u (id, email, name, password_hash, email_validation_token_hash, email_validation_expires_at,
     email_validation_redirect, email_validated_at, account_mail_sent_at, signed_up_at, sign_up_browser_hash)
   SELECT $1::uuid, $2::text, $3, $4, $5::bytea,
     CASE WHEN $5::bytea IS NOT NULL THEN now() + interval '24 hours' END, $6,
     CASE WHEN $5::bytea IS NULL THEN now() END,
     coalesce((SELECT mailed_at FROM rejected_sign_ups WHERE address_digest = $7 AND mailed_at > now() - interval '1 hour'),
       CASE WHEN $5::bytea IS NOT NULL THEN now() END),
     now(), $8::bytea WHERE NOT ${reservedSql('$2')}
   ON CONFLICT (email) DO UPDATE SET name = excluded.name, password_hash = excluded.password_hash,
     email_validation_token_hash = excluded.email_validation_token_hash,
     email_validation_expires_at = excluded.email_validation_expires_at,
     email_validation_redirect = excluded.email_validation_redirect, email_validated_at = excluded.email_validated_at,
     account_mail_sent_at = excluded.account_mail_sent_at, signed_up_at = excluded.signed_up_at,
     sign_up_browser_hash = excluded.sign_up_browser_hash
   WHERE ${onlyInvitedSql}
   RETURNING u.id, u.signed_up_at AS "signedUpAt", u.account_mail_sent_at IS NOT DISTINCT FROM now() AS "mayMail"`,
);

/** Creates a super admin like {@link insertUser}: a new, verified user, or one who was only invited. */
export const insertSuperAdmin = statement<
  { readonly id: string },
  [id: string, email: string, name: string, passwordHash: string, scopes: readonly string[]]
>(
  'users.insert_super_admin',
  `INSERT INTO users AS u (id, email, name, password_hash, email_validated_at, is_super_admin, platform_scopes)
   SELECT $1::uuid, $2::text, $3, $4, now(), true, $5::text[] WHERE NOT ${reservedSql('$2')}
   ON CONFLICT (email) DO UPDATE SET name = excluded.name, password_hash = excluded.password_hash,
     email_validated_at = excluded.email_validated_at, is_super_admin = true, platform_scopes = excluded.platform_scopes
   WHERE ${onlyInvitedSql}
   RETURNING u.id`,
);

/** Holds a user's row: sign-ins, and changes of active membership or sessions, come before or after. */
export const lockUserRow = statement<{ readonly id: string }, [userId: string]>(
  'users.lock',
  'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE',
);

/** Against changes, not other sign-ins. A separate statement: the next sees commits from the time of the wait. */
export const shareUserRow = statement<{ readonly id: string; readonly hasPassword: boolean }, [userId: string]>(
  'users.share',
  'SELECT id, password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR SHARE',
);

/** A user's current platform authority. A withdrawal of it comes before this transaction or after it. */
export const sharePlatformAuthority = statement<
  { readonly isSuperAdmin: boolean; readonly platformScopes: readonly string[] },
  [userId: string]
>(
  'users.share_platform_authority',
  `SELECT is_super_admin AS "isSuperAdmin", platform_scopes AS "platformScopes" FROM users WHERE id = $1 FOR SHARE`,
);

export const setCurrentMembership = statement<unknown, [userId: string, membershipId: string]>(
  'users.set_current_membership',
  'UPDATE users SET current_membership = $2 WHERE id = $1',
);

/** The unverified account of a verification mail. */
export interface VerificationRecipient {
  readonly email: string;
  readonly redirect: string | null;
  /** The instant of the sign-up, which is earlier than the mail when the mail is a repeated one. */
  readonly signedUpAt: Date;
}

/** The owner of a verified address with which a sign-up was attempted. */
interface RegisteredRecipient {
  readonly email: string;
  readonly name: string;
  readonly triedAt: Date;
}

/** The recipient of a mail about their own account. */
export const getAddressee = statement<{ readonly email: string; readonly name: string }, [userId: string]>(
  'users.get_addressee',
  'SELECT email, name FROM users WHERE id = $1',
);

/** SET clause of a fresh verification token, $2. */
const renewVerificationSql = `replaced_validation_token_hash = email_validation_token_hash,
     email_validation_token_hash = $2, email_validation_expires_at = now() + interval '24 hours',
     account_mail_sent_at = now()`;

const cooledDown = `(account_mail_sent_at IS NULL OR account_mail_sent_at <= now() - interval '1 hour')`;

const verificationRecipient = `email, email_validation_redirect AS redirect, coalesce(signed_up_at, created_at) AS "signedUpAt"`;

/** Sets a fresh verification token for an unverified address whose last mail is an hour old; else no row. */
export const renewValidationByEmail = statement<
  VerificationRecipient,
  [email: string, tokenHash: Buffer, redirect: string | null]
>(
  'users.renew_validation_by_email',
  `UPDATE users SET ${renewVerificationSql},
     email_validation_redirect = coalesce($3, email_validation_redirect)
   WHERE email = $1 AND email_validation_token_hash IS NOT NULL AND ${cooledDown}
   RETURNING ${verificationRecipient}`,
);

/** Renews like {@link renewValidationByEmail}, for the owner of an expired token. */
export const renewExpiredValidation = statement<VerificationRecipient, [expiredHash: Buffer, tokenHash: Buffer]>(
  'users.renew_expired_validation',
  `UPDATE users SET ${renewVerificationSql}
   WHERE email_validation_token_hash = $1 AND email_validation_expires_at <= now() AND ${cooledDown}
   RETURNING ${verificationRecipient}`,
);

/** Claims the hourly notice of a sign-up to the owner of a verified address; no row within the hour. */
export const claimRegisteredNotice = statement<RegisteredRecipient, [email: string]>(
  'users.claim_registered_notice',
  `UPDATE users u SET account_mail_sent_at = now()
   WHERE email = $1 AND email_validation_token_hash IS NULL AND ${cooledDown} AND NOT (${onlyInvitedSql})
   RETURNING email, name, now() AS "triedAt"`,
);

/** Verifies an address once, unexpired. @param userId not null: only this account, with this password hash */
export const consumeValidationToken = statement<
  { readonly id: string },
  [tokenHash: Buffer, userId: string | null, passwordHash: string | null]
>(
  'users.consume_validation_token',
  `UPDATE users SET email_validated_at = now(), ${endVerificationSql}
   WHERE email_validation_token_hash = $1 AND email_validation_expires_at > now()
     AND ($2::uuid IS NULL OR (id = $2 AND password_hash = $3))
   RETURNING id`,
);

/** Whether a token that verifies nothing was valid before: it has expired, or was replaced within the hour. */
export const isExpiredValidationToken = statement<{ readonly expired: boolean }, [tokenHash: Buffer]>(
  'users.is_expired_validation_token',
  `SELECT EXISTS (SELECT 1 FROM users WHERE email_validation_token_hash = $1
       OR (replaced_validation_token_hash = $1 AND NOT ${cooledDown})) AS expired`,
);

/** Clears replaced tokens that are now INVALID. */
export const forgetReplacedTokens = statement(
  'users.forget_replaced_tokens',
  `UPDATE users SET replaced_validation_token_hash = NULL WHERE id = ANY (ARRAY(
     SELECT id FROM users WHERE replaced_validation_token_hash IS NOT NULL AND ${cooledDown}
     ORDER BY account_mail_sent_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

export const setName = statement<unknown, [userId: string, name: string]>(
  'users.set_name',
  'UPDATE users SET name = $2 WHERE id = $1',
);

/** Removes the password. The caller holds the row, and has checked that the user has another way to sign in. */
export const removePassword = statement<unknown, [userId: string]>(
  'users.remove_password',
  'UPDATE users SET password_hash = NULL WHERE id = $1',
);

/** Increments the revision: from this commit on, every credential of the user is refused. */
export const bumpCredentialsRevision = statement<unknown, [userId: string]>(
  'users.bump_credentials_revision',
  'UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1',
);

/** Only for a caller who proved that the account is theirs: others learn nothing of a suspension. */
export const accountSuspended = (userId: string): Refusal =>
  new Refusal('ACCOUNT_SUSPENDED', 'This account is suspended. Contact the operator of this service.', { userId });

/** A row exactly for a suspended person. */
export const findSuspended = statement<{ readonly suspendedAt: Date }, [userId: string]>(
  'users.find_suspended',
  'SELECT suspended_at AS "suspendedAt" FROM users WHERE id = $1 AND suspended_at IS NOT NULL',
);

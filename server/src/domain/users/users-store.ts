/** SQL of the table `users`: the person, the verification of the address, the counters of revocation and change. */
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';

/** What sign-in and sign-up need to know of an account. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly passwordHash: string | null;
  /** An address is unverified exactly while a token is set (specification, "Email verification"). */
  readonly isUnverified: boolean;
}

export const findAccountByEmail = statement<AccountRow, [email: string]>(
  'users.find_account_by_email',
  `SELECT id, name, password_hash AS "passwordHash", email_validation_token_hash IS NOT NULL AS "isUnverified"
   FROM users WHERE email = $1`,
);

/**
 * Somebody `u` whom an invitation link lets set name and password: no address of theirs was ever verified by them, or
 * there is nothing else that they could sign in with.
 */
export const mustCompleteProfileSql = `(u.email_validation_token_hash IS NOT NULL OR (u.password_hash IS NULL
    AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id)))`;

/**
 * Somebody `u` who was invited and never came: the row holds an address and nothing else. Whoever comes in with the
 * address by another door takes the row over as if there were none; else an inviter could bar it for ever.
 */
export const neverCameSql = `u.password_hash IS NULL AND u.email_validated_at IS NULL AND u.email_validation_token_hash IS NULL
     AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id)`;

/**
 * The person with this address: one who is known, or a new one who has neither name nor password yet. One statement for
 * both, so that an inviter cannot tell them apart by time. A known person is held against deletion until the transaction
 * ends. No row when another transaction inserts or deletes the address at this moment.
 */
export const insertInvitedPerson = statement<{ readonly id: string }, [id: string, email: string]>(
  'users.insert_invited',
  `WITH fresh AS (
     INSERT INTO users (id, email, name) VALUES ($1, $2, '') ON CONFLICT (email) DO NOTHING RETURNING id)
   SELECT id FROM fresh
   UNION ALL SELECT id FROM (SELECT id FROM users WHERE email = $2 FOR KEY SHARE) AS known`,
);

/**
 * A name and a password for a person whose mailbox was just proven, and their active membership. Whatever was waiting
 * for the mailbox to be proven is void.
 */
export const completeProfile = statement<
  unknown,
  [userId: string, name: string, passwordHash: string, membershipId: string]
>(
  'users.complete_profile',
  `UPDATE users SET name = $2, password_hash = $3, current_membership = $4, email_validated_at = now(),
     email_validation_token_hash = NULL, email_validation_expires_at = NULL, email_validation_redirect = NULL,
     replaced_validation_token_hash = NULL, sign_up_browser_hash = NULL
   WHERE id = $1`,
);

/**
 * What a person is called, and that the mailbox is theirs, by the word of somebody who vouches for both. A password that
 * was set before goes, and whatever was waiting for the mailbox to be proven is void.
 */
export const replaceUnprovenPassword = statement<unknown, [userId: string, name: string]>(
  'users.replace_unproven_password',
  `UPDATE users SET name = $2, password_hash = NULL, email_validated_at = now(), email_validation_token_hash = NULL,
     email_validation_expires_at = NULL, email_validation_redirect = NULL, replaced_validation_token_hash = NULL,
     sign_up_browser_hash = NULL
   WHERE id = $1`,
);

/** What an account that was just inserted answers. */
export interface InsertedUserRow {
  readonly id: string;
  readonly signedUpAt: Date;
  /** Whether the hour between mails to the address is over: a sign-up that was deleted may have begun it. */
  readonly mayMail: boolean;
}

/**
 * Inserts nothing, and answers no row, when the address is taken: the unique index decides a race. The row of a person
 * who was invited and never came is taken over.
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
   VALUES ($1, $2, $3, $4, $5::bytea,
     CASE WHEN $5::bytea IS NOT NULL THEN now() + interval '24 hours' END, $6,
     CASE WHEN $5::bytea IS NULL THEN now() END,
     coalesce((SELECT mailed_at FROM rejected_sign_ups WHERE address_digest = $7 AND mailed_at > now() - interval '1 hour'),
       CASE WHEN $5::bytea IS NOT NULL THEN now() END),
     now(), $8)
   ON CONFLICT (email) DO UPDATE SET name = excluded.name, password_hash = excluded.password_hash,
     email_validation_token_hash = excluded.email_validation_token_hash,
     email_validation_expires_at = excluded.email_validation_expires_at,
     email_validation_redirect = excluded.email_validation_redirect, email_validated_at = excluded.email_validated_at,
     account_mail_sent_at = excluded.account_mail_sent_at, signed_up_at = excluded.signed_up_at,
     sign_up_browser_hash = excluded.sign_up_browser_hash
   WHERE ${neverCameSql}
   RETURNING u.id, u.signed_up_at AS "signedUpAt", u.account_mail_sent_at IS NOT DISTINCT FROM now() AS "mayMail"`,
);

/** Makes a super admin of a new, verified person, or of one who was invited and never came. */
export const insertSuperAdmin = statement<
  { readonly id: string },
  [id: string, email: string, name: string, passwordHash: string, scopes: readonly string[]]
>(
  'users.insert_super_admin',
  `INSERT INTO users AS u (id, email, name, password_hash, email_validated_at, is_super_admin, platform_scopes)
   VALUES ($1, $2, $3, $4, now(), true, $5)
   ON CONFLICT (email) DO UPDATE SET name = excluded.name, password_hash = excluded.password_hash,
     email_validated_at = excluded.email_validated_at, is_super_admin = true, platform_scopes = excluded.platform_scopes
   WHERE ${neverCameSql}
   RETURNING u.id`,
);

/**
 * Holds a person's row until the transaction ends: sign-ins, and whatever else changes where the person is active or
 * which sessions they have, come before or after it.
 */
export const lockUserRow = statement<{ readonly id: string }, [userId: string]>(
  'users.lock',
  'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE',
);

/**
 * The same against whoever changes the person, but not against another sign-in. A statement of its own: the next one
 * sees what was committed while the row was waited for, of the other tables too.
 */
export const shareUserRow = statement<{ readonly id: string; readonly hasPassword: boolean }, [userId: string]>(
  'users.share',
  'SELECT id, password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR SHARE',
);

/**
 * Holds the rows of several people like `lockUserRow`, in one order for everybody: two who act on each other never wait
 * in a circle. Answers those that there are.
 */
export const lockUserRows = statement<{ readonly id: string }, [userIds: readonly string[]]>(
  'users.lock_several',
  'SELECT id FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
);

/** What somebody may do on the platform now. Whoever takes it from them comes before this transaction, or after it. */
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

/** The unverified account that a verification mail is about. */
export interface VerificationRecipient {
  readonly email: string;
  readonly redirect: string | null;
  /** When the account was asked for, which is before the mail when it is a repeated one. */
  readonly signedUpAt: Date;
}

/** The owner of a verified address with which a sign-up was tried. */
export interface RegisteredRecipient {
  readonly email: string;
  readonly name: string;
  readonly triedAt: Date;
}

/** Whom a mail about their own account is for. */
export const getAddressee = statement<{ readonly email: string; readonly name: string }, [userId: string]>(
  'users.get_addressee',
  'SELECT email, name FROM users WHERE id = $1',
);

const cooledDown = `(account_mail_sent_at IS NULL OR account_mail_sent_at <= now() - interval '1 hour')`;

const verificationRecipient = `email, email_validation_redirect AS redirect, coalesce(signed_up_at, created_at) AS "signedUpAt"`;

/** Sets a fresh verification token for an unverified address whose last mail is an hour old; else answers no row. */
export const renewValidationByEmail = statement<
  VerificationRecipient,
  [email: string, tokenHash: Buffer, redirect: string | null]
>(
  'users.renew_validation_by_email',
  `UPDATE users SET replaced_validation_token_hash = email_validation_token_hash, email_validation_token_hash = $2,
     email_validation_expires_at = now() + interval '24 hours', account_mail_sent_at = now(),
     email_validation_redirect = coalesce($3, email_validation_redirect)
   WHERE email = $1 AND email_validation_token_hash IS NOT NULL AND ${cooledDown}
   RETURNING ${verificationRecipient}`,
);

/** The same, for the owner of an expired token. */
export const renewExpiredValidation = statement<VerificationRecipient, [expiredHash: Buffer, tokenHash: Buffer]>(
  'users.renew_expired_validation',
  `UPDATE users SET replaced_validation_token_hash = email_validation_token_hash, email_validation_token_hash = $2,
     email_validation_expires_at = now() + interval '24 hours', account_mail_sent_at = now()
   WHERE email_validation_token_hash = $1 AND email_validation_expires_at <= now() AND ${cooledDown}
   RETURNING ${verificationRecipient}`,
);

/** Claims the hourly mail that tells the owner of a verified address of a sign-up; no row while one is an hour young. */
export const claimRegisteredNotice = statement<RegisteredRecipient, [email: string]>(
  'users.claim_registered_notice',
  `UPDATE users u SET account_mail_sent_at = now()
   WHERE email = $1 AND email_validation_token_hash IS NULL AND ${cooledDown} AND NOT (${neverCameSql})
   RETURNING email, name, now() AS "triedAt"`,
);

/**
 * Verifies the address whose token this is, once and only before it expires.
 * @param userId when it is not null, only for this account, and only while it has this password hash
 */
export const consumeValidationToken = statement<
  { readonly id: string },
  [tokenHash: Buffer, userId: string | null, passwordHash: string | null]
>(
  'users.consume_validation_token',
  `UPDATE users SET email_validated_at = now(), email_validation_token_hash = NULL, email_validation_expires_at = NULL,
     email_validation_redirect = NULL, replaced_validation_token_hash = NULL, sign_up_browser_hash = NULL
   WHERE email_validation_token_hash = $1 AND email_validation_expires_at > now()
     AND ($2::uuid IS NULL OR (id = $2 AND password_hash = $3))
   RETURNING id`,
);

/** Whether a token that verifies nothing is at least one that a person may hold: expired, or replaced within the hour. */
export const isExpiredValidationToken = statement<{ readonly expired: boolean }, [tokenHash: Buffer]>(
  'users.is_expired_validation_token',
  `SELECT EXISTS (SELECT 1 FROM users WHERE email_validation_token_hash = $1
       OR (replaced_validation_token_hash = $1 AND NOT ${cooledDown})) AS expired`,
);

/** Forgets replaced tokens that are INVALID by now. */
export const forgetReplacedTokens = statement(
  'users.forget_replaced_tokens',
  `UPDATE users SET replaced_validation_token_hash = NULL WHERE id = ANY (ARRAY(
     SELECT id FROM users WHERE replaced_validation_token_hash IS NOT NULL AND ${cooledDown}
     ORDER BY account_mail_sent_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

/** The caller holds the row, and has made sure of another way to sign in. */
export const removePassword = statement<unknown, [userId: string]>(
  'users.remove_password',
  'UPDATE users SET password_hash = NULL WHERE id = $1',
);

/** Every credential of the user is refused from this commit on. */
export const bumpCredentialsRevision = statement<unknown, [userId: string]>(
  'users.bump_credentials_revision',
  'UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1',
);

/** Replaces a hash of another cost, unless the password changed meanwhile. */
export const replacePasswordHash = statement<unknown, [userId: string, oldHash: string, newHash: string]>(
  'users.replace_password_hash',
  'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
);

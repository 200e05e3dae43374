/**
 * SQL of the table `external_identities`: who somebody is at an outside provider, by its issuer and its subject there.
 *
 * Whoever signs in by an identity, links or creates by it first takes its lock, which is there before any row is, and
 * then holds the row; whoever unlinks holds the row too. The person's row comes after both.
 */
import { statement } from '../../platform/database/statement.ts';
import { identityOfUser, type OwnIdentityRow } from '../credentials/holder-store.ts';
import { neverCameSql } from '../users/users-store.ts';

type IdentityKey = [issuer: string, subject: string];

/** Until the transaction ends, nobody else does anything with this identity. */
export const lockIdentity = statement<unknown, IdentityKey>(
  'external_identities.lock',
  'SELECT lock_external_identity($1, $2)',
);

/** A statement of its own: the next one sees what was committed while the row was waited for. */
export const shareIdentity = statement<unknown, IdentityKey>(
  'external_identities.share',
  'SELECT user_id FROM external_identities WHERE issuer = $1 AND subject = $2 FOR SHARE',
);

/** The same against everybody, for all identities of a person: an unlinking is before or after a sign-in by one. */
export const lockIdentitiesOfUser = statement<unknown, [userId: string]>(
  'external_identities.lock_of_user',
  'SELECT issuer FROM external_identities WHERE user_id = $1 ORDER BY issuer FOR UPDATE',
);

/** Somebody as they are now: whoever signs out everywhere, or is signed out, gets a new revision. */
export interface PersonRow {
  readonly userId: string;
  readonly credentialsRevision: number;
}

/** Whose identity it is. */
export const findOwner = statement<PersonRow, IdentityKey>(
  'external_identities.find_owner',
  `SELECT u.id AS "userId", u.credentials_revision AS "credentialsRevision"
   FROM external_identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = $1 AND i.subject = $2`,
);

/** The account of an address, as far as an identity with that address must know it. */
export interface MatchingAccountRow extends PersonRow {
  /** Invited, and nothing else: as if there were no account. */
  readonly neverCame: boolean;
  /** Whoever set its password never proved that the mailbox is theirs. */
  readonly isUnverified: boolean;
  readonly hasIdentityOfIssuer: boolean;
}

export const findMatchingAccount = statement<MatchingAccountRow, [email: string, issuer: string]>(
  'external_identities.find_matching_account',
  `SELECT u.id AS "userId", u.credentials_revision AS "credentialsRevision", ${neverCameSql} AS "neverCame",
     u.email_validation_token_hash IS NOT NULL AS "isUnverified",
     EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id AND i.issuer = $2) AS "hasIdentityOfIssuer"
   FROM users u WHERE u.email = $1`,
);

/** Whether a person has an identity at an issuer already. */
export const hasIdentityOfIssuer = statement<{ readonly has: boolean }, [userId: string, issuer: string]>(
  'external_identities.has_identity_of_issuer',
  'SELECT EXISTS (SELECT 1 FROM external_identities WHERE user_id = $1 AND issuer = $2) AS has',
);

/**
 * The caller holds the lock of the identity and the row of the person, and knows by now that neither has another. Linked
 * by its address, it puts a password in question that the account has: its person may not have set it.
 */
export const insertIdentity = statement<
  { readonly linkedAt: Date; readonly isPasswordInQuestion: boolean },
  [issuer: string, subject: string, userId: string, email: string | null, isByAddress: boolean]
>(
  'external_identities.insert',
  `INSERT INTO external_identities (issuer, subject, user_id, email, password_in_question)
   VALUES ($1, $2, $3, $4, $5 AND EXISTS (SELECT 1 FROM users WHERE id = $3 AND password_hash IS NOT NULL))
   RETURNING linked_at AS "linkedAt", password_in_question AS "isPasswordInQuestion"`,
);

/** The question is answered, once; affects no row when there is none. The caller holds the identities of the person. */
export const settlePasswordQuestion = statement<unknown, [userId: string]>(
  'external_identities.settle_password_question',
  `UPDATE external_identities i SET password_in_question = false FROM users u
   WHERE i.user_id = $1 AND i.password_in_question AND u.id = i.user_id AND u.password_hash IS NOT NULL`,
);

export const findIdentityOfUser = statement<OwnIdentityRow, [userId: string]>(
  'external_identities.find_of_user',
  identityOfUser('$1'),
);

/** Deletes what a person has, if they have a password to sign in with: never the last way in. */
export const deleteIdentities = statement<
  { readonly email: string | null; readonly unlinkedAt: Date },
  [userId: string]
>(
  'external_identities.delete_of_user',
  `DELETE FROM external_identities i USING users u
   WHERE i.user_id = $1 AND u.id = i.user_id AND u.password_hash IS NOT NULL AND u.email_validation_token_hash IS NULL
   RETURNING i.email, now() AS "unlinkedAt"`,
);

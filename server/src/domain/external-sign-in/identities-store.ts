/**
 * SQL of the table `external_identities`: a user's identity at an external provider, by issuer and subject.
 *
 * A transaction that signs in by an identity, links it or creates an account for it first takes the identity's lock,
 * which exists before any row, and then holds the row; one that unlinks holds the row as well. The user's row is locked
 * after both.
 */
import { statement } from '../../platform/database/database.ts';
import { identityOfUser, type OwnIdentityRow } from '../credentials/actor-store.ts';
import { onlyInvitedSql } from '../users/users-store.ts';

type IdentityKey = [issuer: string, subject: string];

/** Locks the identity against every other transaction until this one ends. */
export const lockIdentity = statement<unknown, IdentityKey>(
  'external_identities.lock',
  'SELECT lock_external_identity($1, $2)',
);

/** A separate statement, so that the next one sees commits from the time that this one waited for the row. */
export const shareIdentity = statement<unknown, IdentityKey>(
  'external_identities.share',
  'SELECT user_id FROM external_identities WHERE issuer = $1 AND subject = $2 FOR SHARE',
);

/** Locks all identities of a user exclusively: an unlinking comes before or after a sign-in by one of them. */
export const lockIdentitiesOfUser = statement<{ readonly linkedAt: Date }, [userId: string]>(
  'external_identities.lock_of_user',
  'SELECT linked_at AS "linkedAt" FROM external_identities WHERE user_id = $1 ORDER BY issuer FOR UPDATE',
);

/** A user with their current revision, which every sign-out everywhere increments. */
export interface PersonRow {
  readonly userId: string;
  readonly credentialsRevision: number;
  readonly isSuspended: boolean;
}

export const findOwner = statement<PersonRow, IdentityKey>(
  'external_identities.find_owner',
  `SELECT u.id AS "userId", u.credentials_revision AS "credentialsRevision",
     u.suspended_at IS NOT NULL AS "isSuspended"
   FROM external_identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = $1 AND i.subject = $2`,
);

/** The account of an address, with the columns that an identity with this address needs. */
export interface MatchingAccountRow extends PersonRow {
  /** Only invited: treated as if there were no account. */
  readonly isOnlyInvited: boolean;
  /** The address was never verified, so the password may not be the mailbox owner's. */
  readonly isUnverified: boolean;
  readonly hasIdentityOfIssuer: boolean;
}

export const findMatchingAccount = statement<MatchingAccountRow, [email: string, issuer: string]>(
  'external_identities.find_matching_account',
  `SELECT u.id AS "userId", u.credentials_revision AS "credentialsRevision", ${onlyInvitedSql} AS "isOnlyInvited",
     u.suspended_at IS NOT NULL AS "isSuspended", u.email_validation_token_hash IS NOT NULL AS "isUnverified",
     EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id AND i.issuer = $2) AS "hasIdentityOfIssuer"
   FROM users u WHERE u.email = $1`,
);

/** Whether a user already has an identity at an issuer. */
export const hasIdentityOfIssuer = statement<{ readonly has: boolean }, [userId: string, issuer: string]>(
  'external_identities.has_identity_of_issuer',
  'SELECT EXISTS (SELECT 1 FROM external_identities WHERE user_id = $1 AND issuer = $2) AS has',
);

/** The caller holds identity and user, without other links. A link by address puts the password in question. */
export const insertIdentity = statement<
  { readonly linkedAt: Date; readonly isPasswordInQuestion: boolean },
  [issuer: string, subject: string, userId: string, email: string | null, isByAddress: boolean]
>(
  'external_identities.insert',
  `INSERT INTO external_identities (issuer, subject, user_id, email, password_in_question)
   VALUES ($1, $2, $3, $4, $5 AND EXISTS (SELECT 1 FROM users WHERE id = $3 AND password_hash IS NOT NULL))
   RETURNING linked_at AS "linkedAt", password_in_question AS "isPasswordInQuestion"`,
);

/** Settles the password question, once; affects no row when there is none. The caller holds the user's identities. */
export const settlePasswordQuestion = statement<unknown, [userId: string]>(
  'external_identities.settle_password_question',
  `UPDATE external_identities i SET password_in_question = false FROM users u
   WHERE i.user_id = $1 AND i.password_in_question AND u.id = i.user_id AND u.password_hash IS NOT NULL`,
);

/** Deletes a user's identities that were linked after an instant. The caller holds all of them. */
export const deleteIdentitiesSince = statement<unknown, [userId: string, since: Date]>(
  'external_identities.delete_since',
  'DELETE FROM external_identities WHERE user_id = $1 AND linked_at > $2',
);

export const findIdentityOfUser = statement<OwnIdentityRow, [userId: string]>(
  'external_identities.find_of_user',
  identityOfUser('$1'),
);

/** Deletes a user's identities unless they are the last way to sign in: no password, no passkey that works here. */
export const deleteIdentities = statement<
  { readonly email: string | null; readonly unlinkedAt: Date; readonly hasPassword: boolean },
  [userId: string, relyingPartyId: string | null]
>(
  'external_identities.delete_of_user',
  `DELETE FROM external_identities i USING users u
   WHERE i.user_id = $1 AND u.id = i.user_id AND u.email_validation_token_hash IS NULL AND (
     u.password_hash IS NOT NULL
     OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id AND p.relying_party_id = $2))
   RETURNING i.email, now() AS "unlinkedAt", u.password_hash IS NOT NULL AS "hasPassword"`,
);

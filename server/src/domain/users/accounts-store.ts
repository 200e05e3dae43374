/** SQL of the table `users` about accounts: users who can sign in, not those who were only invited. */
import { statement } from '../../platform/database/database.ts';
import { onlyInvitedSql } from './users-store.ts';

/** The account of an address; no row for a user who was only invited. */
export const findOwnerOfAddress = statement<{ readonly id: string }, [email: string]>(
  'users.find_owner_of_address',
  `SELECT u.id FROM users u WHERE u.email = $1 AND NOT (${onlyInvitedSql})`,
);

/** Sets a password, whatever was there. The caller holds the row. */
export const overwritePasswordHash = statement<unknown, [userId: string, fresh: string]>(
  'users.overwrite_password_hash',
  'UPDATE users SET password_hash = $2 WHERE id = $1',
);

/** An account, and how its owner can sign in beside passkeys. */
export interface SignInMethods {
  readonly id: string;
  readonly name: string;
  readonly isUnverified: boolean;
  readonly hasPassword: boolean;
  readonly hasIdentity: boolean;
}

export const getSignInMethods = statement<SignInMethods, [userId: string]>(
  'users.get_ways_to_sign_in',
  `SELECT id, name, email_validation_token_hash IS NOT NULL AS "isUnverified", password_hash IS NOT NULL AS "hasPassword",
     EXISTS (SELECT 1 FROM external_identities WHERE user_id = $1) AS "hasIdentity"
   FROM users WHERE id = $1`,
);

/** Sets a password, unless the hash is no longer `current`; null is an account without a password. */
export const setPasswordHash = statement<unknown, [userId: string, current: string | null, fresh: string]>(
  'users.set_password_hash',
  'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2',
);

/** Replaces a hash of another cost, unless the password changed meanwhile. */
export const replacePasswordHash = statement<unknown, [userId: string, oldHash: string, newHash: string]>(
  'users.replace_password_hash',
  'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
);

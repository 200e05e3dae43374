/**
 * Challenges (table `second_factor_challenges`): sign-ins with a proved first factor, that wait for a second one.
 *
 * A challenge carries the credentials_revision and a digest of the password hash at the first factor. It is accepted
 * only while both are the user's, so that no operation that ends sessions or sets a password has to end challenges.
 */
import { Refusal } from '../../kernel/errors.ts';
import { randomSecret, sha256 } from '../../kernel/secrets.ts';
import { type Queryable, statement } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import type { Settings } from '../access/deps.ts';
import { methodsOf, secondFactorsOf } from './second-factors.ts';

interface FirstFactor {
  readonly userId: string;
  readonly authMethod: string;
  /** The hash that the password matched; null for a sign-in without one. */
  readonly passwordHash: string | null;
}

/**
 * Begins to wait for a second factor.
 * @param settings of the relying party whose passkeys are factors
 * @returns SECOND_FACTOR_REQUIRED with the challenge; null without one-time codes, with another password, or suspended
 */
export const openSignInChallenge = async (
  queryable: Pick<Queryable, 'one' | 'maybeOne'>,
  { userId, authMethod, passwordHash }: FirstFactor,
  settings: Settings<'relyingParty'>['settings'],
): Promise<Refusal | null> => {
  const challenge = randomSecret();
  const opened = await queryable.maybeOne(insertChallenge, [sha256(challenge), userId, authMethod, passwordHash]);
  if (opened === null) return null;
  const factors = await secondFactorsOf(queryable, userId, settings);
  return new Refusal('SECOND_FACTOR_REQUIRED', 'Enter a one-time code to finish signing in.', {
    challenge,
    methods: methodsOf(factors),
    expiresAt: opened.expiresAt.toISOString(),
    userId,
  });
};

const shape = /^[A-Za-z0-9_-]{43}$/;

/** The hash of a challenge; null for a text that is none, which costs no look-up. */
export const hashSignInChallenge = (challenge: string): Buffer | null =>
  shape.test(challenge) ? sha256(challenge) : null;

/** @param userId of the challenge, where it was found */
export const signInChallengeRefused = (userId: string | null = null): Refusal =>
  new Refusal('CHALLENGE_REFUSED', 'This sign-in has ended. Sign in again.', { userId });

const passwordDigest = `CASE WHEN u.password_hash IS NOT NULL THEN sha256(convert_to(u.password_hash, 'UTF8')) END`;

const insertChallenge = statement<
  { readonly expiresAt: Date },
  [challengeHash: Buffer, userId: string, authMethod: string, passwordHash: string | null]
>(
  'second_factor_challenges.insert',
  `INSERT INTO second_factor_challenges (challenge_hash, user_id, auth_method, credentials_revision, password_digest,
     expires_at)
   SELECT $1, u.id, $3, u.credentials_revision, ${passwordDigest}, now() + interval '5 minutes'
   FROM users u
   WHERE u.id = $2 AND u.suspended_at IS NULL AND ($4::text IS NULL OR u.password_hash = $4)
     AND EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id)
   RETURNING expires_at AS "expiresAt"`,
);

const isOpen = 'c.tries_left > 0 AND c.expires_at > now()';

/** An open challenge, before a try. */
export interface SignInChallengeRow {
  readonly userId: string;
  readonly email: string;
  readonly isSuspended: boolean;
  /** The method of the first factor. */
  readonly authMethod: string;
}

export const findSignInChallenge = statement<SignInChallengeRow, [challengeHash: Buffer]>(
  'second_factor_challenges.find',
  `SELECT u.id AS "userId", u.email, u.suspended_at IS NOT NULL AS "isSuspended", c.auth_method AS "authMethod"
   FROM second_factor_challenges c JOIN users u ON u.id = c.user_id
   WHERE c.challenge_hash = $1 AND ${isOpen}`,
);

/** Consumes one of the tries of an open challenge, also when the code proves wrong; no row when none is left. */
export const takeTry = statement<{ readonly triesLeft: number }, [challengeHash: Buffer]>(
  'second_factor_challenges.take_try',
  `UPDATE second_factor_challenges c SET tries_left = tries_left - 1 WHERE c.challenge_hash = $1 AND ${isOpen}
   RETURNING tries_left AS "triesLeft"`,
);

/**
 * Consumes a challenge, for one request. No row when it has expired, or its user was signed out everywhere or got
 * another password. The caller holds the user's row, and rolls back when the code is wrong.
 */
export const consumeSignInChallenge = statement<
  { readonly authMethod: string },
  [challengeHash: Buffer, userId: string]
>(
  'second_factor_challenges.consume',
  `DELETE FROM second_factor_challenges c USING users u
   WHERE c.challenge_hash = $1 AND c.user_id = $2 AND u.id = c.user_id AND c.expires_at > now()
     AND c.credentials_revision = u.credentials_revision AND c.password_digest IS NOT DISTINCT FROM ${passwordDigest}
   RETURNING c.auth_method AS "authMethod"`,
);

export const purgeSignInChallenges = deletingExpired('second_factor_challenges', 'challenge_hash', 'expires_at', [
  'expires_at < now()',
]);

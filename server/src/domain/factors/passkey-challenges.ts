/**
 * Challenges of passkeys (contract, account.md, "Passkeys"): the options of a ceremony, and the table
 * `passkey_challenges`. A challenge is stored by its hash, and works once, for its purpose and its person.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Refusal } from '../../kernel/errors.ts';
import { randomSecret, sha256 } from '../../kernel/secrets.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import type { RelyingParty } from '../access/deps.ts';
import { isTransport, preloadVerifier, signatureAlgorithms } from './passkey-verification.ts';
import type { CredentialDescriptorRow } from './passkeys-store.ts';

/** What a challenge may be used for. */
type Purpose = 'register' | 'sign_in' | 'reauthenticate';

/** A challenge, and for whom it was issued. */
export interface IssuedChallenge {
  readonly challenge: string;
  readonly purpose: Purpose;
  /** The signed-in person; null for a sign-in. */
  readonly userId: string | null;
}

/** The source object of the GraphQL type PasskeyOptions. */
export interface PasskeyOptions {
  readonly expiresAt: Date;
  /** JSON text of PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON. */
  readonly publicKey: string;
}

const lifeSeconds = 300;

/**
 * Options of an assertion.
 * @param allowed the passkeys of the person; empty lets the authenticator offer those that it has
 */
export const beginAssertion = async (
  queryable: Pick<Queryable, 'one'>,
  relyingParty: RelyingParty,
  issued: Omit<IssuedChallenge, 'challenge'>,
  allowed: readonly CredentialDescriptorRow[],
): Promise<PasskeyOptions> => {
  const { challenge, expiresAt } = await issueChallenge(queryable, issued);
  const options: PublicKeyCredentialRequestOptionsJSON = {
    challenge,
    timeout: lifeSeconds * 1000,
    rpId: relyingParty.id,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: 'required',
  };
  return { expiresAt, publicKey: JSON.stringify(options) };
};

/** The person whose passkey is created. */
interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly userHandle: Buffer;
}

/**
 * Options of a registration.
 * @param existing the passkeys of the person: their authenticators refuse to create another
 * @param title of the service, as authenticators show it
 */
export const beginRegistration = async (
  queryable: Pick<Queryable, 'one'>,
  { relyingParty, title }: { readonly relyingParty: RelyingParty; readonly title: string },
  owner: PasskeyOwner,
  existing: readonly CredentialDescriptorRow[],
): Promise<PasskeyOptions> => {
  const { challenge, expiresAt } = await issueChallenge(queryable, { purpose: 'register', userId: owner.id });
  const options: PublicKeyCredentialCreationOptionsJSON = {
    rp: { id: relyingParty.id, name: title },
    user: { id: owner.userHandle.toString('base64url'), name: owner.email, displayName: owner.name },
    challenge,
    pubKeyCredParams: signatureAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: lifeSeconds * 1000,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
  return { expiresAt, publicKey: JSON.stringify(options) };
};

type Descriptor = NonNullable<PublicKeyCredentialRequestOptionsJSON['allowCredentials']>[number];

const descriptorOf = ({ credentialId, transports }: CredentialDescriptorRow): Descriptor => ({
  id: credentialId.toString('base64url'),
  type: 'public-key',
  // Stored by `passkey-verification.ts`, which keeps the known ones alone.
  transports: transports.filter(isTransport),
});

const issueChallenge = async (
  queryable: Pick<Queryable, 'one'>,
  { purpose, userId }: Omit<IssuedChallenge, 'challenge'>,
): Promise<{ readonly challenge: string; readonly expiresAt: Date }> => {
  // The answer to these options needs it.
  preloadVerifier();
  const challenge = randomSecret();
  const { expiresAt } = await queryable.one(insertChallenge, [sha256(challenge), purpose, userId, lifeSeconds]);
  return { challenge, expiresAt };
};

/**
 * Requires that a challenge is open, before anything is verified. The transaction that acts on the answer consumes it
 * with {@link consumePasskeyChallenge}.
 * @throws Refusal CHALLENGE_REFUSED: unknown, used, expired, or issued for another purpose or person
 */
export const requirePasskeyChallenge = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  issued: IssuedChallenge,
): Promise<void> => {
  if ((await queryable.maybeOne(findChallenge, keyOf(issued))) === null) throw challengeRefused();
};

/**
 * Consumes a challenge: this statement decides which of several answers to it counts.
 * @throws Refusal as {@link requirePasskeyChallenge}
 */
export const consumePasskeyChallenge = async (transaction: Transaction, issued: IssuedChallenge): Promise<void> => {
  if ((await transaction.execute(deleteChallenge, keyOf(issued))) === 0) throw challengeRefused();
};

type ChallengeKey = [challengeHash: Buffer, purpose: Purpose, userId: string | null];

const keyOf = ({ challenge, purpose, userId }: IssuedChallenge): ChallengeKey => [sha256(challenge), purpose, userId];

const challengeRefused = (): Refusal =>
  new Refusal('CHALLENGE_REFUSED', 'This took too long, or was answered already. Try again.');

const insertChallenge = statement<
  { readonly expiresAt: Date },
  [challengeHash: Buffer, purpose: Purpose, userId: string | null, lifeSeconds: number]
>(
  'passkey_challenges.insert',
  `INSERT INTO passkey_challenges (challenge_hash, purpose, user_id, expires_at)
   VALUES ($1, $2, $3, now() + $4::integer * interval '1 second') RETURNING expires_at AS "expiresAt"`,
);

const openChallenge = `FROM passkey_challenges
   WHERE challenge_hash = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3 AND expires_at > now()`;

const findChallenge = statement<{ readonly purpose: Purpose }, ChallengeKey>(
  'passkey_challenges.find',
  `SELECT purpose ${openChallenge}`,
);

const deleteChallenge = statement<unknown, ChallengeKey>('passkey_challenges.delete', `DELETE ${openChallenge}`);

export const purgePasskeyChallenges = deletingExpired('passkey_challenges', 'challenge_hash', 'expires_at', [
  'expires_at < now()',
]);

/**
 * Challenges of passkeys (contract/account.md#challenge-of-a-passkey): the options of a ceremony, and the table
 * `passkey_challenges`. A challenge is stored by its hash, and works once, for its purpose and its person.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Refusal } from '../../kernel/errors.ts';
import { randomSecret, sha256 } from '../../kernel/secrets.ts';
import { type Queryable, statement, type Transaction } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import type { RelyingParty } from '../access/deps.ts';
import { isTransport, preloadVerifier, signatureAlgorithms, type VerifiedReport } from './passkey-verification.ts';
import type { CredentialDescriptorRow } from './passkeys-store.ts';

/** The use that a challenge is for. */
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

export const passkeyChallengeSeconds = 300;

/** Options of an assertion. @param allowed the person's passkeys; empty: the authenticator offers those that it has */
export const beginAssertion = async (
  queryable: Pick<Queryable, 'one'>,
  relyingParty: RelyingParty,
  issued: Omit<IssuedChallenge, 'challenge'>,
  allowed: readonly CredentialDescriptorRow[],
): Promise<PasskeyOptions> => {
  const { challenge, expiresAt } = await issueChallenge(queryable, issued);
  const options: PublicKeyCredentialRequestOptionsJSON = {
    challenge,
    timeout: passkeyChallengeSeconds * 1000,
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
 * @param existing the person's passkeys, whose authenticators refuse
 * @param title as shown
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
    timeout: passkeyChallengeSeconds * 1000,
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
  const { expiresAt } = await queryable.one(insertChallenge, [
    sha256(challenge),
    purpose,
    userId,
    passkeyChallengeSeconds,
  ]);
  return { challenge, expiresAt };
};

/**
 * Requires an open challenge before anything is verified; {@link consumePasskeyChallenge} consumes it later.
 * @throws Refusal CHALLENGE_REFUSED: unknown, used, expired, or issued for another purpose or person
 */
export const requirePasskeyChallenge = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  issued: IssuedChallenge,
): Promise<void> => {
  if ((await queryable.maybeOne(findChallenge, keyOf(issued))) === null) throw challengeRefused();
};

/** Decides which of several answers to a challenge counts. @throws Refusal as {@link requirePasskeyChallenge} */
export const consumePasskeyChallenge = async (transaction: Transaction, issued: IssuedChallenge): Promise<void> => {
  if ((await transaction.execute(deleteChallenge, keyOf(issued))) === 0) throw challengeRefused();
};

/**
 * The passkey of an assertion with an open challenge, before anything is verified; {@link consumeWithUse} consumes it.
 * @returns null for an unknown passkey
 * @throws Refusal as {@link requirePasskeyChallenge}
 */
export const findPresentedPasskey = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  issued: IssuedChallenge,
  credentialId: Buffer,
  relyingPartyId: string,
): Promise<PresentedPasskeyRow | null> => {
  const row = await queryable.maybeOne(findPresented, [...keyOf(issued), credentialId, relyingPartyId]);
  if (row === null) throw challengeRefused();
  return row.id === null ? null : row;
};

/**
 * {@link consumePasskeyChallenge}, and the note of the passkey's use, without which it must not be committed.
 * @returns false when the counter does not exceed the stored one, the backup eligibility is another, or it is gone
 * @throws Refusal as {@link requirePasskeyChallenge}
 */
export const consumeWithUse = async (
  transaction: Transaction,
  issued: IssuedChallenge,
  { passkeyId, signatureCounter, isBackupEligible, isBackedUp }: VerifiedReport & { readonly passkeyId: string },
): Promise<boolean> => {
  const params = [...keyOf(issued), passkeyId, signatureCounter, isBackedUp, isBackupEligible] as const;
  const { isConsumed, isNoted } = await transaction.one(consumeAndNote, params);
  if (!isConsumed) throw challengeRefused();
  return isNoted;
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

/** The columns that the verification of an assertion needs. */
export interface PresentedPasskeyRow {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly userHandle: Buffer | null;
  readonly isUnverified: boolean;
  readonly isSuspended: boolean;
  readonly publicKey: Buffer;
  readonly signatureCounter: number;
  /** Null where it is not known yet. */
  readonly isBackupEligible: boolean | null;
}

/** That of a passkey; where none is stored, it follows from a backup alone. @param prefix of the columns */
const backupEligibility = (prefix: string): string =>
  `coalesce(${prefix}is_backup_eligible, nullif(${prefix}is_backed_up, false))`;

/** The passkey of an open challenge: without an id for an unknown passkey; no row where none is open. */
const findPresented = statement<
  PresentedPasskeyRow | { readonly id: null },
  [...ChallengeKey, credentialId: Buffer, relyingPartyId: string]
>(
  'passkey_challenges.find_presented',
  `WITH challenge AS MATERIALIZED (SELECT 1 ${openChallenge})
   SELECT p.id, p.user_id AS "userId", u.email, u.passkey_user_handle AS "userHandle",
     u.email_validation_token_hash IS NOT NULL AS "isUnverified", u.suspended_at IS NOT NULL AS "isSuspended",
     p.public_key AS "publicKey", p.signature_counter AS "signatureCounter", ${backupEligibility('p.')} AS "isBackupEligible"
   FROM challenge LEFT JOIN (passkeys p JOIN users u ON u.id = p.user_id)
     ON p.credential_id = $4 AND p.relying_party_id = $5`,
);

/**
 * The update decides between two uses with one signature counter, of which one is a copy's; always 0 is not maintained
 * (WebAuthn level 3, section 6.1.1). Neither part reads the other: an update that waited would evaluate it again.
 */
const consumeAndNote = statement<
  { readonly isConsumed: boolean; readonly isNoted: boolean },
  readonly [
    ...ChallengeKey,
    passkeyId: string,
    signatureCounter: number,
    isBackedUp: boolean,
    isBackupEligible: boolean,
  ]
>(
  'passkey_challenges.consume_and_note',
  `WITH consumed AS (DELETE ${openChallenge} RETURNING 1),
   noted AS (
     UPDATE passkeys SET signature_counter = $5::bigint, is_backed_up = $6, is_backup_eligible = $7, last_used_at = now()
     WHERE id = $4 AND (signature_counter < $5::bigint OR (signature_counter = 0 AND $5::bigint = 0))
       AND coalesce(${backupEligibility('')}, $7) = $7
     RETURNING 1)
   SELECT EXISTS (SELECT FROM consumed) AS "isConsumed", EXISTS (SELECT FROM noted) AS "isNoted"`,
);

export const purgePasskeyChallenges = deletingExpired('passkey_challenges', 'challenge_hash', 'expires_at', [
  'expires_at < now()',
]);

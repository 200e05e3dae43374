/** The proof by a passkey that its owner is present, at a sign-in or in a session, with a sign-in's rate limits. */
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type Permit, refundPermits } from '../../platform/rate-limit/rate-limits.ts';
import type { Deps, RelyingParty, Settings } from '../access/deps.ts';
import {
  consumeWithUse,
  findPresentedPasskey,
  type IssuedChallenge,
  type PresentedPasskeyRow,
} from './passkey-challenges.ts';
import {
  type AssertionAnswer,
  readAssertion,
  VerificationFailed,
  type VerifiedReport,
  verifyAssertion,
} from './passkey-verification.ts';
import { findOwnPasskey } from './passkeys-store.ts';

export type PasskeyProofDeps = Deps<'database' | 'limits' | 'logger'> & Settings<'relyingParty'>;

/** An assertion, and where it is presented. */
interface PresentedAssertion extends Pick<IssuedChallenge, 'userId'> {
  readonly purpose: 'sign_in' | 'reauthenticate';
  /** JSON text of AuthenticationResponseJSON. */
  readonly text: string;
  /** The input field that the text came in. */
  readonly field: string;
  /** The caller's address; null when unknown. */
  readonly ip: string | null;
}

/** A verified assertion. */
export interface PasskeyProof {
  readonly owner: Pick<PresentedPasskeyRow, 'userId' | 'email' | 'isUnverified' | 'isSuspended'>;
  /**
   * Consumes the challenge and notes the use, in a transaction that holds the user's row.
   * @throws Refusal CHALLENGE_REFUSED: another answer was first; INVALID_CREDENTIALS: the passkey was removed or used
   *   meanwhile, or its backup eligibility noted as another
   */
  readonly confirm: (transaction: Transaction) => Promise<void>;
}

/**
 * Verifies an assertion; only INVALID_CREDENTIALS keeps the permits.
 * @throws Refusal BAD_USER_INPUT: no AuthenticationResponseJSON; CHALLENGE_REFUSED: as {@link requirePasskeyChallenge};
 *   INVALID_CREDENTIALS: else wrong; RATE_LIMITED
 */
export const provePasskey = async (deps: PasskeyProofDeps, presented: PresentedAssertion): Promise<PasskeyProof> => {
  const answer = readAssertion(presented.text);
  if (answer === null) throw invalidInput({ [presented.field]: 'This is not the answer of a passkey.' });
  const { relyingParty } = deps.settings;
  if (relyingParty === null) throw wrongPasskey('relying_party');
  const permits = await NetworkPermits.consume(deps, presented.ip);
  try {
    const proof = await verify(deps, relyingParty, { ...presented, answer, permits });
    await permits.refund();
    return proof;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'INVALID_CREDENTIALS')) await permits.refund();
    throw error;
  }
};

interface ReadAssertion extends PresentedAssertion {
  readonly answer: AssertionAnswer;
  readonly permits: NetworkPermits;
}

const verify = async (
  deps: PasskeyProofDeps,
  relyingParty: RelyingParty,
  { answer, permits, ...presented }: ReadAssertion,
): Promise<PasskeyProof> => {
  const issued = { challenge: answer.clientData.challenge, purpose: presented.purpose, userId: presented.userId };
  const credentialId = Buffer.from(answer.credential.id, 'base64url');
  const passkey = await findPresentedPasskey(deps.database, issued, credentialId, relyingParty.id);
  const refuse = (detail: string): Refusal => refused(deps, passkey, presented, detail);
  if (passkey === null) throw refuse('credential');
  await permits.consumeOfAccount(passkey.userId);
  if (!isOwner(passkey, answer, presented)) throw refuse('user_handle');
  const assertion = await verifyAssertion(relyingParty, answer, passkey.publicKey).catch((error: unknown) => {
    throw error instanceof VerificationFailed ? refuse(error.failure) : error;
  });
  if (isCopied(passkey, assertion)) throw refuse('counter');
  if (!isOfSameKind(passkey, assertion)) throw refuse('backup_eligibility');
  const confirm = async (transaction: Transaction): Promise<void> => {
    if (await consumeWithUse(transaction, issued, { ...assertion, passkeyId: passkey.id })) return;
    const isThere = (await transaction.maybeOne(findOwnPasskey, [passkey.id, passkey.userId])) !== null;
    throw refuse(isThere ? 'counter' : 'credential');
  };
  return { owner: passkey, confirm };
};

/** WebAuthn level 3, 7.2, step 6: the handle is required at a sign-in, and checked if present in a session. */
const isOwner = (
  { userId, userHandle: stored }: PresentedPasskeyRow,
  { credential }: AssertionAnswer,
  presented: Pick<PresentedAssertion, 'purpose' | 'userId'>,
): boolean => {
  const handle = credential.response.userHandle ?? null;
  const isHandle = handle !== null && stored?.equals(Buffer.from(handle, 'base64url')) === true;
  if (presented.purpose === 'sign_in') return isHandle;
  return presented.userId === userId && (handle === null || isHandle);
};

/** WebAuthn level 3, section 6.1.1. */
const isCopied = ({ signatureCounter: stored }: PresentedPasskeyRow, { signatureCounter }: VerifiedReport): boolean =>
  (stored > 0 || signatureCounter > 0) && signatureCounter <= stored;

/** WebAuthn level 3, sections 6.1.3 and 7.2: the backup eligibility of a credential never changes. */
const isOfSameKind = (
  { isBackupEligible: stored }: PresentedPasskeyRow,
  { isBackupEligible }: VerifiedReport,
): boolean => stored === null || stored === isBackupEligible;

const refused = (
  { logger }: PasskeyProofDeps,
  passkey: PresentedPasskeyRow | null,
  { ip }: Pick<PresentedAssertion, 'ip'>,
  detail: string,
): Refusal => {
  const userId = passkey?.userId ?? null;
  const refusal = wrongPasskey(detail, userId);
  const line = { event: 'auth.sign_in_refused', code: refusal.code, userId, method: 'passkey', detail, ip } as const;
  logger.info(line, 'A passkey was refused');
  if (detail === 'counter' && passkey !== null) {
    const copied = { event: 'auth.passkey_copied', userId, passkeyId: passkey.id, ip } as const;
    logger.warn(copied, 'The signature counter of a passkey went back: there may be a copy of it');
  }
  return refusal;
};

const wrongPasskey = (detail: string, userId: string | null = null): Refusal =>
  new Refusal('INVALID_CREDENTIALS', 'This passkey was not accepted.', { detail, userId });

/** The permits of one use, which a use that does not fail refunds. */
class NetworkPermits {
  readonly #deps: PasskeyProofDeps;
  readonly #network: string;
  readonly #refundable: Permit[];

  private constructor(deps: PasskeyProofDeps, network: string, refundable: Permit[]) {
    this.#deps = deps;
    this.#network = network;
    this.#refundable = refundable;
  }

  /** @throws Refusal RATE_LIMITED: none is consumed then */
  static async consume(deps: PasskeyProofDeps, ip: string | null): Promise<NetworkPermits> {
    const subject = networkOf(ip ?? 'unknown');
    const failure = { limit: rateLimits.passkeyFailures, subject };
    // The first one is not refunded: a verification costs the same when it succeeds.
    await deps.limits.consumeAll([{ limit: rateLimits.passkey, subject }, failure]);
    return new NetworkPermits(deps, subject, [failure]);
  }

  /** @throws Refusal RATE_LIMITED */
  async consumeOfAccount(userId: string): Promise<void> {
    const permit = { limit: rateLimits.passkeyAccount, subject: [userId, this.#network] };
    await this.#deps.limits.consume(permit.limit, permit.subject);
    this.#refundable.push(permit);
  }

  /** Never throws. */
  refund(): Promise<void> {
    return refundPermits(this.#deps, this.#refundable);
  }
}

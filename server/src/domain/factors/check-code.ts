/** Accepts one-time and recovery codes, each once, with limits; SQL of `totp_secrets` and `recovery_codes`. */
import { Refusal } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { databaseNow, statement, type Transaction } from '../../platform/database/database.ts';
import { type RateLimit, rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type Permit, refundPermits } from '../../platform/rate-limit/rate-limits.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { getAddressee } from '../users/users-store.ts';
import { hashRecoveryCode, isOneTimeCode, timeStepOf, typedCode } from './codes.ts';
import { findOneTimeCodes } from './second-factors.ts';

export type CodeDeps = MailDeps & Deps<'keyring' | 'limits' | 'logger'>;

/** @param userId whose account it was for, where it matters */
export const wrongCode = (userId: string | null = null): Refusal =>
  new Refusal('INVALID_CREDENTIALS', 'The code is wrong, or it was used already.', { userId });

// The secret of one-time codes: sealed and bound to its user.

const sealPurpose = 'totp secret';

export const sealTotpSecret = (keyring: Keyring, userId: string, secret: string): Buffer =>
  keyring.seal(sealPurpose, userId, secret);

/** Null when the value was not sealed here, or not for this user. */
export const openTotpSecret = (keyring: Keyring, userId: string, sealed: Buffer): string | null =>
  keyring.open(sealPurpose, userId, sealed);

/**
 * Accepts a one-time code of a later time step, or a recovery code, each once; the caller holds the user's row.
 * @throws Refusal INVALID_CREDENTIALS: wrong or used; the transaction must not commit
 */
export const acceptCode = async (
  deps: CodeDeps,
  transaction: Transaction,
  userId: string,
  typed: string,
): Promise<void> => {
  const code = typedCode(typed);
  const accept = isOneTimeCode(code) ? acceptOneTimeCode : acceptRecoveryCode;
  if (!(await accept(deps, transaction, userId, code))) throw wrongCode(userId);
};

const acceptOneTimeCode = async (
  { keyring, logger }: CodeDeps,
  transaction: Transaction,
  userId: string,
  code: string,
): Promise<boolean> => {
  const row = await transaction.maybeOne(findTotpSecret, [userId]);
  if (row === null) return false;
  const secret = openTotpSecret(keyring, userId, row.sealedSecret);
  if (secret === null) {
    logger.error({ event: 'auth.totp_unreadable', userId }, 'A secret of one-time codes cannot be decrypted');
    return false;
  }
  const step = timeStepOf(secret, code, await databaseNow(transaction));
  if (step === null) return false;
  // Sealed again, so that a rotation of GATEHOUSE_SECRET reaches every secret that is in use.
  const resealed = sealTotpSecret(keyring, userId, secret);
  return (await transaction.execute(acceptStep, [userId, row.sealedSecret, step, resealed])) === 1;
};

const acceptRecoveryCode = async (
  { mail, logger, settings }: CodeDeps,
  transaction: Transaction,
  userId: string,
  code: string,
): Promise<boolean> => {
  const used = await transaction.maybeOne(useRecoveryCode, [userId, hashRecoveryCode(code)]);
  if (used === null) return false;
  const { recoveryCodesLeft: left } = await transaction.one(findOneTimeCodes, [userId]);
  const { email: to, name } = await transaction.one(getAddressee, [userId]);
  const links = [`${settings.frontendUrl}/account/security`] as const;
  await mail.enqueue(transaction, { mail: 'recoveryCodeUsed', to, values: { name, at: used.at, left }, links });
  transaction.afterCommit(() =>
    logger.info({ event: 'auth.recovery_code_used', userId, left }, 'A person used a recovery code'),
  );
  return true;
};

const findTotpSecret = statement<{ readonly sealedSecret: Buffer }, [userId: string]>(
  'totp_secrets.find',
  'SELECT sealed_secret AS "sealedSecret" FROM totp_secrets WHERE user_id = $1',
);

/** This statement decides whether a step is accepted: only a later one than the last, and of this very secret. */
const acceptStep = statement<unknown, [userId: string, sealedSecret: Buffer, step: number, resealedSecret: Buffer]>(
  'totp_secrets.accept_step',
  `UPDATE totp_secrets SET last_step = $3, sealed_secret = $4
   WHERE user_id = $1 AND sealed_secret = $2 AND last_step < $3`,
);

/** Uses a recovery code; no row when it is unknown or used. */
const useRecoveryCode = statement<{ readonly at: Date }, [userId: string, codeHash: Buffer]>(
  'recovery_codes.use',
  `UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL
   RETURNING used_at AS at`,
);

// A wrong code counts for the network, a wrong one-time code for the account too. Recovery codes cannot be guessed, and
// have no limit of the account, which others could use up.

/** Who presents a code, and where. */
export interface PresentedCode {
  readonly userId: string;
  readonly code: string;
  /** The caller's address; null when unknown. */
  readonly ip: string | null;
  /** The browser's device id, if the user signed in from it recently; it shares no limit with its network. */
  readonly deviceId: string | null;
}

/**
 * Runs work that checks a code; only a wrong code keeps its permits.
 * @param limit of wrong one-time codes
 * @throws Refusal RATE_LIMITED: before the work
 */
export const withCodePermits = async <Result>(
  deps: Deps<'limits' | 'logger'>,
  presented: PresentedCode,
  work: () => Promise<Result>,
  limit: RateLimit = rateLimits.oneTimeCode,
): Promise<Result> => {
  const permits = permitsOf(presented, limit);
  if (permits.length > 0) await deps.limits.consumeAll(permits);
  try {
    const result = await work();
    await refundPermits(deps, permits);
    return result;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'INVALID_CREDENTIALS')) await refundPermits(deps, permits);
    throw error;
  }
};

const permitsOf = ({ userId, code, ip, deviceId }: PresentedCode, limit: RateLimit): readonly Permit[] => [
  ...(deviceId === null ? [{ limit: rateLimits.signInFailures, subject: networkOf(ip ?? 'unknown') }] : []),
  ...(isOneTimeCode(typedCode(code)) ? [{ limit, subject: userId }] : []),
];

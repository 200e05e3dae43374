/**
 * How a sign-up ends that was never confirmed: rejected by the owner of the address, or abandoned. The account goes with
 * its default organization; invitations of the address stay open, and the address is free again.
 */
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { addressDigest } from './address-digest.ts';
import {
  deleteOwnOrganizations,
  deleteUninvited,
  forgetSignUps,
  keepMailPause,
  lockAbandoned,
  lockRejectable,
} from './unconfirmed-sign-ups-store.ts';
import { isWellFormedValidationToken } from './validation-token.ts';

export interface RejectSignUpDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly logger: Logger;
}

/**
 * Operation rejectSignUp (contract, "E-mail verification"): deletes the unverified account whose newest mail has this
 * token, which may have expired. The hour between mails to the address goes on.
 * @param token raw, 64 hex characters; any other text answers false without a look-up
 * @returns whether there was such an account
 */
export const rejectSignUp = async (deps: RejectSignUpDeps, token: string): Promise<boolean> => {
  if (!isWellFormedValidationToken(token)) return false;
  return deps.database.transaction((transaction) => reject(deps, transaction, sha256(token)));
};

const reject = async (
  { keyring, logger }: RejectSignUpDeps,
  transaction: Transaction,
  tokenHash: Buffer,
): Promise<boolean> => {
  const account = await transaction.maybeOne(lockRejectable, [tokenHash]);
  if (account === null) return false;
  await transaction.execute(keepMailPause, [account.id, addressDigest(keyring, account.email)]);
  await endSignUps(transaction, [account.id]);
  transaction.afterCommit(() =>
    logger.info(
      { event: 'auth.sign_up_rejected', userId: account.id },
      'The owner of an address rejected a sign-up, and the account was deleted',
    ),
  );
  return true;
};

/**
 * Deletes accounts that were never verified and whose last link expired 7 days ago, at most as many as fit one batch.
 * @returns how many
 */
export const deleteAbandonedSignUps = (database: Pick<Database, 'transaction'>): Promise<number> =>
  database.transaction(async (transaction) => {
    const abandoned = await transaction.many(lockAbandoned, []);
    const ids = abandoned.map(({ id }) => id);
    if (ids.length > 0) await endSignUps(transaction, ids);
    return ids.length;
  });

/** The caller holds the rows. Statements of their own: they see an invitation that was committed before the lock. */
const endSignUps = async (transaction: Transaction, userIds: readonly string[]): Promise<void> => {
  await transaction.execute(deleteOwnOrganizations, [userIds]);
  await transaction.execute(forgetSignUps, [userIds]);
  await transaction.execute(deleteUninvited, [userIds]);
};

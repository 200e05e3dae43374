/**
 * Operations of the operator's shell on one account (contract/account.md#operators-shell): a new password for a person
 * who forgot theirs, and the removal of second factors for one who lost them. No surface reaches them.
 */
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { generatedPassword } from '../accounts/create-account.ts';
import { endUnredeemedCodes, lockUser } from '../credentials/credentials-store.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { forgetSecondFactor } from '../credentials/sessions-store.ts';
import { settlePassword } from '../factors/former-authenticators.ts';
import { type RemovedFactors, removeFactors } from '../factors/remove-factors.ts';
import {
  findOwnerOfAddress,
  getSignInMethods,
  overwritePasswordHash,
  type SignInMethods,
} from '../users/accounts-store.ts';
import { endRequestedChange } from '../users/email-changes-store.ts';
import { normalizeEmail } from '../users/text-rules.ts';
import { bumpCredentialsRevision, lockUserRow } from '../users/users-store.ts';

interface SetPassword {
  /** Raw: kept nowhere else. */
  readonly password: string;
  readonly revokedCredentials: number;
  /** The address was never verified, so the person must confirm it before they sign in. */
  readonly isUnverified: boolean;
}

/**
 * Gives an account a generated password. The person's sessions, clients, codes and requested change of address end, and
 * a mail without the password tells them.
 * @returns null, with nothing changed, when no account has the address
 */
export const setPasswordByOperator = async (
  deps: Deps<'database' | 'logger' | 'passwords'> & MailDeps,
  typed: string,
): Promise<SetPassword | null> => {
  const email = normalizeEmail(typed);
  // Checked before the hash; decided below.
  if ((await deps.database.maybeOne(findOwnerOfAddress, [email])) === null) return null;
  const password = generatedPassword();
  const passwordHash = await deps.passwords.hash(password);
  return deps.database.transaction(async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (account === null) return null;
    const { id: userId, isUnverified } = account;
    await transaction.execute(bumpCredentialsRevision, [userId]);
    const { revokedCredentials } = await revokeAllOfUser(transaction, userId, 'password_set_by_operator');
    await transaction.execute(endUnredeemedCodes, [userId]);
    await transaction.execute(endRequestedChange, [userId]);
    await transaction.execute(overwritePasswordHash, [userId, passwordHash]);
    await transaction.execute(settlePassword, [userId]);
    await tell(deps, transaction, { ...account, email }, 'passwordSetByOperator', '/signin');
    const line = { event: 'auth.password_set_by_operator', userId, revoked: revokedCredentials } as const;
    transaction.afterCommit(() => deps.logger.warn(line, 'An operator set a new password for an account'));
    return { password, revokedCredentials, isUnverified };
  });
};

interface RemovedSecondFactor extends RemovedFactors {
  /** Whether the person can still sign in, with a password or a provider. */
  readonly canSignIn: boolean;
}

/**
 * Removes all second factors, those of sessions too: one may be on the lost device. A mail tells the person.
 * @returns null, with nothing changed, when no account has the address
 */
export const removeSecondFactorByOperator = (
  deps: Deps<'database' | 'logger'> & MailDeps,
  typed: string,
): Promise<RemovedSecondFactor | null> => {
  const email = normalizeEmail(typed);
  return deps.database.transaction(async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (account === null) return null;
    const removed = await removeFactors(transaction, account.id, null);
    await transaction.maybeOne(lockUser, [account.id]);
    await transaction.execute(forgetSecondFactor, [account.id]);
    if (removed.passkeys > 0 || removed.oneTimeCodes) {
      await tell(deps, transaction, { ...account, email }, 'secondFactorRemoved', '/account/security');
      const line = { event: 'auth.second_factor_removed_by_operator', userId: account.id, ...removed } as const;
      transaction.afterCommit(() => deps.logger.warn(line, 'An operator removed the second factors of an account'));
    }
    return { ...removed, canSignIn: account.hasPassword || account.hasIdentity };
  });
};

/** The account of an address, whose row is held; null when there is none, or it has just got another address. */
const lockAccount = async (transaction: Transaction, email: string): Promise<SignInMethods | null> => {
  const found = await transaction.maybeOne(findOwnerOfAddress, [email]);
  if (found === null) return null;
  await transaction.maybeOne(lockUserRow, [found.id]);
  const now = await transaction.maybeOne(findOwnerOfAddress, [email]);
  return now?.id === found.id ? transaction.one(getSignInMethods, [found.id]) : null;
};

/** Queues a mail that tells the person of the change. @param page of the portal to which it links */
const tell = async (
  { mail: mails, settings }: MailDeps,
  transaction: Transaction,
  { email, name }: Pick<SignInMethods, 'name'> & { readonly email: string },
  mail: 'passwordSetByOperator' | 'secondFactorRemoved',
  page: string,
): Promise<void> => {
  const at = await databaseNow(transaction);
  await mails.enqueue(transaction, {
    mail,
    to: email,
    values: { name, at },
    links: [`${settings.frontendUrl}${page}`],
  });
};

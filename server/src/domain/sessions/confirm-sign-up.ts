/**
 * Operation confirmSignUp: a verification link in another browser than that of the sign-up takes the password too, so
 * that no owner of an address activates another person's password (decision 0029).
 */
import { sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { MailDeps } from '../access/deps.ts';
import { findUnconfirmed } from '../accounts/unconfirmed-sign-ups-store.ts';
import { type EmailValidationStatus, isWellFormedValidationToken, renewDeadToken } from '../accounts/verify-email.ts';
import type { ActorPair } from '../credentials/issue-pair.ts';
import { authenticatedNow, beginSession, type SignInContext } from '../credentials/issue-pair.ts';
import { type AccountRow, accountSuspended, consumeValidationToken } from '../users/users-store.ts';
import { proveAccount, type SignInDeps } from './sign-in.ts';

type ConfirmSignUpDeps = SignInDeps & MailDeps;

interface ConfirmSignUpInput extends SignInContext {
  /** Raw, from the link. */
  readonly token: string;
  readonly password: string;
}

/** Has a pair exactly when the address was verified. */
type SignUpConfirmation =
  | { readonly status: 'VERIFIED'; readonly email: string; readonly pair: ActorPair }
  | { readonly status: Exclude<EmailValidationStatus, 'VERIFIED'> };

/**
 * Confirms a sign-up, with one hash; a token that is not open returns the same as validateEmail, without one.
 * @throws Refusal INVALID_CREDENTIALS: the link stays valid; RATE_LIMITED; ACCOUNT_SUSPENDED: after the right password
 */
export const confirmSignUp = (deps: ConfirmSignUpDeps, input: ConfirmSignUpInput): Promise<SignUpConfirmation> =>
  deps.signIns.attempt({ method: 'password', ...input.caller }, () => confirmWithPassword(deps, input));

const confirmWithPassword = async (deps: ConfirmSignUpDeps, input: ConfirmSignUpInput): Promise<SignUpConfirmation> => {
  if (!isWellFormedValidationToken(input.token)) return { status: 'INVALID' };
  const found = await deps.database.maybeOne(findUnconfirmed, [sha256(input.token)]);
  if (found === null || !found.isOpen) {
    return deps.database.transaction((transaction) => renew(deps, transaction, input.token));
  }
  const account = await proveAccount(deps, { ...input, email: found.email, deviceId: null });
  return deps.database.transaction((transaction) => confirm(deps, transaction, input, { ...account, ...found }));
};

/** Requires that the password belongs to the account that the token verifies; otherwise nothing is verified. */
const confirm = async (
  deps: ConfirmSignUpDeps,
  transaction: Transaction,
  { token, ...signInContext }: ConfirmSignUpInput,
  { id: userId, email, passwordHash }: AccountRow & { readonly email: string },
): Promise<SignUpConfirmation> => {
  if ((await transaction.maybeOne(consumeValidationToken, [sha256(token), userId, passwordHash])) === null) {
    return renew(deps, transaction, token);
  }
  const proven = { userId, authMethod: 'password', authentication: authenticatedNow };
  const pair = await beginSession(transaction, deps.lifetimes, proven, signInContext);
  // Suspended since the password was checked: the address stays unverified.
  if (pair === null) throw accountSuspended(userId);
  transaction.afterCommit(() =>
    deps.logger.info({ event: 'auth.sign_in', userId, method: 'password' }, 'A person signed in'),
  );
  return { status: 'VERIFIED', email, pair };
};

const renew = async (
  deps: ConfirmSignUpDeps,
  transaction: Transaction,
  token: string,
): Promise<SignUpConfirmation> => ({ status: await renewDeadToken(deps, transaction, token) });

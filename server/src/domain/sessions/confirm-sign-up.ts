/**
 * Operation confirmSignUp: a verification link, opened in another browser than the one that signed up. It confirms the
 * address only together with the password that was chosen, and signs in. So the owner of an address that a stranger
 * signed up with does not activate the stranger's password (decision 0029).
 */
import { sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import { findUnconfirmed } from '../accounts/unconfirmed-sign-ups-store.ts';
import { type EmailValidationStatus, isWellFormedValidationToken, renewDeadToken } from '../accounts/verify-email.ts';
import type { HeldPair } from '../credentials/issue-pair.ts';
import { beginSession, type SignInContext } from '../credentials/issue-pair.ts';
import { type AccountRow, consumeValidationToken } from '../users/users-store.ts';
import { proveAccount, type SignInDeps } from './sign-in.ts';

export interface ConfirmSignUpDeps extends SignInDeps {
  readonly mail: MailQueue;
  readonly settings: SignInDeps['settings'] & { readonly frontendUrl: string };
}

export interface ConfirmSignUpInput extends SignInContext {
  /** Raw, from the link. */
  readonly token: string;
  readonly password: string;
}

/** With a pair exactly when the address was verified. */
export type SignUpConfirmation =
  | { readonly status: 'VERIFIED'; readonly email: string; readonly pair: HeldPair }
  | { readonly status: Exclude<EmailValidationStatus, 'VERIFIED'> };

/**
 * One hash, and none for a token that is not open: that one answers as validateEmail does.
 * @throws Refusal INVALID_CREDENTIALS for a wrong password, after which the link is as good as before; RATE_LIMITED, with
 *   the permits of a sign-in at the address
 */
export const confirmSignUp = async (
  deps: ConfirmSignUpDeps,
  input: ConfirmSignUpInput,
): Promise<SignUpConfirmation> => {
  if (!isWellFormedValidationToken(input.token)) return { status: 'INVALID' };
  const found = await deps.database.maybeOne(findUnconfirmed, [sha256(input.token)]);
  if (found === null || !found.isOpen) {
    return deps.database.transaction((transaction) => renew(deps, transaction, input.token));
  }
  const account = await proveAccount(deps, { ...input, email: found.email, deviceId: null });
  return deps.database.transaction((transaction) => confirm(deps, transaction, input, { ...account, ...found }));
};

/** The password belongs to the account that the token verifies, or nothing is verified. */
const confirm = async (
  deps: ConfirmSignUpDeps,
  transaction: Transaction,
  { token, ...signInContext }: ConfirmSignUpInput,
  { id: userId, email, passwordHash }: AccountRow & { readonly email: string },
): Promise<SignUpConfirmation> => {
  if ((await transaction.maybeOne(consumeValidationToken, [sha256(token), userId, passwordHash])) === null) {
    return renew(deps, transaction, token);
  }
  const pair = await beginSession(transaction, deps.lifetimes, { userId, authMethod: 'password' }, signInContext);
  if (pair === null) throw new Error('A person whose address was just verified got no session');
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

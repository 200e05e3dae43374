/** Operation validateEmail (specification, "Email verification"; contract, "E-mail verification"). */
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import { consumeValidationToken, isExpiredValidationToken, renewExpiredValidation } from '../users/users-store.ts';
import { verificationMail } from './mails.ts';
import { isWellFormedValidationToken, newValidationToken } from './validation-token.ts';

export type EmailValidationStatus = 'VERIFIED' | 'EXPIRED_RESENT' | 'EXPIRED' | 'INVALID';

export interface ValidateEmailDeps {
  readonly database: Database;
  readonly mail: MailQueue;
  readonly settings: { readonly frontendUrl: string };
}

/**
 * Verifies an address by the token of its mail, once. An expired token brings a fresh mail, at most one an hour. The
 * portal asks for the password first where the browser is not the one that signed up: see `confirmSignUp`.
 * @param token raw, 64 hex characters; any other text is INVALID without a look-up
 */
export const validateEmail = async (deps: ValidateEmailDeps, token: string): Promise<EmailValidationStatus> => {
  if (!isWellFormedValidationToken(token)) return 'INVALID';
  return deps.database.transaction(async (transaction) => {
    const verified = await transaction.maybeOne(consumeValidationToken, [sha256(token), null, null]);
    return verified === null ? renewDeadToken(deps, transaction, token) : 'VERIFIED';
  });
};

/**
 * What becomes of a token that verifies nothing. An expired one is replaced, when the last mail is over an hour old.
 * @param token raw and well-formed
 */
export const renewDeadToken = async (
  { mail, settings }: Pick<ValidateEmailDeps, 'mail' | 'settings'>,
  transaction: Transaction,
  token: string,
): Promise<Exclude<EmailValidationStatus, 'VERIFIED'>> => {
  const freshToken = newValidationToken();
  const recipient = await transaction.maybeOne(renewExpiredValidation, [sha256(token), sha256(freshToken)]);
  if (recipient !== null) {
    await mail.enqueue(transaction, verificationMail(settings.frontendUrl, recipient, freshToken));
    return 'EXPIRED_RESENT';
  }
  const { expired } = await transaction.one(isExpiredValidationToken, [sha256(token)]);
  return expired ? 'EXPIRED' : 'INVALID';
};

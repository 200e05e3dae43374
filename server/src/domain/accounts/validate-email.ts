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
 * Verifies an address by the token of its mail, once. An expired token brings a fresh mail, at most one an hour.
 * @param token raw, 64 hex characters; any other text is INVALID without a look-up
 */
export const validateEmail = async (deps: ValidateEmailDeps, token: string): Promise<EmailValidationStatus> => {
  if (!isWellFormedValidationToken(token)) return 'INVALID';
  return deps.database.transaction((transaction) => validate(deps, transaction, sha256(token)));
};

const validate = async (
  { mail, settings }: ValidateEmailDeps,
  transaction: Transaction,
  hash: Buffer,
): Promise<EmailValidationStatus> => {
  if ((await transaction.maybeOne(consumeValidationToken, [hash])) !== null) return 'VERIFIED';
  const freshToken = newValidationToken();
  const recipient = await transaction.maybeOne(renewExpiredValidation, [hash, sha256(freshToken)]);
  if (recipient !== null) {
    await mail.enqueue(transaction, verificationMail(settings.frontendUrl, recipient, freshToken));
    return 'EXPIRED_RESENT';
  }
  const { expired } = await transaction.one(isExpiredValidationToken, [hash]);
  return expired ? 'EXPIRED' : 'INVALID';
};

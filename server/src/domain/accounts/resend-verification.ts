/**
 * Operation resendVerification (contract, "Account"): as a repeated sign-up, without a password. The answer and its time
 * are the same for every address, and an address gets at most one mail an hour.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Intervals } from '../../platform/intervals.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { emailReason, mailboxOf, normalizeEmail } from '../users/text-rules.ts';
import { claimRegisteredNotice, renewValidationByEmail } from '../users/users-store.ts';
import { answerLater } from './answer-time.ts';
import { alreadyRegisteredMail, verificationMail } from './mails.ts';
import { newValidationToken } from './validation-token.ts';

interface KnownAddressDeps {
  readonly mail: MailQueue;
  readonly settings: { readonly frontendUrl: string };
}

export interface ResendVerificationDeps extends KnownAddressDeps {
  readonly database: Database;
  readonly limits: RateLimits;
  readonly intervals: Pick<Intervals, 'signUpAnswer'>;
  readonly settings: KnownAddressDeps['settings'] & { readonly emailVerificationEnabled: boolean };
}

/**
 * Queues a fresh verification mail for an unverified address, or the notice of a verified one, when its last mail is over
 * an hour old. An unknown address gets nothing, and no account.
 * @returns whether an e-mail must be confirmed before sign-in: the configuration's answer, never the address's
 * @throws Refusal BAD_USER_INPUT naming email; RATE_LIMITED for a mailbox that one network asks for often, known or not
 */
export const resendVerification = async (
  deps: ResendVerificationDeps,
  input: { readonly email: string; readonly ip: string },
): Promise<{ readonly verificationRequired: boolean }> => {
  const email = normalizeEmail(input.email);
  requireValidInput({ email: emailReason(email) });
  // A network uses up its own permits alone, as at a sign-up.
  await deps.limits.take(rateLimits.resendVerificationMailbox, [mailboxOf(email), networkOf(input.ip)]);
  const verificationRequired = deps.settings.emailVerificationEnabled;
  const address = { email, redirect: null, token: newValidationToken() };
  await answerLater(deps.intervals.signUpAnswer, async () => {
    if (!verificationRequired) return;
    await deps.database.transaction((transaction) => sendToKnownAddress(deps, transaction, address));
  });
  return { verificationRequired };
};

/** What a sign-up with an address that is taken sends to its owner. */
export const sendToKnownAddress = async (
  { mail, settings }: KnownAddressDeps,
  transaction: Transaction,
  { email, redirect, token }: { readonly email: string; readonly redirect: string | null; readonly token: string },
): Promise<void> => {
  const renewed = await transaction.maybeOne(renewValidationByEmail, [email, sha256(token), redirect]);
  if (renewed !== null) return mail.enqueue(transaction, verificationMail(settings.frontendUrl, renewed, token));
  const owner = await transaction.maybeOne(claimRegisteredNotice, [email]);
  if (owner !== null) await mail.enqueue(transaction, alreadyRegisteredMail(settings.frontendUrl, owner));
};

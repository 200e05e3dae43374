/**
 * The verification of an e-mail address: the link's secret, its mails, and the operations that confirm, resend or reject
 * it (specification, "Email verification"; contract, "E-mail verification"; decision 0029).
 */

import { setTimeout as delay } from 'node:timers/promises';
import { requireValidInput } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import { type Keyring, randomHex, sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Intervals } from '../../platform/intervals.ts';
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import { emailReason, mailboxOf, normalizeEmail } from '../users/text-rules.ts';
import {
  claimRegisteredNotice,
  consumeValidationToken,
  isExpiredValidationToken,
  type RegisteredRecipient,
  renewExpiredValidation,
  renewValidationByEmail,
  type VerificationRecipient,
} from '../users/users-store.ts';
import { addressDigest } from './create-account.ts';
import {
  deleteOwnOrganizations,
  deleteUninvited,
  findUnconfirmed,
  forgetSignUps,
  keepMailPause,
  lockAbandoned,
  lockRejectable,
  type UnconfirmedRow,
} from './unconfirmed-sign-ups-store.ts';

// Operation validateEmail (specification, "Email verification"; contract, "E-mail verification").

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

// What the portal's page of a verification link may know before it does anything. The address is for the browser that
// signed up and no other: only there does one click confirm it, because the password that it activates was chosen there.

export type VerificationLinkStatus = 'OPEN' | 'EXPIRED' | 'INVALID';

export interface VerificationLink {
  readonly status: VerificationLinkStatus;
  /** Null but in the browser that signed up. */
  readonly email: string | null;
}

/** A sign-up as the cookie of the browser remembers it. */
export interface RememberedSignUp {
  /** Normalized. */
  readonly email: string;
  /** Random, of this browser and address. */
  readonly browserId: string;
}

/**
 * Changes nothing.
 * @param token raw; any text that cannot be a token is INVALID without a look-up
 * @param remembered the sign-ups of the browser that asks
 * @returns EXPIRED also for a token that was replaced within the hour, as validateEmail answers
 */
export const findVerificationLink = async (
  { database }: { readonly database: Database },
  token: string,
  remembered: readonly RememberedSignUp[],
): Promise<VerificationLink> => {
  if (!isWellFormedValidationToken(token)) return { status: 'INVALID', email: null };
  const account = await database.maybeOne(findUnconfirmed, [sha256(token)]);
  if (account !== null) {
    return { status: account.isOpen ? 'OPEN' : 'EXPIRED', email: isOwn(account, remembered) ? account.email : null };
  }
  const { expired } = await database.one(isExpiredValidationToken, [sha256(token)]);
  return { status: expired ? 'EXPIRED' : 'INVALID', email: null };
};

const isOwn = ({ email, browserHash }: UnconfirmedRow, remembered: readonly RememberedSignUp[]): boolean =>
  browserHash !== null &&
  remembered.some((signUp) => signUp.email === email && sha256(signUp.browserId).equals(browserHash));

// Operation resendVerification (contract, "Account"): as a repeated sign-up, without a password. The answer and its time
// are the same for every address, and an address gets at most one mail an hour.

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

// How a sign-up ends that was never confirmed: rejected by the owner of the address, or abandoned. The account goes with
// its default organization; invitations of the address stay open, and the address is free again.

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

// The mails about a person's own account. Read them as their reader would: a person who may not have asked for them. The
// verification mail holds nothing that the sign-up typed but the address and, in its link, the path of the portal to go on
// to: it may be a stranger's sign-up.

/**
 * The link that verifies an address (specification, "Browser links").
 * @param token raw: it lives in the mail only
 */
const verificationLink = (frontendUrl: string, token: string, redirect: string | null): string =>
  `${frontendUrl}/verify/${token}${redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`}`;

/** @param token raw: both links carry it, and it lives in the mail only */
export const verificationMail = (
  frontendUrl: string,
  { email, redirect, signedUpAt }: VerificationRecipient,
  token: string,
): MailContent => ({
  to: email,
  subject: 'Confirm your e-mail address',
  greeting: 'Hello,',
  paragraphs: [
    `On ${instantInWords(signedUpAt)}, an account was asked for with this address. If that was you, confirm that the address is yours, and you can sign in.`,
  ],
  action: { label: 'Confirm my address', url: verificationLink(frontendUrl, token, redirect) },
  secondAction: { label: 'I did not ask for this', url: `${frontendUrl}/verify/${token}/reject` },
  remark:
    'The first link works once, for 24 hours. The second one deletes the account that was asked for. If you do neither, the account cannot be used, and it is deleted a week after the link has expired.',
});

export const alreadyRegisteredMail = (
  frontendUrl: string,
  { email, name, triedAt }: RegisteredRecipient,
): MailContent => ({
  to: email,
  subject: 'You already have an account',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(triedAt)}, a sign-up with this address was tried, probably by you. The address already has an account, and nothing about it has changed.`,
  ],
  action: { label: 'Sign in', url: `${frontendUrl}/signin` },
  remark: 'If it was not you, there is nothing to do: the answer to the sign-up did not say that you have an account.',
});

// The secret in a verification link (specification, "Limits": 32 random bytes as hex).

const bytes = 32;
const shape = /^[0-9a-f]{64}$/;

export const newValidationToken = (): string => randomHex(bytes);

/** Whether a text can be such a token at all. Asks nobody. */
export const isWellFormedValidationToken = (text: string): boolean => shape.test(text);

// An answer that takes the same time for every address, whatever there was to do for it (decision 0008).

/**
 * Resolves at a fixed time after the call, or when the work ends if that is later.
 * @throws what the work throws
 */
export const answerLater = async (milliseconds: number, work: () => Promise<void>): Promise<void> => {
  const answerTime = delay(milliseconds);
  await work();
  await answerTime;
};

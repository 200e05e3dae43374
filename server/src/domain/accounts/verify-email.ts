/**
 * Verification of an e-mail address: the link's secret, its mails, and the operations that confirm, resend or reject it
 * (contract/accounts.md#email-verification; decision 0029).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { requireValidInput } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import { randomHex, sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/mails.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Deps, MailDeps, Settings } from '../access/deps.ts';
import { claimReservedNotice } from '../users/email-changes-store.ts';
import { emailReason, mailboxOf, normalizeEmail } from '../users/text-rules.ts';
import {
  claimRegisteredNotice,
  consumeValidationToken,
  isExpiredValidationToken,
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
} from './unconfirmed-sign-ups-store.ts';

export type EmailValidationStatus = 'VERIFIED' | 'EXPIRED_RESENT' | 'EXPIRED' | 'INVALID';

/**
 * Operation validateEmail (contract/accounts.md#validating-a-token): verifies an address once. An expired token is
 * replaced by a mail, at most one an hour. In another browser the portal first asks for the password (`confirmSignUp`).
 * @param token raw; any other text than 64 hex characters is INVALID without a look-up
 */
export const validateEmail = async (
  deps: MailDeps & Deps<'database'>,
  token: string,
): Promise<EmailValidationStatus> => {
  if (!isWellFormedValidationToken(token)) return 'INVALID';
  return deps.database.transaction(async (transaction) => {
    const verified = await transaction.maybeOne(consumeValidationToken, [sha256(token), null, null]);
    return verified === null ? renewDeadToken(deps, transaction, token) : 'VERIFIED';
  });
};

/** Replaces an expired token when the last mail is over an hour old. @param token raw and well-formed */
export const renewDeadToken = async (
  { mail, settings }: MailDeps,
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

// A verification link before it is used. Only the browser that signed up sees the address: one click confirms it there.

export type VerificationLinkStatus = 'OPEN' | 'EXPIRED' | 'INVALID';

export interface VerificationLink {
  readonly status: VerificationLinkStatus;
  /** Null except in the browser that signed up. */
  readonly email: string | null;
  /** Whether this browser signed up with the address, and the password is that of an earlier sign-up. */
  readonly isEarlierSignUp: boolean;
}

/** A sign-up as recorded in the browser's cookie. */
export interface RememberedSignUp {
  /** Normalized. */
  readonly email: string;
  /** Random id of the last sign-up of this browser with this address. */
  readonly browserId: string;
}

/**
 * Reads the status of a verification link.
 * @param token raw; any other text is INVALID without a look-up
 * @param remembered the sign-ups recorded in the requesting browser
 * @returns EXPIRED also for a token that was replaced within the hour, like validateEmail
 */
export const findVerificationLink = async (
  { database }: Deps<'database'>,
  token: string,
  remembered: readonly RememberedSignUp[],
): Promise<VerificationLink> => {
  const unknown = { email: null, isEarlierSignUp: false };
  if (!isWellFormedValidationToken(token)) return { status: 'INVALID', ...unknown };
  const account = await database.maybeOne(findUnconfirmed, [sha256(token)]);
  if (account !== null) {
    const last = remembered.find(({ email }) => email === account.email);
    const isOwn = last !== undefined && account.browserHash?.equals(sha256(last.browserId)) === true;
    return {
      status: account.isOpen ? 'OPEN' : 'EXPIRED',
      email: isOwn ? account.email : null,
      isEarlierSignUp: last !== undefined && !isOwn,
    };
  }
  const { expired } = await database.one(isExpiredValidationToken, [sha256(token)]);
  return { status: expired ? 'EXPIRED' : 'INVALID', ...unknown };
};

// Operation resendVerification (contract/accounts.md#one-mail-an-hour): the same answer and timing for every address.

/**
 * Queues a verification mail, or the notice to a verified address, when the last is over an hour old.
 * @returns whether an e-mail must be confirmed before sign-in: by configuration, never by address
 */
export const resendVerification = async (
  deps: MailDeps & Deps<'database' | 'limits' | 'intervals'> & Settings<'emailVerificationEnabled'>,
  input: { readonly email: string; readonly ip: string },
): Promise<{ readonly verificationRequired: boolean }> => {
  const email = normalizeEmail(input.email);
  requireValidInput({ email: emailReason(email) });
  // A network uses up only its own permits, as at a sign-up.
  await deps.limits.consume(rateLimits.resendVerificationMailbox, [mailboxOf(email), networkOf(input.ip)]);
  const verificationRequired = deps.settings.emailVerificationEnabled;
  const address = { email, redirect: null, token: newValidationToken() };
  await answerLater(deps.intervals.signUpAnswer, async () => {
    if (!verificationRequired) return;
    await deps.database.transaction((transaction) => sendToKnownAddress(deps, transaction, address));
  });
  return { verificationRequired };
};

interface KnownAddress {
  readonly email: string;
  readonly redirect: string | null;
  /** Raw, for the mail of an unverified address. */
  readonly token: string;
}

/**
 * Sends the owner of a taken address the mail of a repeated sign-up; of an address that is reserved, its former owner.
 * @param attempt what was tried with the address
 */
export const sendToKnownAddress = async (
  { mail, settings }: MailDeps,
  transaction: Transaction,
  { email, redirect, token }: KnownAddress,
  attempt: AddressAttempt = 'sign_up',
): Promise<void> => {
  const { frontendUrl } = settings;
  const renewed = await transaction.maybeOne(renewValidationByEmail, [email, sha256(token), redirect]);
  const written =
    renewed === null
      ? await claimNotice(transaction, email, frontendUrl, attempt)
      : verificationMail(frontendUrl, renewed, token);
  if (written !== null) await mail.enqueue(transaction, written);
};

/** @returns null while the address has had its mail of the hour, or no account */
const claimNotice = async (
  transaction: Transaction,
  to: string,
  frontendUrl: string,
  attempt: AddressAttempt,
): Promise<Mail | null> => {
  const isSignUp = attempt === 'sign_up';
  const owner = await transaction.maybeOne(claimRegisteredNotice, [to]);
  if (owner !== null) {
    const values = { name: owner.name, at: owner.triedAt };
    const mail = isSignUp ? 'alreadyRegistered' : 'alreadyRegisteredChange';
    return { mail, to: owner.email, values, links: [`${frontendUrl}/signin`] };
  }
  const former = await transaction.maybeOne(claimReservedNotice, [to]);
  if (former === null) return null;
  const { accountEmail, name, triedAt: at, heldUntil: until } = former;
  const mail = isSignUp ? 'addressKept' : 'addressKeptChange';
  return { mail, to, accounts: [accountEmail], values: { name, at, until }, links: [] };
};

// The end of an unconfirmed sign-up deletes the account and its organization; invitations of the address stay open.

/**
 * Operation rejectSignUp (contract/accounts.md#rejected-and-abandoned-sign-ups): deletes the unverified account of this
 * token, even an expired one; keeps the hourly limit of mails.
 * @param token raw; any other text finds none
 * @returns whether there was such an account
 */
export const rejectSignUp = async (deps: Deps<'database' | 'keyring' | 'logger'>, token: string): Promise<boolean> => {
  if (!isWellFormedValidationToken(token)) return false;
  return deps.database.transaction((transaction) => reject(deps, transaction, sha256(token)));
};

const reject = async (
  { keyring, logger }: Deps<'keyring' | 'logger'>,
  transaction: Transaction,
  tokenHash: Buffer,
): Promise<boolean> => {
  const account = await transaction.maybeOne(lockRejectable, [tokenHash]);
  if (account === null) return false;
  await transaction.execute(keepMailPause, [account.id, addressDigest(keyring, account.email)]);
  await endSignUps(transaction, [account.id]);
  const rejected = { event: 'auth.sign_up_rejected', userId: account.id } as const;
  transaction.afterCommit(() =>
    logger.info(rejected, 'The owner of an address rejected a sign-up, and the account was deleted'),
  );
  return true;
};

/** Deletes accounts never verified whose last link expired 7 days ago, one batch. @returns how many */
export const deleteAbandonedSignUps = (database: Pick<Database, 'transaction'>): Promise<number> =>
  database.transaction(async (transaction) => {
    const ids = (await transaction.many(lockAbandoned, [])).map(({ id }) => id);
    if (ids.length > 0) await endSignUps(transaction, ids);
    return ids.length;
  });

/** The caller holds the rows. Separate statements see an invitation that was committed before the lock. */
const endSignUps = async (transaction: Transaction, userIds: readonly string[]): Promise<void> => {
  await transaction.execute(deleteOwnOrganizations, [userIds]);
  await transaction.execute(forgetSignUps, [userIds]);
  await transaction.execute(deleteUninvited, [userIds]);
};

// A sign-up may be another person's: the mail has none of its input but the address and, in the link, the portal path.

/** The link that verifies an address (contract/accounts.md#contents-of-the-verification-mail). */
const verificationLink = (frontendUrl: string, token: string, redirect: string | null): string =>
  `${frontendUrl}/verify/${token}${redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`}`;

/** @param token raw: both links contain it, and only the mail does */
export const verificationMail = (
  frontendUrl: string,
  { email, redirect, signedUpAt }: VerificationRecipient,
  token: string,
): Mail => ({
  mail: 'verification',
  to: email,
  values: { at: signedUpAt },
  links: [verificationLink(frontendUrl, token, redirect), `${frontendUrl}/verify/${token}/reject`],
});

/** The attempt with a taken address: a sign-up, or a change of another account's address to it. */
type AddressAttempt = 'sign_up' | 'change_of_address';

// The secret of a verification link (contract/accounts.md#verification-state: 32 random bytes as hex).

export const newValidationToken = (): string => randomHex(32);

export const isWellFormedValidationToken = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Resolves at a fixed time, or later with the work: the same for every address (decision 0008). @throws as the work */
export const answerLater = async (milliseconds: number, work: () => Promise<void>): Promise<void> => {
  const answerTime = delay(milliseconds);
  await work();
  await answerTime;
};

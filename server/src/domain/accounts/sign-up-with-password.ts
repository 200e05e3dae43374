/**
 * Operation signUpWithPassword (specification, "Email verification", first two rows).
 *
 * It answers the same for every address, in content and in time: the password is hashed first, whoever it is, and the
 * answer leaves a fixed time after the hash, within which the database work happens.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { internalPath } from '../../kernel/internal-path.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { giveBackTurns } from '../../platform/given-back-turns.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { Asker } from '../../platform/password-queue.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import {
  emailReason,
  mailboxOf,
  nameReason,
  normalizeEmail,
  normalizeName,
  passwordReason,
} from '../users/text-rules.ts';
import { claimRegisteredNotice, renewValidationByEmail } from '../users/users-store.ts';
import { createAccount } from './create-account.ts';
import { alreadyRegisteredMail, verificationMail } from './mails.ts';
import { newValidationToken } from './validation-token.ts';

export interface SignUpDeps {
  readonly database: Database;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
  readonly limits: RateLimits;
  readonly logger: Logger;
  readonly settings: {
    readonly frontendUrl: string;
    readonly emailVerificationEnabled: boolean;
    readonly passwordBlocklist: boolean;
    readonly defaultProduct: string | null;
  };
}

export interface SignUpInput {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly redirect?: string | null | undefined;
  readonly asker: Asker;
}

/** Longer than the database work of any sign-up on a healthy machine; not felt behind a bcrypt hash. */
const answerAfterMilliseconds = 60;

/**
 * Creates an unverified user with an organization of their own and queues the verification mail; for an address that
 * is taken, queues at most one mail an hour to its owner.
 * @returns whether an e-mail must be confirmed before sign-in: the configuration's answer, never the address's
 * @throws Refusal BAD_USER_INPUT naming the fields; RATE_LIMITED for a mailbox that many sign up with, known or not.
 *   Nothing is hashed or stored then
 */
export const signUpWithPassword = async (
  deps: SignUpDeps,
  input: SignUpInput,
): Promise<{ readonly verificationRequired: boolean }> => {
  const checked = checkInput(input, deps.settings.passwordBlocklist);
  const passwordHash = await hashForMailbox(deps, mailboxOf(checked.email), input);
  const answerTime = delay(answerAfterMilliseconds);
  await deps.database.transaction((transaction) => register(deps, transaction, { ...checked, passwordHash }));
  await answerTime;
  return { verificationRequired: deps.settings.emailVerificationEnabled };
};

/** A mailbox keeps no turn used up that came to nothing because many people signed up or in at that moment. */
const hashForMailbox = async (deps: SignUpDeps, mailbox: string, { password, asker }: SignUpInput): Promise<string> => {
  deps.passwords.requireRoom(asker);
  await deps.limits.take(rateLimits.signUpMailbox, mailbox);
  try {
    return await deps.passwords.hash(password, asker);
  } catch (error) {
    if (error instanceof Refusal) await giveBackTurns(deps, [{ limit: rateLimits.signUpMailbox, subject: mailbox }]);
    throw error;
  }
};

interface CheckedInput {
  readonly email: string;
  readonly name: string;
  readonly redirect: string | null;
}

const checkInput = (input: SignUpInput, refuseCommon: boolean): CheckedInput => {
  const email = normalizeEmail(input.email);
  const name = normalizeName(input.name);
  requireValidInput({
    email: emailReason(email),
    name: nameReason(name),
    password: passwordReason(input.password, refuseCommon),
  });
  return { email, name, redirect: internalPath(input.redirect) };
};

const register = async (
  { mail, logger, settings }: SignUpDeps,
  transaction: Transaction,
  person: CheckedInput & { readonly passwordHash: string },
): Promise<void> => {
  const token = settings.emailVerificationEnabled ? newValidationToken() : null;
  const validationTokenHash = token === null ? null : sha256(token);
  const userId = await createAccount(transaction, { ...person, validationTokenHash }, settings.defaultProduct);
  if (userId !== null) {
    transaction.afterCommit(() => logger.info({ event: 'auth.signed_up', userId }, 'A person signed up'));
  }
  if (token === null) return;
  if (userId !== null) {
    return mail.enqueue(transaction, verificationMail(settings.frontendUrl, person, token));
  }
  const renewed = await transaction.maybeOne(renewValidationByEmail, [person.email, sha256(token), person.redirect]);
  if (renewed !== null) return mail.enqueue(transaction, verificationMail(settings.frontendUrl, renewed, token));
  const owner = await transaction.maybeOne(claimRegisteredNotice, [person.email]);
  if (owner !== null) await mail.enqueue(transaction, alreadyRegisteredMail(settings.frontendUrl, owner));
};

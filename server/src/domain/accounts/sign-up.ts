/**
 * Owns: how an account begins: sign-up, verification, super admins, the first organization.
 * Promises: A sign-up is answered alike for known and unknown addresses, in content and in time.
 *
 * Operation signUpWithPassword (contract/accounts.md#sign-up-with-a-password).
 *
 * The answer is the same for every address, in content and in timing: the password is always hashed first, and the
 * answer is sent a fixed time after the hash, during which the database work happens (decision 0008).
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { networkOf, siteOf } from '../../kernel/network.ts';
import { redirectOf, returnOrigins } from '../../kernel/redirects.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ClientKey } from '../../platform/passwords/password-queue.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type Permit, refundPermits } from '../../platform/rate-limit/rate-limits.ts';
import type { Deps, Settings } from '../access/deps.ts';
import {
  emailReason,
  mailboxOf,
  nameReason,
  normalizeEmail,
  normalizeName,
  passwordReason,
} from '../users/text-rules.ts';
import { createAccount } from './create-account.ts';
import { answerLater, newValidationToken, sendToKnownAddress, verificationMail } from './verify-email.ts';

type SignUpDeps = Deps<
  'application' | 'database' | 'keyring' | 'passwords' | 'mail' | 'limits' | 'logger' | 'intervals'
> &
  Settings<'baseUrl' | 'frontendUrl' | 'emailVerificationEnabled' | 'passwordBlocklist' | 'defaultProduct'>;

interface SignUpInput {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly redirect?: string | null | undefined;
  /** Random id of this sign-up, kept in a cookie of the portal's browser; null for every other caller. */
  readonly browserId: string | null;
  readonly clientKey: ClientKey;
}

/**
 * Creates an unverified user with an organization, and queues a mail; for a taken address, one an hour to its owner.
 * @returns whether an e-mail must be confirmed before sign-in: by configuration, never by address
 * @throws Refusal BAD_USER_INPUT: names the fields; RATE_LIMITED: by network and mailbox. Nothing is stored then
 */
export const signUpWithPassword = async (
  deps: SignUpDeps,
  input: SignUpInput,
): Promise<{ readonly verificationRequired: boolean }> => {
  const checked = checkInput(deps, input);
  const passwordHash = await hashForMailbox(deps, mailboxOf(checked.email), input);
  const browserHash = input.browserId === null ? null : sha256(input.browserId);
  await answerLater(deps.intervals.signUpAnswer, () =>
    deps.database.transaction((transaction) => register(deps, transaction, { ...checked, passwordHash, browserHash })),
  );
  return { verificationRequired: deps.settings.emailVerificationEnabled };
};

/** Hashes the password. Refunds the permits where hashing is refused because of concurrent sign-ups and sign-ins. */
const hashForMailbox = async (
  deps: SignUpDeps,
  mailbox: string,
  { password, clientKey }: SignUpInput,
): Promise<string> => {
  deps.passwords.requireRoom(clientKey);
  const taken: Permit[] = [];
  try {
    for (const permit of permitsOf(mailbox, clientKey.ip ?? '')) {
      await deps.limits.consume(permit.limit, permit.subject);
      taken.push(permit);
    }
    return await deps.passwords.hash(password, clientKey);
  } catch (error) {
    if (error instanceof Refusal) await refundPermits(deps, taken);
    throw error;
  }
};

/** A network uses up only its own permits: the owner of the mailbox can still sign up from another one. */
const permitsOf = (mailbox: string, ip: string): readonly Permit[] => [
  { limit: rateLimits.signUpMailbox, subject: [mailbox, networkOf(ip)] },
  { limit: rateLimits.signUpMailboxWide, subject: [mailbox, siteOf(ip)] },
];

interface CheckedInput {
  readonly email: string;
  readonly name: string;
  readonly redirect: string | null;
}

const checkInput = (deps: SignUpDeps, input: SignUpInput): CheckedInput => {
  const email = normalizeEmail(input.email);
  const name = normalizeName(input.name);
  requireValidInput({
    email: emailReason(email),
    name: nameReason(name),
    password: passwordReason(input.password, deps.settings.passwordBlocklist),
  });
  return { email, name, redirect: redirectOf(input.redirect, returnOrigins(deps)) };
};

const register = async (
  deps: SignUpDeps,
  transaction: Transaction,
  person: CheckedInput & { readonly passwordHash: string; readonly browserHash: Buffer | null },
): Promise<void> => {
  const { mail, logger, settings } = deps;
  const token = settings.emailVerificationEnabled ? newValidationToken() : null;
  const validationTokenHash = token === null ? null : sha256(token);
  const created = await createAccount(deps, transaction, { ...person, validationTokenHash });
  if (created !== null) {
    const { id: userId } = created;
    transaction.afterCommit(() => logger.info({ event: 'auth.signed_up', userId }, 'A person signed up'));
  }
  if (token === null) return;
  if (created === null) return sendToKnownAddress(deps, transaction, { ...person, token });
  if (!created.mayMail) return;
  await mail.enqueue(transaction, verificationMail(settings.frontendUrl, { ...person, ...created }, token));
};

/** Operation signInWithPassword (contract/accounts.md#sign-in-with-a-password) and its rate limits. */
import { Refusal, type RefusalCode } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import type { ClientKey } from '../../platform/passwords/password-queue.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { orLogged, type Permit, refundPermits } from '../../platform/rate-limit/rate-limits.ts';
import type { Deps, Settings } from '../access/deps.ts';
import {
  type ActorPair,
  authenticatedNow,
  beginSession,
  beginSessionAtOnce,
  type Caller,
  type SignInContext,
} from '../credentials/issue-pair.ts';
import { openSignInChallenge } from '../factors/sign-in-challenges.ts';
import { replacePasswordHash } from '../users/accounts-store.ts';
import { isWhollyHashed, normalizeEmail } from '../users/text-rules.ts';
import { type AccountRow, accountSuspended, findAccountByEmail } from '../users/users-store.ts';

export type SignInDeps = Deps<'database' | 'passwords' | 'limits' | 'logger' | 'lifetimes' | 'signIns'> &
  Settings<'relyingParty' | 'saltRounds'>;

/** An account's address and password, and where they are presented. */
export interface PresentedPassword extends Pick<SignInContext, 'caller'> {
  readonly email: string;
  readonly password: string;
  /** The browser's device id, if an account signed in at this address from it recently. */
  readonly deviceId: string | null;
}

type SignInInput = PresentedPassword & SignInContext;

/** No account's password is longer; a longer text is truncated before hashing, so that it costs the same. */
const maxPasswordLength = 160;

/**
 * Checks the password and issues a pair, or asks a user with one-time codes for one.
 * @throws Refusal INVALID_CREDENTIALS: unknown address, no password or a wrong one, alike in content and timing;
 *   RATE_LIMITED: before a hash; with the right one ACCOUNT_SUSPENDED, EMAIL_NOT_VERIFIED, SECOND_FACTOR_REQUIRED
 */
export const signInWithPassword = (deps: SignInDeps, input: SignInInput): Promise<ActorPair> =>
  deps.signIns.attempt({ method: 'password', ...input.caller }, () => signIn(deps, input));

const signIn = async (deps: SignInDeps, input: SignInInput): Promise<ActorPair> => {
  const account = await proveAccount(deps, input);
  if (account.isUnverified) {
    recordRefusal(deps, account, input.caller, 'EMAIL_NOT_VERIFIED');
    throw notVerified(account.id);
  }
  // Before the session begins: once it has, no step may fail between the user and the pair.
  const proven = { ...account, passwordHash: await renewHash(deps, account, input) };
  const challenge = proven.hasOneTimeCodes ? await challengeOf(deps, proven, input) : null;
  if (challenge !== null) throw challenge;
  const pair = await issue(deps, proven, input);
  deps.logger.info({ event: 'auth.sign_in', userId: account.id, method: 'password' }, 'A person signed in');
  return pair;
};

/**
 * The account of an address, proved by its password. Only a wrong password keeps the permits.
 * @throws Refusal as {@link signInWithPassword}, except EMAIL_NOT_VERIFIED and SECOND_FACTOR_REQUIRED
 */
export const proveAccount = async (deps: SignInDeps, input: PresentedPassword): Promise<AccountRow> => {
  deps.passwords.requireRoom(clientKeyOf(input));
  const email = storableEmail(input.email);
  const permits = await consumeSignInPermits(deps, { email, ip: input.caller.ip, deviceId: input.deviceId });
  const account = await checkPassword(deps, email, input).catch(async (error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'INVALID_CREDENTIALS')) await permits.refund();
    throw error;
  });
  const isRemembered = !(account.isUnverified || account.isSuspended);
  await Promise.all([permits.refund(), isRemembered ? permits.remember() : undefined]);
  if (account.isSuspended) throw suspended(deps, account, input.caller);
  return account;
};

const checkPassword = async (deps: SignInDeps, email: string, input: PresentedPassword): Promise<AccountRow> => {
  const account = await deps.database.maybeOne(findAccountByEmail, [email]);
  const password = input.password.slice(0, maxPasswordLength);
  const matches = await deps.passwords.matches(password, account?.passwordHash ?? null, clientKeyOf(input));
  if (account !== null && matches && isWhollyHashed(input.password)) return account;
  recordRefusal(deps, account, input.caller, 'INVALID_CREDENTIALS');
  throw invalidCredentials(account);
};

const suspended = (deps: SignInDeps, account: AccountRow, caller: Caller): Refusal => {
  recordRefusal(deps, account, caller, 'ACCOUNT_SUSPENDED');
  return accountSuspended(account.id);
};

const clientKeyOf = ({ caller, deviceId }: PresentedPassword): ClientKey => ({
  ip: caller.ip,
  isKnown: deviceId !== null,
});

/** Logs a refusal for incident analysis: the account that was tried, never the input. */
export const recordRefusal = (
  { logger }: Deps<'logger'>,
  account: Pick<AccountRow, 'id'> | null,
  caller: Caller,
  code: RefusalCode,
): void => {
  const facts = { code, userId: account?.id ?? null, ip: caller.ip };
  logger.info({ event: 'auth.sign_in_refused', ...facts }, 'A sign-in was refused');
};

/** Replaces NUL, which PostgreSQL cannot store: such an address is handled as an unknown one. */
const storableEmail = (typed: string): string => normalizeEmail(typed.slice(0, 320)).replaceAll('\u0000', ' ');

const issue = async (deps: SignInDeps, account: AccountRow, input: SignInInput): Promise<ActorPair> => {
  const { database, lifetimes } = deps;
  const proven = {
    userId: account.id,
    authMethod: 'password',
    provenPasswordHash: account.passwordHash,
    authentication: authenticatedNow,
  };
  const replacesNone = input.replacedTokens.length === 0;
  const atOnce = replacesNone ? await beginSessionAtOnce(database, lifetimes, proven, input) : null;
  if (atOnce !== null) return atOnce;
  const pair = await database.transaction((transaction) => beginSession(transaction, lifetimes, proven, input));
  if (pair !== null) return pair;
  const renewed = await findRenewed(deps, account, input);
  if (renewed !== null) return issue(deps, renewed, input);
  // Since the password was checked, one-time codes were added, the password was changed, or the account is gone.
  throw (await challengeOf(deps, account, input)) ?? invalidCredentials(account);
};

/**
 * The account, when a concurrent sign-in has replaced the hash of the same password since; null for any other change.
 * @throws Refusal ACCOUNT_SUSPENDED: it was suspended since
 */
const findRenewed = async (deps: SignInDeps, account: AccountRow, input: SignInInput): Promise<AccountRow | null> => {
  const now = await deps.database.maybeOne(findAccountByEmail, [storableEmail(input.email)]);
  if (now === null || now.id !== account.id) return null;
  if (now.passwordHash === account.passwordHash) {
    if (now.isSuspended) throw suspended(deps, now, input.caller);
    return null;
  }
  return (await deps.passwords.matches(input.password, now.passwordHash, clientKeyOf(input))) ? now : null;
};

/** Waits for a second factor. @returns the refusal of the sign-in; null when the user has no one-time codes any more */
const challengeOf = async (deps: SignInDeps, account: AccountRow, { caller }: SignInInput): Promise<Refusal | null> => {
  const { id: userId, passwordHash } = account;
  const first = { userId, authMethod: 'password', passwordHash };
  const challenge = await openSignInChallenge(deps.database, first, deps.settings);
  if (challenge !== null) recordRefusal(deps, account, caller, 'SECOND_FACTOR_REQUIRED');
  return challenge;
};

/** Rehashes a password to the configured cost; a failure must not fail the sign-in. @returns the account's hash now */
const renewHash = async (deps: SignInDeps, account: AccountRow, input: SignInInput): Promise<string | null> => {
  const { passwordHash } = account;
  if (passwordHash === null || Number(passwordHash.split('$')[2]) === deps.settings.saltRounds) return passwordHash;
  try {
    const fresh = await deps.passwords.hash(input.password, clientKeyOf(input));
    return (await deps.database.execute(replacePasswordHash, [account.id, passwordHash, fresh])) === 1
      ? fresh
      : passwordHash;
  } catch (error) {
    const line = { event: 'auth.hash_not_renewed', userId: account.id, err: error } as const;
    deps.logger.warn(line, 'A password hash could not be renewed');
    return passwordHash;
  }
};

const invalidCredentials = (account: Pick<AccountRow, 'id'> | null): Refusal =>
  new Refusal('INVALID_CREDENTIALS', 'The e-mail address or password is wrong.', { userId: account?.id ?? null });

export const notVerified = (userId: string): Refusal =>
  new Refusal('EMAIL_NOT_VERIFIED', 'Confirm your e-mail address first: the link is in the mail that we sent you.', {
    userId,
  });

// Rate limits of a sign-in. A failed sign-in counts for the account, per network and in total, and for the network
// across accounts; a sign-in that does not fail refunds these permits. An unknown address counts like a known one.
//
// Other people cannot lock an owner out: a network uses up only its own permits for an account, and when many networks
// use up the total, the browsers and networks from which the owner signed in recently are still admitted. A browser
// that the owner signed in with has its own permits, and shares none with its network.

interface SignInAttempt {
  /** Normalized. */
  readonly email: string;
  /** The caller's address; null when unknown. */
  readonly ip: string | null;
  /** The browser's device id, if a user signed in at this very address from it recently. */
  readonly deviceId: string | null;
}

interface SignInPermits {
  /** Returns the permits: the password was right, or nothing was checked. Never throws. */
  refund(): Promise<void>;
  /** Records the network from which the owner signed in. Never throws. */
  remember(): Promise<void>;
}

const rememberedSeconds = 30 * 24 * 3600;
const ownNetwork = 'sign_in_from';

/**
 * @throws Refusal RATE_LIMITED: permits taken before the refusal are refunded
 * @internal A test runs it alone.
 */
export const consumeSignInPermits = async (
  { limits, logger }: Deps<'limits' | 'logger'>,
  attempt: SignInAttempt,
): Promise<SignInPermits> => {
  const network = networkOf(attempt.ip ?? 'unknown');
  const place = [attempt.email, network] as const;
  const taken: Permit[] = [];
  const refund = (): Promise<void> => refundPermits({ limits, logger }, taken);
  const isKnown = (): Promise<boolean> => limits.remembers(ownNetwork, place);
  try {
    if (attempt.deviceId === null) {
      // By itself and first, so that a network without permits writes nothing.
      const ofNetwork = { limit: rateLimits.signInFailures, subject: network };
      await limits.consume(ofNetwork.limit, ofNetwork.subject);
      taken.push(ofNetwork);
    }
    // Not refunded: a hash costs the same when the password is right.
    const ofHash = { limit: rateLimits.signIn, subject: network };
    const others = [...permitsOfAccount(attempt, place), ofHash];
    const consumed = await limits.consumeAllUnless(others, rateLimits.signInEverywhere, isKnown);
    taken.push(...consumed.filter((permit) => permit !== ofHash));
  } catch (error) {
    await refund();
    throw error;
  }
  return {
    refund,
    remember: () => orLogged(logger, () => limits.remember(ownNetwork, place, rememberedSeconds)),
  };
};

/** The permits that a failed sign-in uses up at the account. Networks that the owner uses need none of the total. */
const permitsOfAccount = ({ email, deviceId }: SignInAttempt, place: readonly [string, string]): readonly Permit[] =>
  deviceId === null
    ? [
        { limit: rateLimits.signInAccount, subject: place },
        { limit: rateLimits.signInEverywhere, subject: email },
      ]
    : [{ limit: rateLimits.signInAccount, subject: [email, 'device', deviceId] }];

/**
 * Operation signInWithPassword (specification, "GraphQL operations"; "Credential pair", first row) and its rate limits.
 */
import { Refusal, type RefusalCode } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import type { ClientKey } from '../../platform/passwords/password-queue.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { orLogged, type Permit, refundPermits } from '../../platform/rate-limit/rate-limits.ts';
import type { Deps, Settings } from '../access/deps.ts';
import {
  beginSession,
  beginSessionAtOnce,
  type Caller,
  type HeldPair,
  type SignInContext,
} from '../credentials/issue-pair.ts';
import { isWhollyHashed, normalizeEmail } from '../users/text-rules.ts';
import { type AccountRow, findAccountByEmail, replacePasswordHash } from '../users/users-store.ts';

export type SignInDeps = Deps<'database' | 'passwords' | 'limits' | 'logger' | 'lifetimes'> & Settings<'saltRounds'>;

interface SignInInput extends SignInContext {
  readonly email: string;
  readonly password: string;
  /** The browser's device id, if an account signed in at this address from it recently. */
  readonly deviceId: string | null;
}

/** No account's password is longer; a longer text is truncated before hashing, so that it costs the same. */
const maxPasswordLength = 160;

/**
 * Checks the password and issues a pair.
 * @throws Refusal INVALID_CREDENTIALS: unknown address, user without a password, or wrong password, identical in
 *   content and timing; EMAIL_NOT_VERIFIED: only after the right password; RATE_LIMITED: before anything is hashed
 */
export const signInWithPassword = async (deps: SignInDeps, input: SignInInput): Promise<HeldPair> => {
  const account = await proveAccount(deps, input);
  if (account.isUnverified) {
    recordRefusal(deps, account, input.caller, 'EMAIL_NOT_VERIFIED');
    throw notVerified();
  }
  // Before the session begins: once it has, no step may fail between the user and the pair.
  await renewHash(deps, account, input);
  const pair = await issue(deps, account, input);
  deps.logger.info({ event: 'auth.sign_in', userId: account.id, method: 'password' }, 'A person signed in');
  return pair;
};

/**
 * The account of an address, authenticated by its password. Permits stay consumed only for a wrong password, and are
 * refunded where nothing was checked.
 * @throws Refusal as {@link signInWithPassword}, except EMAIL_NOT_VERIFIED
 */
export const proveAccount = async (deps: SignInDeps, input: SignInInput): Promise<AccountRow> => {
  deps.passwords.requireRoom(clientKeyOf(input));
  const email = storableEmail(input.email);
  const permits = await consumeSignInPermits(deps, { email, ip: input.caller.ip, deviceId: input.deviceId });
  const account = await checkPassword(deps, email, input).catch(async (error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'INVALID_CREDENTIALS')) await permits.refund();
    throw error;
  });
  await Promise.all([permits.refund(), account.isUnverified ? undefined : permits.remember()]);
  return account;
};

const checkPassword = async (deps: SignInDeps, email: string, input: SignInInput): Promise<AccountRow> => {
  const account = await deps.database.maybeOne(findAccountByEmail, [email]);
  const password = input.password.slice(0, maxPasswordLength);
  const matches = await deps.passwords.matches(password, account?.passwordHash ?? null, clientKeyOf(input));
  if (account !== null && matches && isWhollyHashed(input.password)) return account;
  recordRefusal(deps, account, input.caller, 'INVALID_CREDENTIALS');
  throw invalidCredentials();
};

const clientKeyOf = ({ caller, deviceId }: SignInInput): ClientKey => ({ ip: caller.ip, isKnown: deviceId !== null });

/** Logs a refusal for incident analysis: the account that was tried, never the input. */
const recordRefusal = ({ logger }: SignInDeps, account: AccountRow | null, caller: Caller, code: RefusalCode): void => {
  const facts = { code, userId: account?.id ?? null, ip: caller.ip };
  logger.info({ event: 'auth.sign_in_refused', ...facts }, 'A sign-in was refused');
};

/** Replaces NUL, which PostgreSQL cannot store: such an address is handled as an unknown one. */
const storableEmail = (typed: string): string => normalizeEmail(typed.slice(0, 320)).replaceAll('\u0000', ' ');

const issue = async (deps: SignInDeps, account: AccountRow, input: SignInInput): Promise<HeldPair> => {
  const { database, lifetimes } = deps;
  const proven = { userId: account.id, authMethod: 'password', requiresPassword: true };
  const replacesNone = input.replacedTokens.length === 0;
  const atOnce = replacesNone ? await beginSessionAtOnce(database, lifetimes, proven, input) : null;
  if (atOnce !== null) return atOnce;
  return database.transaction(async (transaction) => {
    const pair = await beginSession(transaction, lifetimes, proven, input);
    // The password was removed since it was checked, or the account is gone.
    if (pair === null) throw invalidCredentials();
    return pair;
  });
};

/**
 * Rehashes a password whose hash has another cost than the configured one. A failure must not fail the sign-in: the
 * next one tries again.
 */
const renewHash = async (deps: SignInDeps, account: AccountRow, input: SignInInput): Promise<void> => {
  const { passwordHash } = account;
  if (passwordHash === null || Number(passwordHash.split('$')[2]) === deps.settings.saltRounds) return;
  try {
    const fresh = await deps.passwords.hash(input.password, clientKeyOf(input));
    await deps.database.execute(replacePasswordHash, [account.id, passwordHash, fresh]);
  } catch (error) {
    deps.logger.warn(
      { event: 'auth.hash_not_renewed', userId: account.id, err: error },
      'A password hash could not be renewed',
    );
  }
};

const invalidCredentials = (): Refusal =>
  new Refusal('INVALID_CREDENTIALS', 'The e-mail address or password is wrong.');

const notVerified = (): Refusal =>
  new Refusal('EMAIL_NOT_VERIFIED', 'Confirm your e-mail address first: the link is in the mail that we sent you.');

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

/** @throws Refusal RATE_LIMITED: permits taken before the refusal are refunded */
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

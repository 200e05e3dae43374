/**
 * The turns of one sign-in. What fails counts for the account, for each network that tries it and for all together, and
 * for the network, whatever it tries; a sign-in that does not fail gives these turns back. An address that nobody has
 * counts like one that somebody has.
 *
 * Strangers lock no owner out: one network uses up its own turns at an account, and when many use up those of all, the
 * browsers and networks that the owner signed in from lately come in all the same. A browser that the owner signed in
 * with has turns of its own, and shares none with the strangers of its network either.
 */
import { networkOf } from '../../kernel/network.ts';
import { giveBackTurns, orLogged, type Turn } from '../../platform/given-back-turns.ts';
import type { Logger } from '../../platform/logger.ts';
import { type RateLimit, rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';

export interface SignInAttempt {
  /** Normalized. */
  readonly email: string;
  /** Of the caller; null when it is not known. */
  readonly ip: string | null;
  /** Of the browser, if somebody signed in at this very address from it lately. */
  readonly deviceId: string | null;
}

export interface SignInTurns {
  /** The password was right, or nothing was tried after all. Never throws. */
  giveBack(): Promise<void>;
  /** The owner signed in: remembers from where. Never throws. */
  remember(): Promise<void>;
}

interface SignInTurnDeps {
  readonly limits: RateLimits;
  readonly logger: Logger;
}

const rememberedSeconds = 30 * 24 * 3600;
const ownNetwork = 'sign_in_from';

/** @throws Refusal RATE_LIMITED; what was taken by then is given back */
export const takeSignInTurns = async (
  { limits, logger }: SignInTurnDeps,
  attempt: SignInAttempt,
): Promise<SignInTurns> => {
  const network = networkOf(attempt.ip ?? 'unknown');
  const place = [attempt.email, network] as const;
  const taken: Turn[] = [];
  const giveBack = (): Promise<void> => giveBackTurns({ limits, logger }, taken);
  try {
    for (const { limit, subject } of turnsOfFailure(attempt, place)) {
      if (await takeUnlessKnown(limits, limit, subject, place)) taken.push({ limit, subject });
    }
    // Stays taken: a hash is not free for who knows the password either.
    await limits.take(rateLimits.signIn, network);
  } catch (error) {
    await giveBack();
    throw error;
  }
  return {
    giveBack,
    remember: () => orLogged(logger, () => limits.remember(ownNetwork, place, rememberedSeconds)),
  };
};

const turnsOfFailure = ({ email, deviceId }: SignInAttempt, place: readonly [string, string]): readonly Turn[] => {
  if (deviceId !== null) return [{ limit: rateLimits.signInAccount, subject: [email, 'device', deviceId] }];
  const [, network] = place;
  return [
    // First, so that a network that used them up costs one statement and writes nothing.
    { limit: rateLimits.signInFailures, subject: network },
    { limit: rateLimits.signInAccount, subject: place },
    { limit: rateLimits.signInEverywhere, subject: email },
  ];
};

/** Whether a turn was taken. The turns of everybody bind nobody who comes from where the owner signed in. */
const takeUnlessKnown = async (
  limits: RateLimits,
  limit: RateLimit,
  subject: Turn['subject'],
  place: readonly string[],
): Promise<boolean> => {
  const isOfEverybody = limit === rateLimits.signInEverywhere;
  return limits.takeUnless(limit, subject, async () => isOfEverybody && (await limits.remembers(ownNetwork, place)));
};

/** Operation completeSecondFactor (contract/account.md#challenge-of-a-sign-in): the second step of a sign-in. */
import { isPublicRefusal, type Refusal } from '../../kernel/errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Deps } from '../access/deps.ts';
import { type ActorPair, beginSession, type SignInContext } from '../credentials/issue-pair.ts';
import { acceptCode, type CodeDeps, withCodePermits } from '../factors/check-code.ts';
import {
  consumeSignInChallenge,
  findSignInChallenge,
  hashSignInChallenge,
  type SignInChallengeRow,
  signInChallengeRefused,
  takeTry,
} from '../factors/sign-in-challenges.ts';
import { signInMethods } from '../sign-ins/sign-in-history.ts';
import { accountSuspended, findSuspended, lockUserRow } from '../users/users-store.ts';

type CompleteSecondFactorDeps = CodeDeps & Deps<'database' | 'lifetimes' | 'signIns'>;

interface CompleteSecondFactorInput extends SignInContext {
  /** Raw, from the refusal of the first step. */
  readonly challenge: string;
  readonly code: string;
  /** The browser's device id, if the owner of this address signed in from it recently. */
  deviceIdOf(email: string): string | null;
}

/** A sign-in, with the values by which the browser is remembered. */
interface CompletedSignIn {
  readonly pair: ActorPair;
  readonly email: string;
  /** The method of the first factor. */
  readonly authMethod: string;
}

/**
 * Checks the code and issues a pair; consumes a try of the challenge unless rate limited.
 * @throws Refusal CHALLENGE_REFUSED: unknown, used, expired, no try left, or ended with password or sessions;
 *   INVALID_CREDENTIALS: wrong or used; RATE_LIMITED; ACCOUNT_SUSPENDED: since the first factor
 */
export const completeSecondFactor = async (
  deps: CompleteSecondFactorDeps,
  input: CompleteSecondFactorInput,
): Promise<CompletedSignIn> => {
  const hash = hashSignInChallenge(input.challenge);
  if (hash === null) throw signInChallengeRefused();
  const found = await deps.database.maybeOne(findSignInChallenge, [hash]);
  const method = signInMethods.find((known) => known === found?.authMethod) ?? 'password';
  return deps.signIns.attempt({ method, ...input.caller }, () => {
    if (found === null) throw signInChallengeRefused();
    return answer(deps, input, hash, found);
  });
};

const answer = async (
  deps: CompleteSecondFactorDeps,
  input: CompleteSecondFactorInput,
  hash: Buffer,
  { userId, email, isSuspended }: SignInChallengeRow,
): Promise<CompletedSignIn> => {
  const { ip } = input.caller;
  try {
    const signedIn = await withCodePermits(
      deps,
      { userId, code: input.code, ip, deviceId: input.deviceIdOf(email) },
      () => {
        if (isSuspended) throw accountSuspended(userId);
        return attempt(deps, input, hash, userId);
      },
    );
    return { ...signedIn, email };
  } catch (error) {
    if (isPublicRefusal(error)) {
      const facts = { code: error.code, userId, ip };
      deps.logger.info({ event: 'auth.sign_in_refused', ...facts }, 'A sign-in was refused');
    }
    throw error;
  }
};

const attempt = async (
  deps: CompleteSecondFactorDeps,
  input: CompleteSecondFactorInput,
  hash: Buffer,
  userId: string,
): Promise<Omit<CompletedSignIn, 'email'>> => {
  // By itself, so that the try stays consumed when the code is wrong.
  if ((await deps.database.maybeOne(takeTry, [hash])) === null) throw signInChallengeRefused(userId);
  return deps.database.transaction((transaction) => complete(deps, transaction, input, { hash, userId }));
};

const complete = async (
  deps: CompleteSecondFactorDeps,
  transaction: Transaction,
  input: CompleteSecondFactorInput,
  { hash, userId }: { readonly hash: Buffer; readonly userId: string },
): Promise<Omit<CompletedSignIn, 'email'>> => {
  await transaction.maybeOne(lockUserRow, [userId]);
  const consumed = await transaction.maybeOne(consumeSignInChallenge, [hash, userId]);
  if (consumed === null) throw await refusalOf(transaction, userId);
  await acceptCode(deps, transaction, userId, input.code);
  const { authMethod } = consumed;
  const authentication = { secondsAgo: 0, hasSecondFactor: true };
  const proven = { userId, authMethod, authentication, isUserHeld: true } as const;
  const pair = await beginSession(transaction, deps.lifetimes, proven, input);
  if (pair === null) throw await refusalOf(transaction, userId);
  transaction.afterCommit(() =>
    deps.logger.info({ event: 'auth.sign_in', userId, method: authMethod }, 'A person signed in'),
  );
  return { pair, authMethod };
};

/** The challenge ended since it was found: with the sessions of its user, who may be suspended. */
const refusalOf = async (transaction: Transaction, userId: string): Promise<Refusal> =>
  (await transaction.maybeOne(findSuspended, [userId])) === null
    ? signInChallengeRefused(userId)
    : accountSuspended(userId);

/** Operations signInWithPasskeyOptions and signInWithPasskey (contract/accounts.md#sign-in-with-a-passkey). */
import type { Refusal } from '../../kernel/errors.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { type ActorPair, type Authentication, beginSession, type SignInContext } from '../credentials/issue-pair.ts';
import { requireRelyingParty } from '../factors/own-passkeys.ts';
import { type PasskeyProof, type PasskeyProofDeps, provePasskey } from '../factors/passkey-assertions.ts';
import { beginAssertion, type PasskeyOptions } from '../factors/passkey-challenges.ts';
import { accountSuspended, findSuspended, shareUserRow } from '../users/users-store.ts';
import { notVerified, recordRefusal } from './sign-in.ts';

/** Options for any person: they have the same form for every caller. */
export const beginPasskeySignIn = ({
  database,
  settings,
}: Deps<'database'> & Settings<'relyingParty'>): Promise<PasskeyOptions> =>
  beginAssertion(database, requireRelyingParty(settings), { purpose: 'sign_in', userId: null }, []);

type PasskeySignInInput = SignInContext & {
  /** JSON text of AuthenticationResponseJSON. */
  readonly response: string;
};

/** A pair, and the address of the person who signed in. */
interface PasskeySignIn {
  readonly pair: ActorPair;
  readonly email: string;
}

/**
 * @throws Refusal BAD_USER_INPUT: no AuthenticationResponseJSON; CHALLENGE_REFUSED: unknown, used or expired;
 *   INVALID_CREDENTIALS: else wrong; ACCOUNT_SUSPENDED; EMAIL_NOT_VERIFIED; RATE_LIMITED
 */
export const signInWithPasskey = (
  deps: PasskeyProofDeps & Deps<'lifetimes' | 'signIns'>,
  input: PasskeySignInInput,
): Promise<PasskeySignIn> => deps.signIns.attempt({ method: 'passkey', ...input.caller }, () => signIn(deps, input));

const signIn = async (
  deps: PasskeyProofDeps & Deps<'lifetimes'>,
  { response, ...input }: PasskeySignInInput,
): Promise<PasskeySignIn> => {
  const { ip } = input.caller;
  const proof = await provePasskey(deps, { purpose: 'sign_in', userId: null, text: response, field: 'response', ip });
  const { userId, email, isUnverified, isSuspended } = proof.owner;
  if (isSuspended) throw suspended(deps, userId, input);
  if (isUnverified) {
    recordRefusal(deps, { id: userId }, input.caller, 'EMAIL_NOT_VERIFIED');
    throw notVerified(userId);
  }
  const pair = await issue(deps, proof, input);
  deps.logger.info({ event: 'auth.sign_in', userId, method: 'passkey' }, 'A person signed in');
  return { pair, email };
};

const authentication: Authentication = { secondsAgo: 0, hasSecondFactor: true };

const suspended = (deps: Deps<'logger'>, userId: string, { caller }: SignInContext): Refusal => {
  recordRefusal(deps, { id: userId }, caller, 'ACCOUNT_SUSPENDED');
  return accountSuspended(userId);
};

const issue = (
  deps: Deps<'database' | 'lifetimes' | 'logger'>,
  { owner: { userId }, confirm }: PasskeyProof,
  input: SignInContext,
): Promise<ActorPair> =>
  deps.database.transaction(async (transaction) => {
    // The user before the passkey, in the lock order of a removal.
    await transaction.maybeOne(shareUserRow, [userId]);
    await confirm(transaction);
    const proven = { userId, authMethod: 'passkey', authentication, isUserHeld: true } as const;
    const pair = await beginSession(transaction, deps.lifetimes, proven, input);
    if (pair !== null) return pair;
    // Since they were looked at, the person was suspended, or their address was put in question.
    throw (await transaction.maybeOne(findSuspended, [userId])) === null
      ? notVerified(userId)
      : suspended(deps, userId, input);
  });

/**
 * Operations reauthenticate and reauthenticateOptions (contract/account.md#reauthentication): a signed-in user proves
 * again that it is them. The session notes the instant; no pair is issued.
 */
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { secondFactorRequired, sessionOver } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { lockFamily } from '../credentials/credentials-store.ts';
import { recentSeconds, recordAuthentication } from '../credentials/sessions-store.ts';
import { acceptCode, type CodeDeps, withCodePermits } from '../factors/check-code.ts';
import { requireRelyingParty } from '../factors/own-passkeys.ts';
import { provePasskey } from '../factors/passkey-assertions.ts';
import { beginAssertion, type PasskeyOptions } from '../factors/passkey-challenges.ts';
import { listDescriptors } from '../factors/passkeys-store.ts';
import { findOneTimeCodes } from '../factors/second-factors.ts';
import { type AccountRow, findAccountByEmail, lockUserRow } from '../users/users-store.ts';
import { type PresentedPassword, proveAccount, type SignInDeps } from './sign-in.ts';

/** The proof of the user: exactly one of them is not null. */
interface PresentedFactors {
  readonly password: string | null;
  /** One-time code or recovery code. */
  readonly code: string | null;
  /** JSON text of AuthenticationResponseJSON. */
  readonly passkey: string | null;
}

type Factor = keyof PresentedFactors;

/** Where the user presents it. */
type PresentedAt = Pick<PresentedPassword, 'caller' | 'deviceId'>;

type ReauthenticateDeps = SignInDeps & CodeDeps & Settings<'relyingParty'>;

/** The source object of the GraphQL type Reauthentication. */
export interface Reauthentication {
  /** Until when an operation that requires a recent authentication passes. */
  readonly freshUntil: Date;
  readonly hasSecondFactor: boolean;
}

/** How the user proved that it is them. */
interface Proof {
  readonly method: Factor;
  readonly isSecondFactor: boolean;
  /** Checks that the proof holds, when the user's row is locked. */
  readonly confirm: (transaction: Transaction) => Promise<void>;
}

type Note = (proof: Proof) => Promise<Reauthentication>;

/** Proves by the presented text of one factor, and notes it. */
type Prove = (
  deps: ReauthenticateDeps,
  actor: Actor,
  presented: PresentedAt & { readonly text: string },
  note: Note,
) => Promise<Reauthentication>;

/** Options for the caller's own passkeys. */
export const beginPasskeyReauthentication = async (
  { database, settings }: Deps<'database'> & Settings<'relyingParty'>,
  { user }: Actor,
): Promise<PasskeyOptions> => {
  const relyingParty = requireRelyingParty(settings);
  const own = await database.many(listDescriptors, [user.id, relyingParty.id]);
  return beginAssertion(database, relyingParty, { purpose: 'reauthenticate', userId: user.id }, own);
};

/**
 * Checks what the user presents, and notes in their session that they authenticated now.
 * @throws Refusal BAD_USER_INPUT: not exactly one factor; INVALID_CREDENTIALS: wrong; CHALLENGE_REFUSED: of the
 *   passkey; SECOND_FACTOR_REQUIRED: a password alone, with one-time codes; RATE_LIMITED; UNAUTHENTICATED
 */
export const reauthenticate = async (
  deps: ReauthenticateDeps,
  actor: Actor,
  { caller, deviceId, ...presented }: PresentedFactors & PresentedAt,
): Promise<Reauthentication> => {
  const { factor, text } = onlyFactor(presented);
  return proves[factor](deps, actor, { text, caller, deviceId }, (proof) =>
    deps.database.transaction((transaction) => note(deps, transaction, actor, proof)),
  );
};

/** @throws Refusal BAD_USER_INPUT: none is given, or several are */
const onlyFactor = (presented: PresentedFactors): { readonly factor: Factor; readonly text: string } => {
  const factors: readonly Factor[] = ['password', 'code', 'passkey'];
  const given = factors.flatMap((factor) => {
    const text = presented[factor];
    return text === null ? [] : [{ factor, text }];
  });
  const [only, other] = given;
  if (only === undefined) throw invalidInput({ password: 'Enter your password or a code, or use your passkey.' });
  if (other !== undefined) throw invalidInput({ [other.factor]: 'Present one factor alone.' });
  return only;
};

const provePassword: Prove = async (deps, actor, { text, ...at }, noted) => {
  const { user } = actor;
  // Before the hash: the password alone is no proof then, right or wrong.
  const { hasOneTimeCodes } = await deps.database.one(findOneTimeCodes, [user.id]);
  if (hasOneTimeCodes) throw secondFactorRequired();
  const proven = await proveOwnPassword(deps, actor, { ...at, password: text });
  const confirm = async (transaction: Transaction): Promise<void> => {
    const now = await transaction.maybeOne(findAccountByEmail, [user.email]);
    if (now?.id !== user.id || now.passwordHash !== proven.passwordHash) throw wrongPassword();
    if (now.hasOneTimeCodes) throw secondFactorRequired();
  };
  return noted({ method: 'password', isSecondFactor: false, confirm });
};

const proveCode: Prove = (deps, { user }, { text: code, caller, deviceId }, noted) =>
  withCodePermits(deps, { userId: user.id, code, ip: caller.ip, deviceId }, () =>
    noted({
      method: 'code',
      isSecondFactor: true,
      confirm: (transaction) => acceptCode(deps, transaction, user.id, code),
    }),
  );

const provePresence: Prove = async (deps, { user }, { text, caller: { ip } }, noted) => {
  const presented = { purpose: 'reauthenticate', userId: user.id, text, field: 'passkey', ip } as const;
  const { confirm } = await provePasskey(deps, presented);
  return noted({ method: 'passkey', isSecondFactor: true, confirm });
};

const proves: Readonly<Record<Factor, Prove>> = {
  password: provePassword,
  code: proveCode,
  passkey: provePresence,
};

const note = async (
  { logger }: SignInDeps,
  transaction: Transaction,
  { user, credential }: Actor,
  { method, isSecondFactor, confirm }: Proof,
): Promise<Reauthentication> => {
  await transaction.maybeOne(lockUserRow, [user.id]);
  await confirm(transaction);
  await transaction.maybeOne(lockFamily, [credential.sessionFamilyId]);
  const noted = await transaction.maybeOne(recordAuthentication, [credential.sessionFamilyId, user.id, isSecondFactor]);
  if (noted === null) throw sessionOver();
  const line = { event: 'auth.reauthenticated', userId: user.id, credentialId: credential.id, method } as const;
  transaction.afterCommit(() => logger.info(line, 'A person authenticated again in their session'));
  const { authenticatedAt, hasSecondFactor } = noted;
  return { freshUntil: new Date(authenticatedAt.getTime() + recentSeconds * 1000), hasSecondFactor };
};

/** The caller's account, proved by its password, as at a sign-in. @throws Refusal INVALID_CREDENTIALS, RATE_LIMITED */
export const proveOwnPassword = async (
  deps: SignInDeps,
  { user }: Actor,
  presented: Omit<PresentedPassword, 'email'>,
): Promise<AccountRow> => {
  try {
    return await proveAccount(deps, { ...presented, email: user.email });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_CREDENTIALS') throw wrongPassword();
    throw error;
  }
};

export const wrongPassword = (): Refusal => new Refusal('INVALID_CREDENTIALS', 'The password is wrong.');

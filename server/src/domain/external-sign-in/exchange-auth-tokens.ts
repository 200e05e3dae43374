/**
 * Owns: identities at an external provider, and sign-in with them: attempts, exchanges, links.
 * Promises: An exchange works once, in the browser that started it; the last way to sign in cannot be removed.
 *
 * Operation exchangeAuthTokens (contract/accounts.md#exchange-of-the-secret).
 *
 * One transaction consumes the secret, decides who signs in, creates or links the account and issues the pair. Locks
 * are taken in the order exchange, identity, user, session families.
 *
 * A sign-up whose address was never verified is no claim to the address: its password is removed and its sessions end.
 * A person who signs up with an address before its owner does therefore gains nothing by it.
 */
import { Refusal } from '../../kernel/errors.ts';
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { createAccount, renameDefaultOrganization } from '../accounts/create-account.ts';
import { listPresentedSessions } from '../credentials/actor-store.ts';
import {
  type ActorPair,
  type Authentication,
  beginSession,
  type PairRequest,
  type SignInContext,
} from '../credentials/issue-pair.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { recentSeconds } from '../credentials/sessions-store.ts';
import { openSignInChallenge } from '../factors/sign-in-challenges.ts';
import {
  accountSuspended,
  bumpCredentialsRevision,
  getAddressee,
  lockUserRow,
  replaceUnprovenPassword,
  shareUserRow,
} from '../users/users-store.ts';
import type { KnownIdentity } from './attempt.ts';
import { insertIdentity, lockIdentity, shareIdentity } from './identities-store.ts';
import {
  type AccountResolution,
  consumeExchange,
  type ExchangeKey,
  exchangeHashOf,
  isWellFormedExchangeSecret,
  type OpenedExchange,
  openSealedExchange,
  resolveAccount,
} from './open-exchange.ts';
import { attachIdentity, type IdentityMailDeps } from './own-identity.ts';

type ExchangeDeps = IdentityMailDeps &
  Deps<'database' | 'keyring' | 'lifetimes' | 'signIns'> &
  Settings<'graphqlAudiences' | 'defaultProduct' | 'relyingParty' | 'secondFactorAfterProvider'>;

/** The secret and the marker are those of the request's cookies. */
interface ExchangeInput extends SignInContext, ExchangeKey {
  /** Raw: the users of these tokens are signed in, even when the access token has expired. */
  readonly presentedTokens: readonly string[];
}

/** A pair, or the reason why there is none although the secret is consumed. */
type Outcome =
  | { readonly kind: 'pair'; readonly pair: ActorPair }
  | { readonly kind: 'challenged'; readonly userId: string; readonly challenge: Refusal }
  | { readonly kind: 'suspended'; readonly userId: string }
  | { readonly kind: 'refused'; readonly code: 'EXCHANGE_REFUSED' | 'ACCOUNT_MISMATCH'; readonly detail: string };

/**
 * Exchanges the secret of a callback for a pair.
 * @throws Refusal EXCHANGE_REFUSED: unknown, used, expired or another browser's, where it stays valid; or the pair is
 *   refused (user gone or unverified), with everything rolled back
 * @throws Refusal, with the secret consumed: EXCHANGE_REFUSED: no sign-in any more, or signed out everywhere since;
 *   ACCOUNT_MISMATCH: another user is signed in; ACCOUNT_SUSPENDED; SECOND_FACTOR_REQUIRED: the user has one-time
 *   codes, and an identity that was to be linked is
 */
export const exchangeAuthTokens = (deps: ExchangeDeps, input: ExchangeInput): Promise<ActorPair> => {
  const work = (): Promise<ActorPair> => signInByExchange(deps, input);
  // Without a secret, it is no attempt to sign in.
  if (!isWellFormedExchangeSecret(input.secret)) return work();
  return deps.signIns.attempt({ method: 'google', ...input.caller }, work);
};

const signInByExchange = async (deps: ExchangeDeps, input: ExchangeInput): Promise<ActorPair> => {
  const outcome = isWellFormedExchangeSecret(input.secret)
    ? await deps.database.transaction((transaction) => exchange(deps, transaction, input))
    : refused('EXCHANGE_REFUSED', 'malformed');
  if (outcome.kind === 'pair') return outcome.pair;
  const facts = { method: 'google', ip: input.caller.ip };
  if (outcome.kind !== 'refused') {
    const { userId } = outcome;
    const refusal = outcome.kind === 'challenged' ? outcome.challenge : accountSuspended(userId);
    deps.logger.info({ event: 'auth.sign_in_refused', code: refusal.code, userId, ...facts }, 'A sign-in was refused');
    throw refusal;
  }
  const { code, detail } = outcome;
  deps.logger.info({ event: 'auth.sign_in_refused', code, detail, ...facts }, 'A sign-in was refused');
  throw new Refusal(code, messages[code]);
};

const messages = {
  EXCHANGE_REFUSED: 'This sign-in has ended. Start it again.',
  ACCOUNT_MISMATCH: 'Another person is signed in here. Sign out first, then sign in again.',
} as const;

const refused = (code: keyof typeof messages, detail: string): Outcome => ({ kind: 'refused', code, detail });

const exchange = async (deps: ExchangeDeps, transaction: Transaction, input: ExchangeInput): Promise<Outcome> => {
  const hash = exchangeHashOf(input);
  const row = await transaction.maybeOne(consumeExchange, [hash]);
  if (row === null) return refused('EXCHANGE_REFUSED', 'unknown, used, expired or of another browser');
  const opened = openSealedExchange(deps.keyring, hash, row.sealedIdentity);
  if (opened === null) return refused('EXCHANGE_REFUSED', 'sealed with another secret');
  await transaction.maybeOne(lockIdentity, [opened.identity.issuer, opened.identity.subject]);
  return enter(deps, transaction, input, opened);
};

const enter = async (
  deps: ExchangeDeps,
  transaction: Transaction,
  input: ExchangeInput,
  opened: OpenedExchange,
): Promise<Outcome> => {
  const decision = await decideUnderLocks(transaction, opened.identity);
  if (decision.kind === 'refuse') {
    const { code, userId } = decision;
    if (code === 'ACCOUNT_SUSPENDED' && userId !== null) return { kind: 'suspended', userId };
    return refused('EXCHANGE_REFUSED', code);
  }
  if (!isStillTrue(opened, decision)) return refused('EXCHANGE_REFUSED', 'changed since the callback');
  const signedIn = await listPresentedSessions(transaction, input.presentedTokens, deps.settings.graphqlAudiences);
  const expected = decision.kind === 'create' ? null : decision.person.userId;
  if (signedIn.some(({ userId }) => userId !== expected))
    return refused('ACCOUNT_MISMATCH', 'another person is signed in');
  const userId = await settle(deps, transaction, opened.identity, decision);
  // A concurrent sign-up took the address: its account is found now.
  if (userId === null) return enter(deps, transaction, input, opened);
  const authentication = await authenticationOf(transaction, opened.identity);
  return signIn(
    deps,
    transaction,
    { userId, authentication },
    {
      ...input,
      replacedTokens: signedIn.length > 0 ? input.replacedTokens : [],
    },
  );
};

/** Runs after the lock of the identity, so that the rows of the decision are locked when it is made. */
const decideUnderLocks = async (transaction: Transaction, identity: KnownIdentity): Promise<AccountResolution> => {
  await transaction.maybeOne(shareIdentity, [identity.issuer, identity.subject]);
  const decision = await resolveAccount(transaction, identity);
  if (!('person' in decision)) return decision;
  const hold = decision.kind === 'link' ? lockUserRow : shareUserRow;
  await transaction.maybeOne(hold, [decision.person.userId]);
  return resolveAccount(transaction, identity);
};

/** Whether the callback's finding holds: unlinking or signing out everywhere ends exchanges opened before. */
const isStillTrue = ({ found }: OpenedExchange, decision: AccountResolution): boolean =>
  found === null ||
  ('person' in decision &&
    decision.person.userId === found.userId &&
    decision.person.credentialsRevision === found.credentialsRevision &&
    (decision.kind === 'sign_in' || !found.isOwner));

/** @returns the user who signs in, or null when the address of a new account has been taken meanwhile */
const settle = async (
  deps: ExchangeDeps,
  transaction: Transaction,
  identity: KnownIdentity,
  decision: Exclude<AccountResolution, { readonly kind: 'refuse' }>,
): Promise<string | null> => {
  if (decision.kind === 'create') return create(deps, transaction, identity, decision.email);
  const { userId } = decision.person;
  if (decision.kind === 'sign_in') return userId;
  if (decision.isUnverified) await discardUnproven(transaction, userId, identity.name);
  const linking = decision.isUnverified ? 'by_address_instead_of_password' : 'by_address';
  await attachIdentity(deps, transaction, userId, identity, linking);
  return userId;
};

/** Creates the account. A person who was only invited keeps their invitations and accepts them like any other user. */
const create = async (
  deps: ExchangeDeps,
  transaction: Transaction,
  { issuer, subject, name }: KnownIdentity,
  email: string,
): Promise<string | null> => {
  const account = { email, name, passwordHash: null, validationTokenHash: null, redirect: null, browserHash: null };
  const created = await createAccount(deps, transaction, account);
  if (created === null) return null;
  const { id: userId } = created;
  await transaction.one(insertIdentity, [issuer, subject, userId, email, false]);
  const line = { event: 'auth.external_account_created', userId } as const;
  transaction.afterCommit(() => deps.logger.info(line, 'An account was created from an external identity'));
  return userId;
};

const discardUnproven = async (transaction: Transaction, userId: string, name: string): Promise<void> => {
  await transaction.execute(bumpCredentialsRevision, [userId]);
  await revokeAllOfUser(transaction, userId, 'external_identity_linked');
  // Comes last: it changes a unique column, for which PostgreSQL also locks the row against the foreign key of a
  // rotation's new credentials, and a rotation in flight holds the lock that the revocation waits for.
  const { name: old } = await transaction.one(getAddressee, [userId]);
  await transaction.execute(replaceUnprovenPassword, [userId, name]);
  await renameDefaultOrganization(transaction, userId, { old, new: name });
};

/** A sign-in by a provider may be silent: it proves something only where the person authenticated there just before. */
const authenticationOf = async (
  transaction: Transaction,
  { authenticatedAt }: KnownIdentity,
): Promise<Authentication | undefined> => {
  if (authenticatedAt === null) return;
  const now = await databaseNow(transaction);
  const secondsAgo = Math.max(0, Math.ceil(now.getTime() / 1000 - authenticatedAt));
  return secondsAgo < recentSeconds ? { secondsAgo, hasSecondFactor: false } : undefined;
};

const signIn = async (
  { lifetimes, logger, settings }: ExchangeDeps,
  transaction: Transaction,
  { userId, authentication }: Pick<PairRequest, 'userId' | 'authentication'>,
  signInContext: SignInContext,
): Promise<Outcome> => {
  const first = { userId, authMethod: 'google', passwordHash: null };
  const challenge = settings.secondFactorAfterProvider ? await openSignInChallenge(transaction, first, settings) : null;
  if (challenge !== null) return { kind: 'challenged', userId, challenge };
  const person = { userId, authMethod: 'google', authentication };
  const pair = await beginSession(transaction, lifetimes, person, signInContext);
  // Rolls back everything, so that no identity is linked for a user who may not sign in. No exchange gets here while it
  // holds the locks of the rows that it decided by.
  if (pair === null) throw new Refusal('EXCHANGE_REFUSED', messages.EXCHANGE_REFUSED);
  transaction.afterCommit(() => logger.info({ event: 'auth.sign_in', userId, method: 'google' }, 'A person signed in'));
  return { kind: 'pair', pair };
};

/**
 * Operation exchangeAuthTokens (specification, "External sign-in handoff" 2; "Credential pair", first row).
 *
 * One transaction burns the secret, decides who comes in, makes or links what is needed for it and issues the pair. Locks
 * are taken in the order exchange, identity, person, session families.
 *
 * An address that somebody signed up with and never proved is no claim to it: the password that was set goes, with
 * whatever it opened. So who signs up with an address before its owner comes gains nothing by it.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { createAccount, renameDefaultOrganization } from '../accounts/create-account.ts';
import { listPresentedSessions } from '../credentials/holder-store.ts';
import {
  beginSession,
  type CredentialLifetimes,
  type HeldPair,
  type SignInContext,
} from '../credentials/issue-pair.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import {
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
import { attachIdentity, type TellDeps } from './own-identity.ts';

export interface ExchangeDeps extends TellDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly lifetimes: CredentialLifetimes;
  readonly settings: TellDeps['settings'] & {
    readonly graphqlAudiences: readonly string[];
    readonly defaultProduct: string | null;
  };
}

/** Secret and marker are those of the request's cookies. */
export interface ExchangeInput extends SignInContext, ExchangeKey {
  /** Raw: whoever these belong to is signed in, also when the access token has run out. */
  readonly presentedTokens: readonly string[];
}

/** A pair, or why there is none although the secret is burned. */
type Outcome =
  | { readonly kind: 'pair'; readonly pair: HeldPair }
  | { readonly kind: 'refused'; readonly code: 'EXCHANGE_REFUSED' | 'ACCOUNT_MISMATCH'; readonly detail: string };

/**
 * @throws Refusal EXCHANGE_REFUSED for a secret that is unknown, used, expired, or of another browser, where it stays good;
 *   EXCHANGE_REFUSED when the person may not come in any more, or were signed out everywhere since the callback, and
 *   ACCOUNT_MISMATCH when somebody else is signed in: the secret is burned then, and nothing else has changed. Where the
 *   pair itself is refused, because the person is gone or their address unverified, all is rolled back, and the secret
 *   stays until it expires
 */
export const exchangeAuthTokens = async (deps: ExchangeDeps, input: ExchangeInput): Promise<HeldPair> => {
  const outcome = isWellFormedExchangeSecret(input.secret)
    ? await deps.database.transaction((transaction) => exchange(deps, transaction, input))
    : refused('EXCHANGE_REFUSED', 'malformed');
  if (outcome.kind === 'pair') return outcome.pair;
  const { code, detail } = outcome;
  deps.logger.info(
    { event: 'auth.sign_in_refused', code, detail, method: 'google', ip: input.caller.ip },
    'A sign-in was refused',
  );
  throw new Refusal(code, messages[code]);
};

const messages = {
  EXCHANGE_REFUSED: 'This sign-in is over. Begin it again.',
  ACCOUNT_MISMATCH: 'Somebody else is signed in here. Sign out first, then sign in again.',
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
  if (decision.kind === 'refuse') return refused('EXCHANGE_REFUSED', decision.code);
  if (!isStillTrue(opened, decision)) return refused('EXCHANGE_REFUSED', 'changed since the callback');
  const signedIn = await listPresentedSessions(transaction, input.presentedTokens, deps.settings.graphqlAudiences);
  const expected = decision.kind === 'create' ? null : decision.person.userId;
  if (signedIn.some(({ userId }) => userId !== expected)) return refused('ACCOUNT_MISMATCH', 'somebody else');
  const userId = await settle(deps, transaction, opened.identity, decision);
  // Somebody signed up with the address meanwhile: they are found now.
  if (userId === null) return enter(deps, transaction, input, opened);
  return signIn(deps, transaction, userId, {
    ...input,
    replacedTokens: signedIn.length > 0 ? input.replacedTokens : [],
  });
};

/** After the lock of the identity: what the decision depends on is held when it is made. */
const decideUnderLocks = async (transaction: Transaction, identity: KnownIdentity): Promise<AccountResolution> => {
  await transaction.maybeOne(shareIdentity, [identity.issuer, identity.subject]);
  const decision = await resolveAccount(transaction, identity);
  if (!('person' in decision)) return decision;
  const hold = decision.kind === 'link' ? lockUserRow : shareUserRow;
  await transaction.maybeOne(hold, [decision.person.userId]);
  return resolveAccount(transaction, identity);
};

/**
 * Whoever unlinks an identity, or signs out everywhere, ends what was begun by it: the person goes by the provider once
 * more, or not at all.
 */
const isStillTrue = ({ found }: OpenedExchange, decision: AccountResolution): boolean =>
  found === null ||
  ('person' in decision &&
    decision.person.userId === found.userId &&
    decision.person.credentialsRevision === found.credentialsRevision &&
    (decision.kind === 'sign_in' || !found.isOwner));

/** @returns who comes in, or null when the address of a new account is taken by now */
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

/** Somebody who was invited and never came keeps their invitations: they are accepted like by anybody else. */
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
  transaction.afterCommit(() =>
    deps.logger.info(
      { event: 'auth.external_account_created', userId },
      'An account was created by an external identity',
    ),
  );
  return userId;
};

const discardUnproven = async (transaction: Transaction, userId: string, name: string): Promise<void> => {
  await transaction.execute(bumpCredentialsRevision, [userId]);
  await revokeAllOfUser(transaction, userId, 'external_identity_linked');
  // Only now: it changes a unique column, for which PostgreSQL locks the row also against the foreign key of a rotation's
  // new credentials, and a rotation in flight holds what the revocation waits for.
  const { name: old } = await transaction.one(getAddressee, [userId]);
  await transaction.execute(replaceUnprovenPassword, [userId, name]);
  await renameDefaultOrganization(transaction, userId, { old, new: name });
};

const signIn = async (
  { lifetimes, logger }: ExchangeDeps,
  transaction: Transaction,
  userId: string,
  signInContext: SignInContext,
): Promise<Outcome> => {
  const pair = await beginSession(transaction, lifetimes, { userId, authMethod: 'google' }, signInContext);
  // Rolls back all of it: nobody is linked who may not come in. No exchange leads here while it holds what it decided by.
  if (pair === null) throw new Refusal('EXCHANGE_REFUSED', messages.EXCHANGE_REFUSED);
  transaction.afterCommit(() => logger.info({ event: 'auth.sign_in', userId, method: 'google' }, 'A person signed in'));
  return { kind: 'pair', pair };
};

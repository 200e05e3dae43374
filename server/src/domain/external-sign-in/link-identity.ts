/**
 * Operations that link an identity to a signed-in user's account (contract/accounts.md#link-at-the-callback). Where the
 * browser does not hold the session that prepared the link, the user confirms first: a neighbouring host may have
 * planted the preparation of another account, which the identity would then sign in to.
 */
import { z } from 'zod';
import { externalRefusal, Refusal } from '../../kernel/errors.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import { shownAddress } from '../../kernel/shown-address.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ProvidedIdentity } from '../../platform/oidc/identity-provider.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { findSessionOfPerson, listPresentedSessions } from '../credentials/actor-store.ts';
import { getAddressee, lockUserRow } from '../users/users-store.ts';
import { attemptLifeSeconds, type KnownIdentity, knownIdentity, knownIdentityOf, linkTarget } from './attempt.ts';
import { findOwner, hasIdentityOfIssuer, lockIdentity, shareIdentity } from './identities-store.ts';
import { attachIdentity, type IdentityMailDeps } from './own-identity.ts';

export type LinkIdentityDeps = IdentityMailDeps & Deps<'database' | 'limits'> & Settings<'graphqlAudiences'>;

export interface LinkRequest {
  /** The user and the session that prepared the link. */
  readonly userId: string;
  readonly sessionFamilyId: string;
  /** Raw, from the cookies of the browser that returned from the provider. */
  readonly presentedTokens: readonly string[];
}

/** Linked, or the question to the user that comes before it. */
export type LinkOutcome =
  | { readonly kind: 'linked' }
  | { readonly kind: 'unconfirmed'; readonly identity: KnownIdentity; readonly accountEmail: string };

/**
 * Links an identity; one that is linked already stays so, without a mail.
 * @returns `unconfirmed`, with nothing changed, in a browser without the preparing session
 * @throws Refusal as listed at `externalRefusalCodes` for links, with nothing changed
 */
export const linkIdentity = async (
  deps: LinkIdentityDeps,
  request: LinkRequest,
  provided: ProvidedIdentity,
): Promise<LinkOutcome> => {
  const identity = knownIdentityOf(provided);
  await consumePermit(deps, request.userId);
  return deps.database.transaction((transaction) =>
    link(deps, transaction, { ...request, isConfirmed: false }, identity),
  );
};

/** Links an identity after confirmation, deciding again on current rows. @throws Refusal as {@link linkIdentity} */
export const linkConfirmedIdentity = async (
  deps: LinkIdentityDeps,
  request: LinkRequest,
  identity: KnownIdentity,
): Promise<void> => {
  await deps.database.transaction((transaction) =>
    link(deps, transaction, { ...request, isConfirmed: true }, identity),
  );
};

const consumePermit = async ({ limits }: LinkIdentityDeps, userId: string): Promise<void> => {
  try {
    await limits.consume(rateLimits.externalLink, userId);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'RATE_LIMITED') {
      throw externalRefusal('RATE_LIMITED', rateLimits.externalLink.name, { cause: error });
    }
    throw error;
  }
};

const link = async (
  deps: LinkIdentityDeps,
  transaction: Transaction,
  request: LinkRequest & { readonly isConfirmed: boolean },
  identity: KnownIdentity,
): Promise<LinkOutcome> => {
  const { userId } = request;
  const { issuer, subject } = identity;
  await transaction.maybeOne(lockIdentity, [issuer, subject]);
  await transaction.maybeOne(shareIdentity, [issuer, subject]);
  await transaction.maybeOne(lockUserRow, [userId]);
  const isSessionHere = await requireSession(deps, transaction, request);
  const owner = await transaction.maybeOne(findOwner, [issuer, subject]);
  if (owner?.userId === userId) return { kind: 'linked' };
  if (owner !== null) throw externalRefusal('IDENTITY_TAKEN');
  const { has } = await transaction.one(hasIdentityOfIssuer, [userId, issuer]);
  if (has) throw externalRefusal('ACCOUNT_HAS_OTHER_IDENTITY');
  if (!isSessionHere && !request.isConfirmed) {
    const { email: accountEmail } = await transaction.one(getAddressee, [userId]);
    return { kind: 'unconfirmed', identity, accountEmail };
  }
  await attachIdentity(deps, transaction, userId, identity, 'by_session');
  return { kind: 'linked' };
};

/**
 * Requires that the preparing session is live, followed through switches, and that no other user is signed in here: the
 * cookies would show another account.
 * @returns whether this browser holds that session
 */
const requireSession = async (
  { settings }: LinkIdentityDeps,
  transaction: Transaction,
  { userId, sessionFamilyId, presentedTokens }: LinkRequest,
): Promise<boolean> => {
  const session = await transaction.maybeOne(findSessionOfPerson, [sessionFamilyId, userId]);
  if (session === null) throw externalRefusal('LINK_SESSION_OVER', 'ended');
  const signedIn = await listPresentedSessions(transaction, presentedTokens, settings.graphqlAudiences);
  if (signedIn.some((other) => other.userId !== userId))
    throw externalRefusal('LINK_SESSION_OVER', 'another person is signed in');
  return signedIn.some((held) => held.sessionFamilyId === session.sessionFamilyId);
};

// Link question (contract/accounts.md#question-before-a-link): the browser does not hold the session that prepared it.
// Stored in that browser's helper session, consumed once, and no credential.

const linkQuestion = z
  .object({
    target: linkTarget,
    identity: knownIdentity,
    /** The account's address, as far as this browser may see it. */
    account: z.string(),
    /** Whether the account's address is also the identity's. */
    isSameAddress: z.boolean(),
    /** The path to continue at after confirmation; null when none was requested. */
    redirect: z.string().nullable(),
  })
  .readonly();
export type LinkQuestion = z.infer<typeof linkQuestion>;

const questionEntryOf = (questionId: string): string => `link-question:${questionId}`;

/**
 * @param sessionId of the browser's helper session
 * @returns the id of the question, for this helper session alone
 * @throws Refusal UNAVAILABLE: helper sessions are unavailable
 */
export const keepLinkQuestion = async (
  { helperSessions }: Deps<'helperSessions'>,
  sessionId: string,
  question: LinkQuestion,
): Promise<string> => {
  const questionId = randomSecret(16);
  await helperSessions.write(sessionId, questionEntryOf(questionId), JSON.stringify(question), attemptLifeSeconds);
  return questionId;
};

/** Null when answered, expired or of another browser. @throws Refusal UNAVAILABLE: helper sessions are unavailable */
export const findLinkQuestion = async (
  { helperSessions }: Deps<'helperSessions'>,
  sessionId: string,
  questionId: string,
): Promise<LinkQuestion | null> => parseQuestion(await helperSessions.read(sessionId, questionEntryOf(questionId)));

/** Consumes a link question: one of several answers gets it. @throws Refusal UNAVAILABLE: as `findLinkQuestion` */
export const takeLinkQuestion = async (
  { helperSessions }: Deps<'helperSessions'>,
  sessionId: string,
  questionId: string,
): Promise<LinkQuestion | null> => parseQuestion(await helperSessions.take(sessionId, questionEntryOf(questionId)));

/** The identity's own address is shown in full; of another one only enough for its owner to recognise it. */
export const shownAccount = (
  email: string,
  identity: KnownIdentity,
): Pick<LinkQuestion, 'account' | 'isSameAddress'> => {
  const isSameAddress = identity.isEmailVerified && email === identity.email;
  const shown = shownAddress(email);
  return { account: isSameAddress ? shown : masked(shown), isSameAddress };
};

const masked = (email: string): string => {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
};

/** Entries are sealed, so another form can only come from another version of the service; it counts as absent. */
const parseQuestion = (text: string | null): LinkQuestion | null =>
  text === null ? null : (linkQuestion.safeParse(JSON.parse(text)).data ?? null);

// Prepared link: an attempt takes its nonce from the helper session, so that a copy of the cookie is worth nothing.

/** In seconds, from the preparation to the redirect to the provider. */
export const preparedLinkSeconds = 120;

const linkEntryOf = (nonce: string): string => `prepared-link:${nonce}`;

/**
 * @param sessionId of the browser's helper session
 * @returns the nonce for the link cookie
 * @throws Refusal UNAVAILABLE: helper sessions are unavailable
 */
export const keepPreparedLink = async (
  { helperSessions }: Deps<'helperSessions'>,
  sessionId: string,
): Promise<string> => {
  const nonce = randomSecret(16);
  await helperSessions.write(sessionId, linkEntryOf(nonce), '', preparedLinkSeconds);
  return nonce;
};

/** Takes a prepared link: the first of several requests gets it. @throws Refusal UNAVAILABLE: as `keepPreparedLink` */
export const takePreparedLink = async (
  { helperSessions }: Deps<'helperSessions'>,
  sessionId: string,
  nonce: string,
): Promise<boolean> => (await helperSessions.take(sessionId, linkEntryOf(nonce))) !== null;

/**
 * Operations that link an identity to a signed-in person's account (contract, "Browser routes"). Where the browser does
 * not hold the session that prepared the link, the person is asked first: a neighbour host may have planted the
 * preparation of another account.
 */

import { randomBytes } from 'node:crypto';
import { Refusal } from '../../kernel/errors.ts';
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import type { ProvidedIdentity } from '../../platform/oidc/identity-provider.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import { findSessionOfPerson, listPresentedSessions } from '../credentials/holder-store.ts';
import { getAddressee, lockUserRow } from '../users/users-store.ts';
import {
  attemptLifeSeconds,
  ExternalRefusal,
  isKnownIdentity,
  type KnownIdentity,
  knownIdentityOf,
  type LinkTarget,
} from './attempt.ts';
import { findOwner, hasIdentityOfIssuer, lockIdentity, shareIdentity } from './identities-store.ts';
import { attachIdentity, type TellDeps } from './own-identity.ts';

// Operations: an identity becomes a way to sign in to the account of who is signed in (contract, "Browser routes"). Where
// the browser does not hold the session that prepared it, the person is asked first: the preparation may be another
// person's, planted by a neighbour host, and the identity would then open that person's account.

export interface LinkIdentityDeps extends TellDeps {
  readonly database: Database;
  readonly limits: RateLimits;
  readonly settings: TellDeps['settings'] & { readonly graphqlAudiences: readonly string[] };
}

export interface LinkRequest {
  /** Who prepared the link, and in which session. */
  readonly userId: string;
  readonly sessionFamilyId: string;
  /** Raw, the cookies of the browser that came back from the provider. */
  readonly presentedTokens: readonly string[];
}

/** Linked, or what the person has to be asked before anything is. */
export type LinkOutcome =
  | { readonly kind: 'linked' }
  | { readonly kind: 'unconfirmed'; readonly identity: KnownIdentity; readonly accountEmail: string };

/**
 * What is linked to the account already stays so, and no mail is sent.
 * @returns `unconfirmed` in a browser without the preparing session, where nothing is changed
 * @throws ExternalRefusal LINK_SESSION_OVER, IDENTITY_TAKEN, ACCOUNT_HAS_OTHER_IDENTITY, RATE_LIMITED, PROVIDER_REFUSED;
 *   nothing is changed then
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

/**
 * After a yes. Everything is decided anew, by what holds now.
 * @throws ExternalRefusal LINK_SESSION_OVER, IDENTITY_TAKEN, ACCOUNT_HAS_OTHER_IDENTITY; nothing is changed then
 */
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
    await limits.take(rateLimits.externalLink, userId);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'RATE_LIMITED') {
      throw new ExternalRefusal('RATE_LIMITED', rateLimits.externalLink.name, { cause: error });
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
  if (owner !== null) throw new ExternalRefusal('IDENTITY_TAKEN');
  const { has } = await transaction.one(hasIdentityOfIssuer, [userId, issuer]);
  if (has) throw new ExternalRefusal('ACCOUNT_HAS_OTHER_IDENTITY');
  if (!isSessionHere && !request.isConfirmed) {
    const { email: accountEmail } = await transaction.one(getAddressee, [userId]);
    return { kind: 'unconfirmed', identity, accountEmail };
  }
  await attachIdentity(deps, transaction, userId, identity, 'by_session');
  return { kind: 'linked' };
};

/**
 * The session that prepared the link is live, wherever it has switched to, and nobody else is signed in where the
 * browser came back: their cookies would show them an account that is not the one that was linked.
 * @returns whether this browser holds that very session
 */
const requireSession = async (
  { settings }: LinkIdentityDeps,
  transaction: Transaction,
  { userId, sessionFamilyId, presentedTokens }: LinkRequest,
): Promise<boolean> => {
  const session = await transaction.maybeOne(findSessionOfPerson, [sessionFamilyId, userId]);
  if (session === null) throw new ExternalRefusal('LINK_SESSION_OVER', 'ended');
  const signedIn = await listPresentedSessions(transaction, presentedTokens, settings.graphqlAudiences);
  if (signedIn.some((other) => other.userId !== userId))
    throw new ExternalRefusal('LINK_SESSION_OVER', 'somebody else');
  return signedIn.some((held) => held.sessionFamilyId === session.sessionFamilyId);
};

// A link that waits for a person's answer, because the browser that came back from the provider does not hold the session
// that prepared it (specification, "HTTP routes": the identity goes to the signed-in user). It waits in the helper session
// of that browser, counts once, and is no credential.

export interface LinkQuestion {
  readonly target: LinkTarget;
  readonly identity: KnownIdentity;
  /** The address of the account, as far as this browser is shown it. */
  readonly account: string;
  /** Whether that is the identity's address too. */
  readonly isSameAddress: boolean;
  /** Where the person goes after a yes; null without a wish. */
  readonly redirect: string | null;
}

interface LinkQuestionDeps {
  readonly helperSessions: HelperSessions;
}

const questionEntryOf = (questionId: string): string => `link-question:${questionId}`;

/**
 * @param sessionId of the browser's helper session
 * @returns the id of the question, which names nothing outside of this helper session
 * @throws Refusal UNAVAILABLE
 */
export const keepLinkQuestion = async (
  { helperSessions }: LinkQuestionDeps,
  sessionId: string,
  question: LinkQuestion,
): Promise<string> => {
  const questionId = randomBytes(16).toString('base64url');
  await helperSessions.write(sessionId, questionEntryOf(questionId), JSON.stringify(question), attemptLifeSeconds);
  return questionId;
};

/** Null when it was answered, ran out, or belongs to another browser. @throws Refusal UNAVAILABLE */
export const findLinkQuestion = async (
  { helperSessions }: LinkQuestionDeps,
  sessionId: string,
  questionId: string,
): Promise<LinkQuestion | null> => parseQuestion(await helperSessions.read(sessionId, questionEntryOf(questionId)));

/** The same, and the question is over: of several answers, one gets it. @throws Refusal UNAVAILABLE */
export const takeLinkQuestion = async (
  { helperSessions }: LinkQuestionDeps,
  sessionId: string,
  questionId: string,
): Promise<LinkQuestion | null> => parseQuestion(await helperSessions.take(sessionId, questionEntryOf(questionId)));

/** The same address as the identity's is shown whole; of another one only enough to know one's own again. */
export const shownAccount = (
  email: string,
  identity: KnownIdentity,
): Pick<LinkQuestion, 'account' | 'isSameAddress'> => {
  const isSameAddress = identity.isEmailVerified && email === identity.email;
  return { account: isSameAddress ? email : masked(email), isSameAddress };
};

const masked = (email: string): string => {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
};

/** Entries are sealed, so only another version of the service can have written something else: that counts as none. */
const parseQuestion = (text: string | null): LinkQuestion | null => {
  const value: unknown = text === null ? null : JSON.parse(text);
  return isRecord(value) ? questionIn(value) : null;
};

const questionIn = ({ target, identity, account, isSameAddress, redirect }: JsonRecord): LinkQuestion | null => {
  if (!isTarget(target) || !isKnownIdentity(identity) || typeof account !== 'string') return null;
  return {
    target,
    identity,
    account,
    isSameAddress: isSameAddress === true,
    redirect: typeof redirect === 'string' ? redirect : null,
  };
};

const isTarget = (value: unknown): value is LinkTarget =>
  isRecord(value) && typeof value['userId'] === 'string' && typeof value['sessionFamilyId'] === 'string';

// A link that a session prepared counts for one attempt: its nonce waits in the helper session until an attempt takes it.
// A kept copy of the link cookie names a nonce that is gone.

/** From the preparation until the browser must have left for the provider. In seconds. */
export const preparedLinkSeconds = 120;

interface PreparedLinkDeps {
  readonly helperSessions: Pick<HelperSessions, 'write' | 'take'>;
}

const linkEntryOf = (nonce: string): string => `prepared-link:${nonce}`;

/**
 * @param sessionId of the browser's helper session
 * @returns the nonce for the link cookie
 * @throws Refusal UNAVAILABLE
 */
export const keepPreparedLink = async ({ helperSessions }: PreparedLinkDeps, sessionId: string): Promise<string> => {
  const nonce = randomBytes(16).toString('base64url');
  await helperSessions.write(sessionId, linkEntryOf(nonce), '', preparedLinkSeconds);
  return nonce;
};

/**
 * Whether the link may still begin; of several who ask with one nonce, the first may.
 * @throws Refusal UNAVAILABLE
 */
export const takePreparedLink = async (
  { helperSessions }: PreparedLinkDeps,
  sessionId: string,
  nonce: string,
): Promise<boolean> => (await helperSessions.take(sessionId, linkEntryOf(nonce))) !== null;

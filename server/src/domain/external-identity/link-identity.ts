/**
 * Operations: an identity becomes a way to sign in to the account of who is signed in (contract, "Browser routes"). Where
 * the browser does not hold the session that prepared it, the person is asked first: the preparation may be another
 * person's, planted by a neighbour host, and the identity would then open that person's account.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { ProvidedIdentity } from '../../platform/identity-provider.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { listPresentedSessions } from '../credentials/signed-in.ts';
import { findSessionOfPerson } from '../credentials/signed-in-store.ts';
import { getAddressee, lockUserRow } from '../users/users-store.ts';
import { attachIdentity, type TellDeps } from './attach-identity.ts';
import { ExternalRefusal } from './external-refusal.ts';
import { findOwner, hasIdentityOfIssuer, lockIdentity, shareIdentity } from './identities-store.ts';
import { type KnownIdentity, knownIdentityOf } from './known-identity.ts';

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
  await takeTurn(deps, request.userId);
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

const takeTurn = async ({ limits }: LinkIdentityDeps, userId: string): Promise<void> => {
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

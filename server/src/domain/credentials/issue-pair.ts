/**
 * Owns: tokens: issue, rotate, revoke; the time when a credential was last seen.
 * Promises: A refresh token is used once, and its replay ends the session family; no secret is stored in clear.
 *
 * A new session family with its first pair (ACCESS_TTL_SECONDS, REFRESH_TTL_SECONDS); a sign-in ends the one before.
 */
import { newId } from '../../kernel/ids.ts';
import { storableAddress } from '../../kernel/network.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import { retryUntilKnown } from '../../platform/database/failure.ts';
import { shareUserRow } from '../users/users-store.ts';
import type { ActorDetail, IssuedActorRow } from './actor-store.ts';
import {
  type IssuedPairRow,
  issuePair,
  listFamiliesOfTokens,
  type PairParams,
  type PairWithActorRow,
} from './credentials-store.ts';
import { revokeSession } from './revoke.ts';
import { findPairWithActor } from './rotation-store.ts';
import { hashesOfTokens, hashToken, newToken } from './token.ts';

/** Lifetimes of credentials, in seconds, and of what is kept of how they began. */
export interface CredentialLifetimes {
  /** ACCESS_TTL_SECONDS; the expiry is set by the inserts of `credentials-store.ts` and `rotation-store.ts`. */
  readonly accessTtlSeconds: number;
  readonly refreshTtlSeconds: number;
  /** How long a sign-in stays in the history; 0 keeps none. */
  readonly signInHistoryDays: number;
}

/** The origin of a request, as the credential records it. */
export interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The raw tokens. They leave the process once, in the answer or in cookies, and are not stored. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessTokenExpiresAt: Date;
  readonly refreshTokenExpiresAt: Date;
  /** Whole seconds until expiry by the database's clock, from which the process's own may differ. */
  readonly accessTokenSecondsLeft: number;
  readonly refreshTokenSecondsLeft: number;
}

/** A pair to deliver: with the row of its actor, or null in its place where the row was not requested. */
export interface PairToDeliver extends TokenPair {
  readonly actorRow: IssuedActorRow | null;
}

/** A pair with the row of its actor, as the issuing statement found them. */
export interface PairWithActor extends PairToDeliver {
  readonly actorRow: IssuedActorRow;
}

interface FirstPair extends PairWithActor {
  readonly sessionFamilyId: string;
}

/** How a user authenticated. Whole seconds ago, by the database's clock; 0 is at the time of the transaction. */
export interface Authentication {
  readonly secondsAgo: number;
  /** By a passkey, or by a one-time code beside another factor. */
  readonly hasSecondFactor: boolean;
}

/** An authentication by one factor in this request: a password, or an invitation's or verification's link with one. */
export const authenticatedNow: Authentication = { secondsAgo: 0, hasSecondFactor: false };

/** The grant of a person to an OAuth client. */
interface ClientGrant {
  readonly clientId: string;
  /** Never empty. */
  readonly scopes: readonly string[];
  /** The membership that the pair is bound to; null for Platform MCP, which belongs to no organization. */
  readonly bound: BoundMembership | null;
}

/** A membership, and the host of the redirect URI at which the client was granted it. */
interface BoundMembership {
  readonly organizationId: string;
  readonly membershipId: string;
  readonly redirectHost: string;
}

export interface PairRequest {
  readonly userId: string;
  readonly audience: string;
  readonly authMethod: string;
  readonly caller: Caller;
  /** The session family that this one replaces, whose expiry it keeps; null starts a new lifetime. */
  readonly succeeds: string | null;
  /** The grant of an OAuth client, which is never empty; null for every other credential, which is not limited. */
  readonly grant: ClientGrant | null;
  /** How much of the user the answer contains. Default: the actor, without the lists. */
  readonly detail?: ActorDetail;
  /** How the user authenticated for a new session; absent when they did not. A successor keeps its predecessor's. */
  readonly authentication?: Authentication | undefined;
  /** The bcrypt hash that was matched before this transaction; it must still be the user's, without one-time codes. */
  readonly provenPasswordHash?: string | null;
  /** The transaction holds the user's row already. */
  readonly isUserHeld?: true;
  /** The pair of a sign-in, which enters the history. */
  readonly isSignIn?: true;
}

const maxUserAgentLength = 512;

/** Fresh tokens: the parameters with which issue and rotation insert them, and the resulting pair. */
export const freshPair = (caller: Caller, lifetimes: CredentialLifetimes) => {
  const accessToken = newToken('user_session');
  const refreshToken = newToken('user_refresh');
  const params = [
    newId(),
    hashToken(accessToken),
    newId(),
    hashToken(refreshToken),
    newId(),
    lifetimes.accessTtlSeconds,
    caller.ip,
    caller.userAgent?.slice(0, maxUserAgentLength) ?? null,
  ] as const;
  const pairOf = (row: IssuedPairRow): TokenPair => ({
    accessToken,
    refreshToken,
    accessTokenExpiresAt: row.accessExpiresAt,
    refreshTokenExpiresAt: row.refreshExpiresAt,
    accessTokenSecondsLeft: row.accessSecondsLeft,
    refreshTokenSecondsLeft: row.refreshSecondsLeft,
  });
  return { params, pairOf };
};

/**
 * Issues a pair (contract/credentials.md#beginnings-of-a-session). Holds the user's row, so that the snapshot is from
 * before or after a concurrent change of membership.
 * @returns null when the user is gone, suspended or unverified, or the proven password is not theirs or not sufficient
 */
export const issueCredentialPair = async (
  transaction: Transaction,
  lifetimes: CredentialLifetimes,
  request: PairRequest,
): Promise<FirstPair | null> => {
  // A separate statement, so that the next one sees commits from the time that this one waited, in other tables too.
  if (request.isUserHeld !== true) await transaction.maybeOne(shareUserRow, [request.userId]);
  const { params, pairOf } = freshPair(request.caller, lifetimes);
  const row = await issue(transaction, lifetimes, request, params);
  if (row === null) return null;
  // A switch to another organization continues the session.
  if (request.succeeds === null) transaction.count('sessionsBegun', [request.authMethod, request.audience]);
  // A family has the id of its first refresh credential.
  return { ...pairOf(row), actorRow: row, sessionFamilyId: params[2] };
};

const issue = (
  queryable: Pick<Queryable, 'maybeOne'>,
  lifetimes: CredentialLifetimes,
  request: PairRequest,
  params: Readonly<PairParams>,
): Promise<PairWithActorRow | null> =>
  queryable.maybeOne(issuePair, [
    ...params,
    request.userId,
    lifetimes.refreshTtlSeconds,
    request.audience,
    request.authMethod,
    request.succeeds,
    request.grant?.clientId ?? null,
    request.grant?.scopes ?? [],
    request.detail === 'lists',
    request.provenPasswordHash ?? null,
    request.authentication?.secondsAgo ?? null,
    request.authentication?.hasSecondFactor ?? false,
    request.isSignIn === true ? lifetimes.signInHistoryDays : 0,
    storableAddress(request.caller.ip),
    request.grant?.bound?.organizationId ?? null,
    request.grant?.bound?.membershipId ?? null,
    request.grant?.bound?.redirectHost ?? null,
  ]);

/**
 * Runs a statement that issues fresh tokens until its outcome is known: a client that refreshes while the database
 * restarts would else keep a dead pair. A retry waits for a first attempt still running.
 * @param issueFresh returns null for tokens that exist already
 * @param findIssued finds the pair of the fresh tokens
 */
export const issueForSure = <Row>(
  issueFresh: () => Promise<Row | null>,
  findIssued: () => Promise<Row | null>,
): Promise<Row | null> => retryUntilKnown(issueFresh, async () => (await issueFresh()) ?? (await findIssued()));

/** The hashes by which fresh tokens are found. */
export const hashesOf = ([, accessHash, , refreshHash]: Readonly<PairParams>): [Buffer, Buffer] => [
  accessHash,
  refreshHash,
];

// Sign-in by any method: starts a new session and ends the one that it replaces.

const isSignIn = true;

/** Who signs in, and how that was proved. */
type ProvenPerson = Pick<PairRequest, 'userId' | 'authMethod' | 'provenPasswordHash' | 'authentication' | 'isUserHeld'>;

export interface SignInContext {
  readonly audience: string;
  readonly caller: Caller;
  /** Raw, from this browser's cookies: their session ends, followed through switches of organization. */
  readonly replacedTokens: readonly string[];
  /** How much of the user the answer contains, beside the pair. */
  readonly detail: ActorDetail;
}

/**
 * Issues the first pair, then ends the replaced session, in lock order: the user before their families.
 * @returns null, with no session ended, as {@link issueCredentialPair}
 */
export const beginSession = async (
  transaction: Transaction,
  lifetimes: CredentialLifetimes,
  proven: ProvenPerson,
  { audience, caller, replacedTokens, detail }: SignInContext,
): Promise<PairWithActor | null> => {
  const request = { ...proven, audience, caller, succeeds: null, grant: null, detail, isSignIn } as const;
  const pair = await issueCredentialPair(transaction, lifetimes, request);
  if (pair !== null) await endReplacedSessions(transaction, replacedTokens);
  return pair;
};

/** Begins a session that replaces none, by one statement. @returns null when {@link beginSession} must decide */
export const beginSessionAtOnce = async (
  database: Pick<Database, 'maybeOne' | 'count'>,
  lifetimes: CredentialLifetimes,
  proven: ProvenPerson,
  { audience, caller, detail }: Omit<SignInContext, 'replacedTokens'>,
): Promise<PairWithActor | null> => {
  const { params, pairOf } = freshPair(caller, lifetimes);
  const request = { ...proven, audience, caller, succeeds: null, grant: null, detail, isSignIn } as const;
  const row = await issueForSure(
    () => issue(database, lifetimes, request, params),
    () => database.maybeOne(findPairWithActor, [...hashesOf(params), detail === 'lists']),
  );
  if (row === null) return null;
  database.count('sessionsBegun', [proven.authMethod, audience]);
  return { ...pairOf(row), actorRow: row };
};

const endReplacedSessions = async (transaction: Transaction, tokens: readonly string[]): Promise<void> => {
  const hashes = hashesOfTokens(tokens);
  const families = hashes.length === 0 ? [] : await transaction.many(listFamiliesOfTokens, [hashes]);
  for (const { sessionFamilyId } of families) {
    await revokeSession(transaction, sessionFamilyId, 'replaced_by_sign_in');
  }
};

/** Rotation: a refresh token, with its access token or its OAuth client, gets a new pair for its first caller. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { accountSuspended } from '../users/users-store.ts';
import type { ActorDetail } from './actor-store.ts';
import {
  type Caller,
  type CredentialLifetimes,
  freshPair,
  hashesOf,
  issueForSure,
  type PairToDeliver,
  type TokenPair,
} from './issue-pair.ts';
import { revokeSession } from './revoke.ts';
import {
  findIssuedPair,
  findPairWithActor,
  findPresentedClientPair,
  findPresentedPair,
  type PresentedPair,
  type PresentedPairRow,
  type RotatedPairRow,
  recoverClientPair,
  recoverPairWithActor,
  rotateClientPair,
  rotatePair,
  rotatePairWithActor,
} from './rotation-store.ts';
import { hashToken, isWellFormedToken } from './token.ts';

interface RotationRequest {
  /** Undefined and malformed tokens are refused without a look-up. */
  readonly refreshToken: string | undefined;
  readonly accessToken: string | undefined;
  /** Audiences whose pairs may rotate at this surface. */
  readonly audiences: readonly string[];
  readonly caller: Caller;
  /** How much of the user the answer contains, beside the pair. */
  readonly detail: ActorDetail;
}

interface RotationDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly lifetimes: CredentialLifetimes;
}

/**
 * Operation refreshAccessToken (contract/credentials.md#rotation): rotates a pair.
 *
 * A pair that was replaced 10 to 60 seconds ago, and whose successor was never used, gets another pair in place of that
 * one: the answer with it was lost (contract/credentials.md#lost-answer-to-a-refresh). The first use of the lost one
 * ends the session from then on.
 * @throws Refusal REFRESH_SUPERSEDED: another caller replaced the pair in the last 10 seconds; nothing changes
 * @throws Refusal ACCOUNT_SUSPENDED: the pair was live until its user was suspended
 * @throws Refusal REFRESH_REFUSED: every other case. A pair that was rotated, or retired by a switch, longer ago is
 *   treated as stolen: its session ends, followed through switches of organization
 */
export const rotateCredentialPair = async (deps: RotationDeps, request: RotationRequest): Promise<PairToDeliver> => {
  const { refreshToken: oldRefresh = '', accessToken: oldAccess = '', audiences } = request;
  if (!isWellFormedToken('user_refresh', oldRefresh) || !isWellFormedToken('user_session', oldAccess)) throw refused();
  const presented: PresentedPair = [hashToken(oldRefresh), hashToken(oldAccess), audiences];
  const pair = await (request.detail === 'none' ? rotateAlone : rotateWithActor)(deps, request, presented);
  return pair ?? recover(deps, request, presented);
};

/** Another pair where the answer with the last one was lost; otherwise, why there is none. */
const recover: (...args: Parameters<RotatePresented>) => Promise<PairToDeliver> = async (deps, request, presented) => {
  const { database } = deps;
  const facts = await database.maybeOne(findPresentedPair, presented);
  if (facts?.hasUnusedSuccessor !== true || facts.replacedWithinGrace) throw await explainLoss(deps, facts);
  const pair = await issueWithActor(deps, request, presented, recoverPairWithActor);
  if (pair === null) throw await explainLoss(deps, await database.maybeOne(findPresentedPair, presented));
  noteRecovery(deps, facts);
  return request.detail === 'none' ? { ...pair, actorRow: null } : pair;
};

const noteRecovery = ({ logger }: RotationDeps, { sessionFamilyId, userId }: PresentedPairRow): void => {
  const line = { event: 'auth.refresh.recovered', sessionFamilyId, userId } as const;
  logger.info(line, 'A pair that was never used was replaced by another one: the answer with it was lost');
};

type RotatePresented = (
  deps: RotationDeps,
  request: RotationRequest,
  presented: PresentedPair,
) => Promise<PairToDeliver | null>;

const rotateAlone: RotatePresented = async ({ database, lifetimes }, { caller }, presented) => {
  const { params, pairOf } = freshPair(caller, lifetimes);
  const row = await issueForSure(
    () => database.maybeOne(rotatePair, [...params, ...presented]),
    () => database.maybeOne(findIssuedPair, hashesOf(params)),
  );
  return row === null ? null : { ...pairOf(row), actorRow: null };
};

const rotateWithActor: RotatePresented = (deps, request, presented) =>
  issueWithActor(deps, request, presented, rotatePairWithActor);

/** Issues a pair with the row of its actor by one of two statements; null when it consumed none. */
const issueWithActor = async (
  { database, lifetimes }: RotationDeps,
  { caller, detail }: RotationRequest,
  presented: PresentedPair,
  rotate: typeof rotatePairWithActor,
): Promise<PairToDeliver | null> => {
  const { params, pairOf } = freshPair(caller, lifetimes);
  const hasLists = detail === 'lists';
  const row = await issueForSure(
    () => database.maybeOne(rotate, [...params, ...presented, hasLists]),
    () => database.maybeOne(findPairWithActor, [...hashesOf(params), hasLists]),
  );
  return row === null ? null : { ...pairOf(row), actorRow: row };
};

export interface ClientRotationRequest {
  readonly refreshToken: string;
  /** The client that presents it; a text that is not an id matches no client. */
  readonly clientId: string;
  /** Scopes of the new access token; null keeps everything that was granted. */
  readonly scopes: readonly string[] | null;
  /** The audiences of the resources that are served now. */
  readonly audiences: readonly string[];
  readonly caller: Caller;
}

export interface ScopedPair {
  readonly pair: TokenPair;
  readonly scopes: readonly string[];
}

/**
 * Rotates an OAuth client's pair (contract/platform-mcp.md#refresh-of-a-client; RFC 6749, section 6). The refresh token
 * keeps the granted scopes, however narrow the access token is.
 * @throws Refusal FORBIDDEN: lists requested scopes that were not granted; REFRESH_SUPERSEDED, REFRESH_REFUSED: as for
 *   any pair; also where the user is no super admin with a requested scope or no member any more, with nothing changed
 */
export const rotateCredentialPairOfClient = async (
  deps: RotationDeps,
  { refreshToken, clientId, scopes, audiences, caller }: ClientRotationRequest,
): Promise<ScopedPair> => {
  if (!isWellFormedToken('user_refresh', refreshToken) || !isId(clientId)) throw refused();
  const presented = [hashToken(refreshToken), clientId] as const;
  const { params, pairOf } = freshPair(caller, deps.lifetimes);
  const issue = (rotate: typeof rotateClientPair): Promise<RotatedPairRow | null> =>
    issueForSure(
      () => deps.database.maybeOne(rotate, [...params, ...presented, scopes, audiences]),
      () => deps.database.maybeOne(findIssuedPair, hashesOf(params)),
    );
  const row = await issue(rotateClientPair);
  if (row !== null) return { pair: pairOf(row), scopes: row.scopes };
  const facts = await deps.database.maybeOne(findPresentedClientPair, [...presented]);
  if (facts === null) throw refused();
  const widened = scopes?.filter((scope) => !facts.scopes.includes(scope)) ?? [];
  const isLive = facts.familyIsLive && (!facts.wasReplaced || facts.hasUnusedSuccessor);
  if (isLive && widened.length > 0) throw notGranted(widened);
  const recovered = facts.hasUnusedSuccessor ? await issue(recoverClientPair) : null;
  if (recovered === null) throw await explainLoss(deps, facts);
  noteRecovery(deps, facts);
  return { pair: pairOf(recovered), scopes: recovered.scopes };
};

const explainLoss = async (deps: RotationDeps, facts: PresentedPairRow | null): Promise<Refusal> => {
  if (facts?.isSuspended === true) return accountSuspended(facts.userId);
  if (facts === null || !facts.wasReplaced || !(facts.familyIsLive || facts.hasSuccessor)) return refused();
  // Its successor, or one that another caller has just got in place of that, reaches whom it was issued to.
  if (facts.hasUnusedSuccessor) return superseded();
  if (facts.replacedWithinGrace && !facts.wasReplacedUnused) {
    return facts.wasRotated && facts.familyIsLive ? superseded() : refused();
  }
  const { sessionFamilyId, userId } = facts;
  const { revokedCredentials } = await deps.database.transaction((transaction) =>
    revokeSession(transaction, sessionFamilyId, 'refresh_reuse'),
  );
  if (revokedCredentials > 0) {
    const line = { event: 'auth.refresh.reuse', sessionFamilyId, userId } as const;
    deps.logger.warn(line, 'A replaced refresh token was used again: its session is revoked');
  }
  return refused();
};

const superseded = (): Refusal => new Refusal('REFRESH_SUPERSEDED', 'Another request has just refreshed this session.');

const refused = (): Refusal => new Refusal('REFRESH_REFUSED', 'This session cannot be refreshed. Sign in again.');

const notGranted = (missingScopes: readonly string[]): Refusal =>
  new Refusal('FORBIDDEN', 'The request asks for more scopes than were granted.', { missingScopes });

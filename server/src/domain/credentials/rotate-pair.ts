/** Rotation: a refresh token and its paired access token become a new pair, for the first caller only. */
import { Refusal } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { findPresentedPair, type PresentedPairRow, rotatePair } from './credentials-store.ts';
import { type Caller, type CredentialLifetimes, freshPair, type TokenPair } from './issue-pair.ts';
import { revokeSession } from './revoke.ts';
import { hashToken, isWellFormedToken } from './token.ts';

export interface RotationRequest {
  /** Undefined or malformed tokens are refused without a look-up. */
  readonly refreshToken: string | undefined;
  readonly accessToken: string | undefined;
  /** Audiences that may rotate at this surface. */
  readonly audiences: readonly string[];
  readonly caller: Caller;
}

export interface RotationDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly lifetimes: CredentialLifetimes;
}

/**
 * Rotates a pair (specification, "Credential pair", second row; contract, "Refresh").
 * @throws Refusal REFRESH_SUPERSEDED when another caller rotated the pair in the last 10 seconds; nothing changes
 * @throws Refusal REFRESH_REFUSED otherwise; a pair that was rotated, or retired by a switch, longer ago is taken for
 *   stolen, and its session ends, wherever it has switched to since
 */
export const rotateCredentialPair = async (deps: RotationDeps, request: RotationRequest): Promise<TokenPair> => {
  const { refreshToken: oldRefresh = '', accessToken: oldAccess = '', audiences } = request;
  if (!isWellFormedToken('user_refresh', oldRefresh) || !isWellFormedToken('user_session', oldAccess)) throw refused();
  const presented = [hashToken(oldRefresh), hashToken(oldAccess), audiences] as const;
  const { params, pairOf } = freshPair(request.caller, deps.lifetimes);
  const row = await deps.database.maybeOne(rotatePair, [...params, ...presented]);
  if (row === null) throw await explainLoss(deps, await deps.database.maybeOne(findPresentedPair, [...presented]));
  return pairOf(row);
};

const explainLoss = async (deps: RotationDeps, facts: PresentedPairRow | null): Promise<Refusal> => {
  if (facts === null || !facts.wasReplaced || !(facts.familyIsLive || facts.hasSuccessor)) return refused();
  if (facts.replacedWithinGrace) return facts.wasRotated && facts.familyIsLive ? superseded() : refused();
  const { sessionFamilyId, userId } = facts;
  const { revokedCredentials } = await deps.database.transaction((transaction) =>
    revokeSession(transaction, sessionFamilyId, 'refresh_reuse'),
  );
  if (revokedCredentials > 0) {
    deps.logger.warn(
      { event: 'auth.refresh.reuse', sessionFamilyId, userId },
      'A refresh token that was replaced came back: its session is revoked',
    );
  }
  return refused();
};

const superseded = (): Refusal => new Refusal('REFRESH_SUPERSEDED', 'Another request has just refreshed this session.');

const refused = (): Refusal => new Refusal('REFRESH_REFUSED', 'This session cannot be refreshed. Sign in again.');

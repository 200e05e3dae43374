/**
 * Issues a new session family with its first token pair; a sign-in begins one in place of the previous session.
 */
import { newId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { shareUserRow } from '../users/users-store.ts';
import { type IssuedPairRow, issuePair, listFamiliesOfTokens } from './credentials-store.ts';
import type { HolderDetail, MintedHolderRow } from './holder-store.ts';
import { revokeSession } from './revoke.ts';
import { hashesOfTokens, hashToken, newToken } from './token.ts';

// Issuing: a new session family with its first pair of tokens.

/** How long credentials live, in seconds. */
export interface CredentialLifetimes {
  readonly accessTtlSeconds: number;
  readonly refreshTtlSeconds: number;
}

/** Where a request came from, as the credential remembers it. */
export interface Caller {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The raw tokens: they leave the process once, in the answer or in cookies, and are stored nowhere. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessTokenExpiresAt: Date;
  readonly refreshTokenExpiresAt: Date;
  /** Whole seconds until then by the database's clock: the process's own may be another. */
  readonly accessTokenSecondsLeft: number;
  readonly refreshTokenSecondsLeft: number;
}

/** A pair with who holds it, as the statement that minted it found them; null where that was not asked for. */
export interface MintedPair extends TokenPair {
  readonly holder: MintedHolderRow | null;
}

/** The same where the holder is known. */
export interface HeldPair extends MintedPair {
  readonly holder: MintedHolderRow;
}

/** The first pair of a session family. */
export interface FirstPair extends HeldPair {
  readonly sessionFamilyId: string;
}

export interface PairRequest {
  readonly userId: string;
  readonly audience: string;
  readonly authMethod: string;
  readonly caller: Caller;
  /** The session family that this one takes the place of, whose last instant it keeps; null begins a new life. */
  readonly succeeds: string | null;
  /** What an OAuth client was granted, never nothing; null for everybody else, who is not limited. */
  readonly grant: { readonly clientId: string; readonly scopes: readonly string[] } | null;
  /** How much the answer says of the person. Default: the holder, without the lists. */
  readonly detail?: HolderDetail;
  /** The person proved themself by the password, before this transaction: it must not have been removed since. */
  readonly requiresPassword?: boolean;
}

const maxUserAgentLength = 512;

/** Fresh tokens: the parameters by which issuing and rotating insert them, and the pair that comes of it. */
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
 * Issues a pair (specification, "Credential pair", first row). The person's row is held from here on, so that the
 * snapshot is the membership of before or after an acceptance, a switch or a removal that is under way.
 * @returns null when the user is gone, their address is not verified, or a password that is required was removed
 */
export const issueCredentialPair = async (
  transaction: Transaction,
  lifetimes: CredentialLifetimes,
  request: PairRequest,
): Promise<FirstPair | null> => {
  const { params, pairOf } = freshPair(request.caller, lifetimes);
  const user = await transaction.maybeOne(shareUserRow, [request.userId]);
  if (request.requiresPassword === true && user?.hasPassword !== true) return null;
  const row = await transaction.maybeOne(issuePair, [
    ...params,
    request.userId,
    lifetimes.refreshTtlSeconds,
    request.audience,
    request.authMethod,
    request.succeeds,
    request.grant?.clientId ?? null,
    request.grant?.scopes ?? [],
    request.detail === 'lists',
  ]);
  // A family bears the id of its first refresh credential.
  return row === null ? null : { ...pairOf(row), holder: row, sessionFamilyId: params[2] };
};

// Coming in from outside, by whatever proves who one is: a new session begins, and the one that it replaces ends.

/** How somebody comes in. */
export interface SignInContext {
  readonly audience: string;
  readonly caller: Caller;
  /** Raw, the cookies that this browser held: the session they belong to ends, wherever it has switched to. */
  readonly replacedTokens: readonly string[];
  /** How much the answer says of the person, beside the pair. */
  readonly detail: HolderDetail;
}

/**
 * Issues the first pair, and ends the replaced session only then: who locks a person's row and the rows of their
 * families does so in this order, everywhere.
 * @returns null when the user is gone, their address is not verified, or a password that is required was removed; nothing
 *   has ended then
 */
export const beginSession = async (
  transaction: Transaction,
  lifetimes: CredentialLifetimes,
  proven: Pick<PairRequest, 'userId' | 'authMethod' | 'requiresPassword'>,
  { audience, caller, replacedTokens, detail }: SignInContext,
): Promise<HeldPair | null> => {
  const request = { ...proven, audience, caller, succeeds: null, grant: null, detail };
  const pair = await issueCredentialPair(transaction, lifetimes, request);
  if (pair !== null) await endReplacedSessions(transaction, replacedTokens);
  return pair;
};

const endReplacedSessions = async (transaction: Transaction, tokens: readonly string[]): Promise<void> => {
  const hashes = hashesOfTokens(tokens);
  const families = hashes.length === 0 ? [] : await transaction.many(listFamiliesOfTokens, [hashes]);
  for (const { sessionFamilyId } of families) {
    await revokeSession(transaction, sessionFamilyId, 'replaced_by_sign_in');
  }
};

/** Coming in from outside, by whatever proves who one is: a new session begins, and the one that it replaces ends. */
import type { Transaction } from '../../platform/database/database.ts';
import { listFamiliesOfTokens } from './credentials-store.ts';
import type { HolderDetail } from './holder-store.ts';
import {
  type Caller,
  type CredentialLifetimes,
  type HeldPair,
  issueCredentialPair,
  type PairRequest,
} from './issue-pair.ts';
import { revokeSession } from './revoke.ts';
import { hashesOfTokens } from './token.ts';

/** How somebody comes in. */
export interface Entrance {
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
  { audience, caller, replacedTokens, detail }: Entrance,
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

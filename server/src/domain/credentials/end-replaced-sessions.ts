/** Whoever signs in over a browser's cookies ends the session that those belonged to, wherever it has switched to. */
import type { Transaction } from '../../platform/database/database.ts';
import { listFamiliesOfTokens } from './credentials-store.ts';
import { revokeSession } from './revoke.ts';
import { hashToken, isWellFormedToken } from './token.ts';

/**
 * Runs after the new pair was issued: who locks a person's row and the rows of their families does so in this order.
 * @param tokens raw, from the cookies; whatever is no token is passed over
 */
export const endReplacedSessions = async (transaction: Transaction, tokens: readonly string[]): Promise<void> => {
  const hashes = tokens.filter(isTokenOfSession).map((token) => `\\x${hashToken(token).toString('hex')}`);
  const families = hashes.length === 0 ? [] : await transaction.many(listFamiliesOfTokens, [hashes]);
  for (const { sessionFamilyId } of families) {
    await revokeSession(transaction, sessionFamilyId, 'replaced_by_sign_in');
  }
};

const isTokenOfSession = (token: string): boolean =>
  isWellFormedToken('user_session', token) || isWellFormedToken('user_refresh', token);

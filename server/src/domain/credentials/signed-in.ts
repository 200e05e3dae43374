/** Who is signed in where a request comes from: a question to those who bring a person in, or something to a person. */
import type { Queryable } from '../../platform/database/database.ts';
import { listSignedIn, type SignedInRow } from './signed-in-store.ts';
import { hashesOfTokens } from './token.ts';

/**
 * The live sessions that tokens belong to. An access token that has expired counts like one that has not: the refresh
 * token beside it keeps the person signed in.
 * @param tokens raw, as they were presented; what is no token is passed over
 * @param audiences of the sessions that count
 */
export const listPresentedSessions = async (
  queryable: Pick<Queryable, 'many'>,
  tokens: readonly string[],
  audiences: readonly string[],
): Promise<readonly SignedInRow[]> => {
  const hashes = hashesOfTokens(tokens);
  return hashes.length === 0 ? [] : queryable.many(listSignedIn, [hashes, audiences]);
};

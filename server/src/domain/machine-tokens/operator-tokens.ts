/**
 * Tokens in the operator's shell: a list over all organizations, and the end of tokens by their ids. No surface reaches
 * them.
 */
import type { Queryable } from '../../platform/database/database.ts';
import type { Deps } from '../access/deps.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import { findToken, listTokensOfInstance, type MachineTokenRow, type MachineTokenStatus } from './tokens-store.ts';

/** Null matches any. */
interface OperatorFilter {
  readonly organizationId: string | null;
  /** Whose personal tokens are listed. */
  readonly userId: string | null;
  readonly status: MachineTokenStatus | null;
}

/** Tokens of a list, at most. */
export const mostListed = 10_000;

/** The newest tokens of every organization; those that ended up to 90 days ago too. */
export const listTokensByOperator = (
  database: Pick<Queryable, 'many'>,
  { organizationId, userId, status }: OperatorFilter,
): Promise<MachineTokenRow[]> => database.many(listTokensOfInstance, [organizationId, userId, status, mostListed]);

interface EndedTokens {
  readonly tokenId: string;
  /** 0 for a token that had ended before. */
  readonly revokedCredentials: number;
}

/**
 * Ends tokens with their secrets, all of them or none. The audit of each is noted where its secrets are revoked.
 * @param tokenIds ids, each once
 * @returns what ended; the first unknown id, with nothing changed, when there is one
 */
export const revokeTokensByOperator = (
  { database, logger }: Deps<'database' | 'logger'>,
  tokenIds: readonly string[],
): Promise<{ readonly ended: readonly EndedTokens[] } | { readonly unknownId: string }> =>
  database.transaction(async (transaction) => {
    const tokens: MachineTokenRow[] = [];
    // In the order in which all code locks several families.
    for (const tokenId of tokenIds.toSorted()) {
      const token = await transaction.maybeOne(findToken, [tokenId]);
      if (token === null) return { unknownId: tokenId };
      tokens.push(token);
    }
    const ended: EndedTokens[] = [];
    for (const { id: tokenId } of tokens) {
      const { revokedCredentials } = await revokeSessionFamily(transaction, tokenId, 'revoked_by_operator');
      ended.push({ tokenId, revokedCredentials });
    }
    const live = tokens.filter((_token, at) => (ended[at]?.revokedCredentials ?? 0) > 0);
    for (const { id: tokenId, organizationId, userId: ownerId, serviceAccountId } of live) {
      const facts = { organizationId, tokenId, ownerId, serviceAccountId };
      transaction.afterCommit(() =>
        logger.warn({ event: 'token.revoked_by_operator', ...facts }, 'An operator revoked a token of a machine'),
      );
    }
    return { ended };
  });

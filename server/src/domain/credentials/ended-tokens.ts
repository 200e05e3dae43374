/** The audit of tokens of machines that end, however they do: each revocation of their secrets notes it. */
import type { Transaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { noteAudit } from '../audit/audits-of-transaction.ts';
import type { RevocationReason } from './revocation-reasons.ts';

interface EndedTokenRow {
  readonly tokenId: string;
  readonly organizationId: string;
  /** Null for a token of a service account. */
  readonly userId: string | null;
}

/**
 * Notes that tokens have ended, for the audits of their organizations.
 * @param tokenIds of which this transaction revoked a live secret
 */
export const noteEndedTokens = async (
  transaction: Transaction,
  tokenIds: readonly string[],
  reason: RevocationReason,
): Promise<void> => {
  if (tokenIds.length === 0) return;
  for (const { tokenId, organizationId, userId } of await transaction.many(findEndedTokens, [tokenIds])) {
    const subject = { subjectId: tokenId, subjectUserId: userId };
    noteAudit(transaction, { organizationId, event: 'TOKEN_REVOKED', ...subject, details: { reason } });
  }
};

const findEndedTokens = statement<EndedTokenRow, [tokenIds: readonly string[]]>(
  'machine_tokens.find_ended',
  `SELECT id AS "tokenId", organization_id AS "organizationId", user_id AS "userId" FROM machine_tokens
   WHERE id = ANY ($1::uuid[]) ORDER BY organization_id, id`,
);

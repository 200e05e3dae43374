/** What stays forbidden while an address can be restored (contract/account.md#forbidden-while-an-undo-is-open). */
import { Refusal } from '../../kernel/errors.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { findPendingUndo } from '../users/email-changes-store.ts';

/**
 * Requires that no change of address can be undone: who took the account over could take away what an undo would leave
 * to its owner. The caller holds the user's row.
 * @param addedAt when what is to be removed was added: newer than the requested change, it may go. Null: it may not
 * @throws Refusal FORBIDDEN: with `undoableUntil`
 */
export const requireNoPendingUndo = async (
  transaction: Pick<Queryable, 'maybeOne'>,
  userId: string,
  { addedAt }: { readonly addedAt: Date | null },
): Promise<void> => {
  const pending = await transaction.maybeOne(findPendingUndo, [userId, addedAt]);
  if (pending === null) return;
  throw new Refusal('FORBIDDEN', 'Your e-mail address was changed, and the former one can still undo that.', {
    undoableUntil: pending.undoableUntil.toISOString(),
  });
};

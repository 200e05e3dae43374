/**
 * Owns what stays forbidden while a change of address can be undone
 * (contract/account.md#forbidden-while-an-undo-is-open).
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { findPendingUndo } from '../users/email-changes-store.ts';

/**
 * Requires that no change of the user's address can still be undone: who took the account over could otherwise take
 * away what undoing the change would leave to its owner. The caller holds the user's row.
 * @param addedAt when the way to sign in that is about to be removed was added: one that is newer than the request for
 *   the change may go. Null for what is forbidden altogether
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

/** The rows of a super admin and of the person on whose account they act, held until the transaction ends. */
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockUserRow, shareUserRow } from './users-store.ts';

/**
 * Holds the caller's row against changes, and the person's alone, before either is read: two super admins who act on
 * each other come one after the other. A revocation of many sessions by the caller, which shares the caller's row, is
 * not in the way. The rows are taken in the order of their ids, so that no two callers deadlock.
 * @param targetId any text, in lower case
 * @returns whether the person exists
 */
export const holdTarget = async (transaction: Transaction, callerId: string, targetId: string): Promise<boolean> => {
  const ids = isId(targetId) ? [...new Set([callerId, targetId])].toSorted() : [callerId];
  let exists = false;
  for (const id of ids) {
    if (id !== targetId) await transaction.maybeOne(shareUserRow, [id]);
    else exists = (await transaction.maybeOne(lockUserRow, [id])) !== null;
  }
  return exists;
};

/** The row that the keys act on, and the one that they move to. */
import type { SessionRow } from './sessions.ts';

/** The row that the keys act on. */
export interface ActiveRow {
  readonly sessionFamilyId: string;
  /** Where it was when it became active: the row in its place is the next one when it is gone. */
  readonly index: number;
}

/**
 * @param by 1 or -1
 * @returns index of the row that the keys act on next; -1 without rows
 */
export const nextRow = (
  rows: readonly Pick<SessionRow, 'sessionFamilyId'>[],
  active: ActiveRow | undefined,
  by: number,
): number => {
  if (active === undefined) return Math.min(0, rows.length - 1);
  const at = rows.findIndex(({ sessionFamilyId }) => sessionFamilyId === active.sessionFamilyId);
  const next = at >= 0 ? at + by : active.index + Math.min(by, 0);
  return Math.min(Math.max(next, 0), rows.length - 1);
};

/** Verifies the record of tool calls, which is one chain (migration 0009). */
import type { Queryable } from '../../platform/database/database.ts';
import { listChain } from './tool-audits-store.ts';
import {
  type EndOfChain,
  emptyChain,
  endedAt,
  type KnownPosition,
  problemOf,
  type Verification,
} from './verify-chain.ts';

const rowsAtOnce = 1000;

/** Rows that are appended meanwhile may or may not be read. @param known a position and hash noted earlier */
export const verifyToolAudits = async (
  queryable: Pick<Queryable, 'many'>,
  known?: KnownPosition,
): Promise<Verification> => {
  let last: EndOfChain = emptyChain;
  for (;;) {
    const page = await queryable.many(listChain, [last.position, rowsAtOnce]);
    if (page.length === 0) return endedAt(last, known);
    for (const row of page) {
      const problem = problemOf(row, last, known);
      if (problem !== null) return { isSound: false, position: row.position, id: row.id, problem };
      last = row;
    }
  }
};

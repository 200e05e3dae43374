/** Verifies the record of tool calls, which is one chain (migration 0009). */
import type { Queryable } from '../../platform/database/database.ts';
import { type ChainRow, listChain } from './tool-audits-store.ts';
import {
  type EndOfChain,
  emptyChain,
  endedAt,
  hashAfter,
  type KnownPosition,
  problemOf,
  type Verification,
} from './verify-chain.ts';

const rowsAtOnce = 1000;

/**
 * Reads the whole chain in pages. Rows that are appended meanwhile may or may not be read.
 * @param known a position and hash noted earlier
 */
export const verifyToolAudits = async (
  queryable: Pick<Queryable, 'many'>,
  known?: KnownPosition,
): Promise<Verification> => {
  let last: EndOfChain = emptyChain;
  for (let page = await pageAfter(queryable, 0); page.length > 0; page = await pageAfter(queryable, last.position)) {
    for (const row of page) {
      const problem = problemOf(row, last, hashOf, known);
      if (problem !== null) return { isSound: false, position: row.position, id: row.id, problem };
      last = row;
    }
  }
  return endedAt(last, known);
};

const pageAfter = (queryable: Pick<Queryable, 'many'>, position: number): Promise<ChainRow[]> =>
  queryable.many(listChain, [position, rowsAtOnce]);

const hashOf = (row: ChainRow): Buffer =>
  hashAfter(row.previousHash, [
    String(row.position),
    row.id,
    row.actorUserId,
    row.credentialId,
    row.clientId,
    row.tool,
    row.outcome,
    row.correlationId,
    row.argumentDigest,
    row.createdAtMicros,
  ]);

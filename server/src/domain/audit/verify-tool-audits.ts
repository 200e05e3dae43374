/**
 * Verifies the record of tool calls: recomputes each row's hash and follows the chain.
 *
 * A chain reveals a row that was changed, removed, inserted or moved. It does not reveal missing rows at its end, nor a
 * chain that was recomputed from some row on. A position and its hash that were noted elsewhere reveal both: that row
 * must still exist with that hash.
 */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { type ChainRow, listChain } from './tool-audits-store.ts';

/** A position in the chain and the hash of its row, in lower-case hex. */
export interface KnownPosition {
  readonly position: number;
  readonly hash: string;
}

export type Verification =
  | {
      readonly isSound: true;
      readonly count: number;
      /** 0 for an empty chain. */
      readonly lastPosition: number;
      /** Lower-case hex; 64 zeros for an empty chain. */
      readonly lastHash: string;
    }
  | {
      readonly isSound: false;
      /** Position of the first invalid row. */
      readonly position: number;
      /** Null when the row is missing. */
      readonly id: string | null;
      readonly problem: ChainProblem;
    };

type ChainProblem = keyof typeof problemsInWords;

/** Descriptions of the problems, which follow "row 7". */
export const problemsInWords = {
  gap: 'comes after a gap: one or more rows before it are missing',
  link: 'does not continue from the row before it',
  hash: 'does not match its own hash: a column was changed',
  noted_hash: 'does not have the noted hash',
  noted_missing: 'is missing: the chain ends before the noted position',
} as const;

const rowsAtOnce = 1000;
const beforeAll = Buffer.alloc(32);

/**
 * Reads the whole chain in pages. Rows that are appended meanwhile may or may not be read.
 * @param known a position and hash noted earlier
 */
export const verifyToolAudits = async (
  queryable: Pick<Queryable, 'many'>,
  known?: KnownPosition,
): Promise<Verification> => {
  let last: Pick<ChainRow, 'position' | 'hash'> = { position: 0, hash: beforeAll };
  for (let page = await pageAfter(queryable, 0); page.length > 0; page = await pageAfter(queryable, last.position)) {
    for (const row of page) {
      const problem = problemOf(row, last, known);
      if (problem !== null) return { isSound: false, position: row.position, id: row.id, problem };
      last = row;
    }
  }
  if (known !== undefined && known.position > last.position)
    return { isSound: false, position: known.position, id: null, problem: 'noted_missing' };
  return { isSound: true, count: last.position, lastPosition: last.position, lastHash: last.hash.toString('hex') };
};

const pageAfter = (queryable: Pick<Queryable, 'many'>, position: number): Promise<ChainRow[]> =>
  queryable.many(listChain, [position, rowsAtOnce]);

const problemOf = (
  row: ChainRow,
  last: Pick<ChainRow, 'position' | 'hash'>,
  known: KnownPosition | undefined,
): ChainProblem | null => {
  if (row.position !== last.position + 1) return 'gap';
  if (!row.previousHash.equals(last.hash)) return 'link';
  if (!row.hash.equals(hashOf(row))) return 'hash';
  return known?.position === row.position && known.hash !== row.hash.toString('hex') ? 'noted_hash' : null;
};

/**
 * SHA-256 over the previous row's hash and every column as text, each preceded by its length in bytes (migration 0008).
 */
const hashOf = (row: ChainRow): Buffer => {
  const columns = [
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
  ];
  const hash = createHash('sha256').update(row.previousHash);
  for (const column of columns) hash.update(`${Buffer.byteLength(column)}:${column}`);
  return hash.digest();
};

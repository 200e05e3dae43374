/**
 * Verifies a chain of rows, each with the hash of the one before: recomputes each row's hash and follows the links.
 *
 * A chain reveals a row that was changed, removed, inserted or moved. It does not reveal missing rows at its end, nor a
 * chain that was recomputed from some row on. A position and its hash that were noted elsewhere reveal both: that row
 * must still exist with that hash.
 */
import { createHash } from 'node:crypto';

/** The columns that every row of a chain has. */
export interface LinkedRow {
  readonly position: number;
  readonly id: string;
  /** Each column that the hash covers, as text. */
  readonly columns: readonly (string | null)[];
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** The row that the next one continues. */
export type EndOfChain = Pick<LinkedRow, 'position' | 'hash'>;

/** Before the first row. */
export const emptyChain: EndOfChain = { position: 0, hash: Buffer.alloc(32) };

/** A position in the chain and the hash of its row, in lower-case hex. */
export interface KnownPosition {
  readonly position: number;
  readonly hash: string;
}

export interface SoundChain {
  readonly isSound: true;
  readonly count: number;
  /** 0 for an empty chain. */
  readonly lastPosition: number;
  /** Lower-case hex; 64 zeros for an empty chain. */
  readonly lastHash: string;
}

export interface BrokenChain {
  readonly isSound: false;
  /** Position of the first invalid row. */
  readonly position: number;
  /** Null when the row is missing. */
  readonly id: string | null;
  readonly problem: ChainProblem;
}

export type Verification = SoundChain | BrokenChain;

export type ChainProblem = keyof typeof problemsInWords;

/** Descriptions of the problems, which follow "row 7". */
export const problemsInWords = {
  gap: 'comes after a gap: one or more rows before it are missing',
  link: 'does not continue from the row before it',
  hash: 'does not match its own hash: a column was changed',
  erased: 'has lost its details, though all people that it is about still have an account',
  details: 'does not match the digest of its details: they were changed',
  noted_hash: 'does not have the noted hash',
  noted_missing: 'is missing: the chain ends before the noted position',
} as const;

/** Why a row does not continue the chain, or null. */
export const problemOf = (row: LinkedRow, last: EndOfChain, known: KnownPosition | undefined): ChainProblem | null => {
  if (row.position !== last.position + 1) return 'gap';
  if (!row.previousHash.equals(last.hash)) return 'link';
  if (!row.hash.equals(hashOf(row))) return 'hash';
  return known?.position === row.position && known.hash !== row.hash.toString('hex') ? 'noted_hash' : null;
};

/** The verification of a chain all of whose rows are valid. */
export const endedAt = (last: EndOfChain, known: KnownPosition | undefined): Verification => {
  if (known !== undefined && known.position > last.position)
    return { isSound: false, position: known.position, id: null, problem: 'noted_missing' };
  return { isSound: true, count: last.position, lastPosition: last.position, lastHash: last.hash.toString('hex') };
};

/** SHA-256 over the previous hash and every column as text, preceded by its length in bytes; a dash means null. */
const hashOf = ({ previousHash, columns }: LinkedRow): Buffer => {
  const hash = createHash('sha256').update(previousHash);
  for (const column of columns) hash.update(column === null ? '-' : `${Buffer.byteLength(column)}:${column}`);
  return hash.digest();
};

/**
 * Owns cursor pages of a long list (GraphQL Cursor Connections). A cursor is an opaque text that identifies the last
 * row of a page by its sort values.
 */
import { parseJson } from './attempts.ts';
import { invalidInput } from './errors.ts';

/** The requested page: `first` rows, from the row after `after`. */
export interface PageRequest {
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** Number of all rows of a list, counted up to {@link maxCounted}. */
export interface Total {
  readonly totalCount: number;
  readonly totalCountIsCapped: boolean;
}

export interface Page<Row> {
  readonly nodes: readonly Row[];
  /** Counts when it is first called: a caller who does not ask for the total does not pay for it. */
  readonly total: () => Promise<Total>;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    /** Null on an empty page. */
    readonly endCursor: string | null;
  };
  /** The cursor of a row of this page, from 0, for callers that return only its first rows. */
  readonly cursorAt: (index: number) => string;
}

/** Rows of a page, at most. */
export const maxRows = 100;

/** Counting further would read every row of a list that grows with use. */
export const maxCounted = 10_000;

/**
 * @param areKeys tells of each value that the list is sorted by whether a text can be one
 * @returns the number of rows to fetch, one more than requested to detect a next page, and the values to start after
 * @throws BAD_USER_INPUT: names `first` or `after`
 */
export const readPageRequest = (
  { first, after }: PageRequest,
  areKeys: readonly ((text: string) => boolean)[],
): { readonly limit: number; readonly after: readonly string[] | null } => {
  if (first < 1 || first > maxRows) throw invalidInput({ first: `Request 1 to ${maxRows} at a time.` });
  return { limit: first + 1, after: after === null || after === undefined ? null : readCursor(after, areKeys) };
};

/**
 * Builds a page of the rows fetched with `limit`.
 * @param count counts all rows, to one more than {@link maxCounted}, or tells of a count that ended before; not called
 *   for a list that is one page
 * @param keysOf the values that a row is sorted by
 */
export const pageOf = <Row>(
  rows: readonly Row[],
  { first, after }: PageRequest,
  count: () => Promise<number | Total>,
  keysOf: (row: Row) => readonly string[],
): Page<Row> => {
  const nodes = rows.slice(0, first);
  const cursorAt = (index: number): string => {
    const row = nodes[index];
    if (row === undefined) throw new RangeError(`A page of ${nodes.length} has no row ${index}`);
    return cursorOf(keysOf(row));
  };
  const endCursor = nodes.length === 0 ? null : cursorAt(nodes.length - 1);
  const hasNextPage = rows.length > first;
  const isWholeList = !hasNextPage && (after === null || after === undefined);
  const total = countedOnce(isWholeList ? async () => nodes.length : count);
  return { nodes, total, pageInfo: { hasNextPage, endCursor }, cursorAt };
};

/** Both fields of a total share one count. */
const countedOnce = (count: () => Promise<number | Total>): (() => Promise<Total>) => {
  let total: Promise<Total> | null = null;
  return () => {
    total ??= count().then(totalOf);
    return total;
  };
};

const totalOf = (counted: number | Total): Total =>
  typeof counted === 'number'
    ? { totalCount: Math.min(counted, maxCounted), totalCountIsCapped: counted > maxCounted }
    : counted;

const cursorOf = (keys: readonly string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url');

const maxCursorLength = 2000;

/** @throws BAD_USER_INPUT: no page of this list can have returned this cursor */
const readCursor = (cursor: string, areKeys: readonly ((text: string) => boolean)[]): readonly string[] => {
  const values = cursor.length > maxCursorLength ? null : parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(values) && values.length === areKeys.length && values.every(isStorable)) {
    if (areKeys.every((isKey, index) => isKey(values[index] ?? ''))) return values;
  }
  throw invalidInput({ after: 'This is not a valid cursor.' });
};

/** PostgreSQL does not store NUL in text. */
const isStorable = (value: unknown): value is string => typeof value === 'string' && !value.includes('\u0000');

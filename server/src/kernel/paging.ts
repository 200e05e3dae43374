/**
 * Owns cursor pages of a long list (GraphQL Cursor Connections): the request, the result, and the cursor, an opaque
 * text that identifies the last row of a page by its sort values.
 */
import { invalidInput, type Refusal } from './errors.ts';
import { isId } from './ids.ts';

/** The requested page: `first` rows, from the row after `after`. */
export interface PageRequest {
  readonly first: number;
  readonly after?: string | null | undefined;
}

export interface Page<Row> {
  readonly nodes: readonly Row[];
  /** Number of all rows, not of this page. */
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    /** Null on an empty page. */
    readonly endCursor: string | null;
  };
  /**
   * The cursor of a row of this page, for callers that return only its first rows.
   * @param index from 0
   */
  readonly cursorAt: (index: number) => string;
}

const maxRows = 100;

/**
 * Validates a request for a page.
 * @param keys number of values the list is sorted by
 * @returns the number of rows to fetch, one more than requested to detect a next page, and the values to start after
 * @throws BAD_USER_INPUT: names `first` or `after`
 */
export const readPageRequest = (
  { first, after }: PageRequest,
  keys: number,
): { readonly limit: number; readonly after: readonly string[] | null } => {
  if (first < 1 || first > maxRows) throw invalidInput({ first: `Ask for 1 to ${maxRows} at a time.` });
  return { limit: first + 1, after: after === null || after === undefined ? null : readCursor(after, keys) };
};

/**
 * Validates a request for a list sorted by an instant and an id. The instant is in microseconds since 1970: a Date
 * would truncate them, and a cursor would skip rows.
 * @throws BAD_USER_INPUT: names `first` or `after`
 */
export const readPageRequestByInstant = (
  request: PageRequest,
): { readonly limit: number; readonly afterMicros: string | null; readonly afterId: string | null } => {
  const { limit, after } = readPageRequest(request, 2);
  const [afterMicros = null, afterId = null] = after ?? [];
  if (afterMicros === null || afterId === null) return { limit, afterMicros: null, afterId: null };
  if (!/^\d{1,16}$/.test(afterMicros) || !isId(afterId)) throw cursorRefused();
  return { limit, afterMicros, afterId };
};

/**
 * Builds a page of the rows fetched with `limit`.
 * @param keysOf the values that a row is sorted by
 */
export const pageOf = <Row>(
  rows: readonly Row[],
  { first }: PageRequest,
  totalCount: number,
  keysOf: (row: Row) => readonly string[],
): Page<Row> => {
  const nodes = rows.slice(0, first);
  const cursorAt = (index: number): string => {
    const row = nodes[index];
    if (row === undefined) throw new RangeError(`A page of ${nodes.length} has no row ${index}`);
    return cursorOf(keysOf(row));
  };
  const endCursor = nodes.length === 0 ? null : cursorAt(nodes.length - 1);
  return { nodes, totalCount, pageInfo: { hasNextPage: rows.length > first, endCursor }, cursorAt };
};

const cursorOf = (keys: readonly string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url');

const maxCursorLength = 2000;

const readCursor = (cursor: string, keys: number): readonly string[] => {
  const values = cursor.length > maxCursorLength ? null : parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(values) && values.length === keys && values.every(isStorable)) return values;
  throw cursorRefused();
};

/** BAD_USER_INPUT for a cursor that no page of this list can have returned. */
export const cursorRefused = (): Refusal => invalidInput({ after: 'This is not the cursor of a page.' });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** PostgreSQL does not store NUL in text. */
const isStorable = (value: unknown): value is string => typeof value === 'string' && !value.includes('\u0000');

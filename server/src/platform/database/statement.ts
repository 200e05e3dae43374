/**
 * Owns named SQL statements, the only way in which this code queries the database. A name is prepared once per
 * connection; planning an unnamed statement costs about five times as much as running it (docs/decisions). All
 * statements of an entity are in its `…-store.ts`.
 */

/** Parameter types of a statement; arrays are sent as PostgreSQL arrays. */
export type SqlValue =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | readonly (string | null)[]
  | readonly number[]
  | readonly Date[];

/** A prepared statement: rows of type `Row`, parameters of the tuple type `Params`. */
export interface Statement<Row, Params extends readonly SqlValue[]> {
  readonly name: string;
  readonly text: string;
  /** Phantom: carries the types only; never set. */
  readonly types?: { readonly row: Row; readonly params: Params };
}

const names = new Map<string, string>();

/**
 * The text of every statement that has been declared so far, by its name.
 * @internal A test goes through each entry, or to each side of the limit.
 */
export const declaredStatements = (): ReadonlyMap<string, string> => names;

/**
 * @param name unique in the process, `thing.verb`; at most 63 bytes, PostgreSQL's limit
 * @param text SQL with $1 … $n; columns are aliased to the property names of `Row`
 */
export const statement = <Row, Params extends readonly SqlValue[] = readonly []>(
  name: string,
  text: string,
): Statement<Row, Params> => {
  const known = names.get(name);
  if (known !== undefined && known !== text) throw new Error(`Two statements are named ${name}`);
  if (Buffer.byteLength(name) > 63) throw new Error(`The statement name ${name} is longer than 63 bytes`);
  names.set(name, text);
  return Object.freeze({ name, text });
};

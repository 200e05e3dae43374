/** Any SQL on an open database, for the assertions of tests and for moving time: instants are columns. */
import { createHash } from 'node:crypto';
import { type Queryable, type SqlValue, statement } from '../../../src/platform/database/database.ts';

type Rows = <Row>(text: string, params?: readonly SqlValue[]) => Promise<Row[]>;

/** Runs a text and returns its rows, of the caller's type. */
export interface Sql extends Rows {
  /** The first column of the first row; undefined without a row. */
  value<Value>(text: string, params?: readonly SqlValue[]): Promise<Value | undefined>;
  /** The single column of all rows. */
  column<Value>(text: string, params?: readonly SqlValue[]): Promise<Value[]>;
}

/** Statements need a name; here it is made from their text. */
export const sqlOn = (database: Queryable): Sql =>
  sqlBy(<Row>(text: string, params: readonly SqlValue[] = []) =>
    database.many(statement<Row, readonly SqlValue[]>(`test.${digest(text)}`, text), params),
  );

export const sqlBy = (rows: Rows): Sql => {
  const column = async <Value>(text: string, params?: readonly SqlValue[]): Promise<Value[]> =>
    (await rows<Readonly<Record<string, Value>>>(text, params)).flatMap((row) => Object.values(row).slice(0, 1));
  return Object.assign(rows, {
    column,
    value: async <Value>(text: string, params?: readonly SqlValue[]) => (await column<Value>(text, params))[0],
  });
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

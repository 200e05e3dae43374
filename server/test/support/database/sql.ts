/** Any SQL on an open database, for the assertions of tests and for moving time: instants live in rows. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../../src/platform/database/database.ts';
import { type SqlValue, statement } from '../../../src/platform/database/statement.ts';

/** Runs a text and answers its rows, of the shape that the caller says. */
export type Sql = <Row>(text: string, params?: readonly SqlValue[]) => Promise<Row[]>;

/** Statements need a name; here it is made of their text. */
export const sqlOn =
  (database: Queryable): Sql =>
  <Row>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> =>
    database.many(statement<Row, readonly SqlValue[]>(`test.${digest(text)}`, text), params);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

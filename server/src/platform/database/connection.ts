/**
 * Owns how a statement runs on a `pg` client, whichever engine is behind it: prepared by its name, rows by alias,
 * failures sorted by `failure.ts`.
 */
import type { Queryable } from './database.ts';
import { toFailure } from './failure.ts';
import type { SqlValue, Statement } from './statement.ts';

/** What an engine answered to one statement. */
export interface Answer {
  readonly command: string;
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** Of a statement, what running it takes. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

interface QueryOptions {
  readonly text: string;
  readonly name?: string;
  readonly values?: SqlValue[];
  readonly query_timeout?: number;
}

/** The part of a `pg` client that statements need. */
export interface StatementClient {
  query(options: QueryOptions, callback: (error: Error | null, answer: Answer) => void): void;
}

/** Runs one statement and answers it; rejects with DatabaseUnavailable or the engine's own error. */
export type Run = (statement: NamedText, params: readonly SqlValue[]) => Promise<Answer>;

const send = (client: StatementClient, options: QueryOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    client.query(options, (error, answer) => {
      if (error === null || error === undefined) resolve(answer);
      else reject(toFailure(error));
    });
  });

/**
 * Runs a named statement: prepared on its first use on this client, then only bound and executed.
 * @param timeoutMillis how long to wait for the answer, when not what the client was set up with
 */
export const runStatement = (
  client: StatementClient,
  { name, text }: NamedText,
  params: readonly SqlValue[],
  timeoutMillis?: number,
): Promise<Answer> => {
  const values = [...params];
  return send(
    client,
    timeoutMillis === undefined ? { name, text, values } : { name, text, values, query_timeout: timeoutMillis },
  );
};

/**
 * Runs SQL text without parameters over the simple protocol; several statements in one text are allowed.
 * @param timeoutMillis how long to wait for the answer, when not what the client was set up with
 */
export const runText = (client: StatementClient, text: string, timeoutMillis?: number): Promise<Answer> =>
  send(client, timeoutMillis === undefined ? { text } : { text, query_timeout: timeoutMillis });

const tooMany = (statement: NamedText, count: number): Error =>
  new Error(`The statement ${statement.name} answered ${count} rows where one was expected`);

/** The four ways to ask, over one way to run. */
export const queryable = (run: Run): Queryable => {
  const rowsOf = async <Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    params: Params,
  ): Promise<Row[]> => (await run(statement, params)).rows as Row[];
  return {
    many: rowsOf,
    maybeOne: async (statement, params) => {
      const rows = await rowsOf(statement, params);
      if (rows.length > 1) throw tooMany(statement, rows.length);
      return rows[0] ?? null;
    },
    one: async (statement, params) => {
      const rows = await rowsOf(statement, params);
      const [row] = rows;
      if (row === undefined || rows.length > 1) throw tooMany(statement, rows.length);
      return row;
    },
    execute: async (statement, params) => (await run(statement, params)).rowCount ?? 0,
  };
};

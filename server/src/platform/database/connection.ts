/** Runs statements on a `pg` client, for both engines: prepared by name, errors classified by `failure.ts`. */
import type { Queryable, SqlValue, Statement } from './database.ts';
import { StatementTimeout, toFailure } from './failure.ts';

/** The engine's answer to one statement. */
export interface Answer {
  readonly command: string;
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** The fields of a statement that running it needs. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

interface QueryOptions {
  readonly text: string;
  readonly name?: string;
  readonly values?: SqlValue[];
}

/** The part of a `pg` client that statements need. */
export interface StatementClient {
  query(options: QueryOptions, callback: (error: Error | null, answer: Answer) => void): void;
  /** Absent on the embedded engine, which runs in this process and cannot go silent. */
  readonly connection?: { readonly stream: { destroy(): void; cork?(): void; uncork?(): void } };
}

interface Alone {
  /** Whether no transaction is in progress. */
  readonly isOutside: boolean;
  runAlone(asked: NamedText, params: readonly SqlValue[], timeoutMillis?: number): Promise<Answer>;
}

/** Those whose single statements are transactions of their own: of `by-transaction.ts`. */
export const runningAlone = new WeakMap<StatementClient, Alone>();

/** Those whose statements have no name: DATABASE_PREPARED_STATEMENTS=false. */
export const unprepared = new WeakSet<StatementClient>();

/** Runs one statement and returns its answer; rejects with DatabaseUnavailable or the engine's own error. */
export type Run = (statement: NamedText, params: readonly SqlValue[]) => Promise<Answer>;

/**
 * Not by the timeout of `pg`, of which each query leaves 1,700 bytes that outlive young-generation garbage collections;
 * this leaves 200. After a pause of this process the timer fires before the answers that arrived meanwhile:
 * `setImmediate` lets them win, or a busy process would destroy sound connections.
 */
const send = (client: StatementClient, options: QueryOptions, timeoutMillis: number | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let isAnswered = false;
    const giveUp = (): void => {
      if (isAnswered) return;
      reject(toFailure(new StatementTimeout()));
      // All other statements that wait on the connection fail with it.
      client.connection?.stream.destroy();
    };
    const timer = timeoutMillis === undefined ? undefined : setTimeout(setImmediate, timeoutMillis, giveUp);
    client.query(options, (error, answer) => {
      isAnswered = true;
      clearTimeout(timer);
      if (error === null || error === undefined) resolve(answer);
      else reject(toFailure(error));
    });
  });

/**
 * Prepared at its first use on this client. Outside a transaction it is one of its own.
 * @param timeoutMillis ends the connection; absent: no limit
 */
export const runStatement = (
  client: StatementClient,
  asked: NamedText,
  params: readonly SqlValue[],
  timeoutMillis?: number,
): Promise<Answer> => {
  const sessions = runningAlone.get(client);
  return sessions?.isOutside === true
    ? sessions.runAlone(asked, params, timeoutMillis)
    : sendStatement(client, asked, params, timeoutMillis);
};

/** Sends it as it is, inside a transaction or not. @param timeoutMillis as of {@link runStatement} */
export const sendStatement = (
  client: StatementClient,
  { name, text }: NamedText,
  params: readonly SqlValue[],
  timeoutMillis?: number,
): Promise<Answer> =>
  send(client, { text, values: [...params], ...(unprepared.has(client) ? {} : { name }) }, timeoutMillis);

/** Runs SQL text of one or more statements, without parameters. @param timeoutMillis as of {@link runStatement} */
export const runText = (client: StatementClient, text: string, timeoutMillis?: number): Promise<Answer> =>
  send(client, { text }, timeoutMillis);

const tooMany = (statement: NamedText, count: number): Error =>
  new Error(`The statement ${statement.name} answered ${count} rows where one was expected`);

/** The four query methods, implemented with one `run`. */
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

/**
 * What the rest of the code base knows of the database: run a statement, or run several in one transaction.
 *
 * Two engines stand behind it, PostgreSQL by DATABASE_URL (`postgres.ts`) and the embedded one (`embedded.ts`), with
 * the same statements and the same migrations. A failing engine makes every call reject with {@link DatabaseUnavailable};
 * it is never mistaken for an empty answer.
 */
import type { SqlValue, Statement } from './statement.ts';

/** Something that runs statements: the database, a transaction, or the look-up connection. */
export interface Queryable {
  /** All rows. */
  many<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, params: Params): Promise<Row[]>;
  /** The only row, or null. More than one row is a defect and throws. */
  maybeOne<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    params: Params,
  ): Promise<Row | null>;
  /** The only row. None, or more than one, is a defect and throws. */
  one<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, params: Params): Promise<Row>;
  /** Runs a statement whose rows do not matter; answers how many rows it affected. */
  execute<Params extends readonly SqlValue[]>(statement: Statement<unknown, Params>, params: Params): Promise<number>;
}

/** A transaction in progress. Pass it on; inside one, never reach for the database itself (the embedded engine has one connection). */
export interface Transaction extends Queryable {
  /** Runs `effect` once the transaction is durable; never after a rollback. Errors of `effect` are its own. */
  afterCommit(effect: () => void): void;
}

/** How many connections there are, and who waits for one. The one for look-ups is not among them. */
export interface DatabaseStats {
  readonly pool: {
    /** Connections that are open, or being opened. */
    readonly size: number;
    /** How many there may be. */
    readonly most: number;
    /** Open and used by nobody. */
    readonly idle: number;
    /** Statements and transactions that wait for a connection. */
    readonly waiting: number;
  };
}

export interface Database extends Queryable {
  readonly engine: 'postgres' | 'embedded';
  /**
   * For the look-up on every request's path: one pipelined connection of its own, so that it never waits for a
   * commit. No transactions. On the embedded engine it is the one connection that there is.
   */
  readonly lookups: Queryable;
  /**
   * Commits when `work` resolves, rolls back when it rejects, with the reason rethrown. READ COMMITTED. When the connection
   * ends before the commit is sent, the work runs a second time: whatever it does outside of the transaction, a mail or a
   * log line, belongs into `afterCommit`, and each run begins with facts of its own.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Resolves when a trivial look-up was answered; rejects with DatabaseUnavailable otherwise. Not by way of the pool: that
   * it is full, behind one locked row, is no reason to send everybody away.
   */
  ping(): Promise<void>;
  /** Of this moment, read from memory; null on the embedded engine, which has no pool. */
  stats(): DatabaseStats | null;
  /** Waits for what is running, then closes. Idempotent. */
  close(): Promise<void>;
}

/** The database did not answer: refused, timed out, cut off, shutting down, or the pool stayed full. Maps to 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

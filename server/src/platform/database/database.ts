/**
 * What the rest of the code base knows of the database: run a statement, or run several in one transaction.
 *
 * Two engines stand behind it, PostgreSQL by DATABASE_URL (`postgres.ts`) and the embedded one (`embedded.ts`), with
 * the same statements and the same migrations. A failing engine makes every call reject with {@link DatabaseUnavailable};
 * it is never mistaken for an empty answer.
 */
import { type SqlValue, type Statement, statement } from './statement.ts';

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

// Owns the settings that every session starts with, on both engines, so that a statement means the same everywhere:
// whatever the server, the role or the database were configured to.

/** Text of simple statements to run once on each new session. */
export const sessionSettings = [
  "SET TimeZone TO 'UTC'",
  "SET DateStyle TO 'ISO, YMD'",
  "SET IntervalStyle TO 'postgres'",
  "SET bytea_output TO 'hex'",
  "SET default_transaction_isolation TO 'read committed'",
  'SET default_transaction_read_only TO off',
].join('; ');

/**
 * For look-ups: one plan for every length of an array parameter. Without it the planner looks at each new length anew,
 * which at few connections costs more than running the statement.
 */
export const lookupSettings = 'SET plan_cache_mode TO force_generic_plan';

/**
 * For the connections of a pool: the server looks now and then whether the caller of a long statement is still there, and
 * ends it otherwise. Servers on other systems cannot look, and refuse to be told to.
 */
export const postgresSettings =
  "SELECT set_config('client_connection_check_interval', '500ms', false) WHERE version() LIKE '%linux%'";

// Owns what time it is: the database's, for whatever more than one process looks at.

const readClock = statement<{ now: Date }>('database.clock', 'SELECT clock_timestamp() AS now');

/** The database's time. @throws DatabaseUnavailable */
export const databaseNow = async (database: Pick<Queryable, 'one'>): Promise<Date> =>
  (await database.one(readClock, [])).now;

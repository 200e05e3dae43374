/**
 * Owns: the database: its interface, PostgreSQL, transactions, deadlines, retries, migrations.
 * Promises: A failure is never an empty result; a request waits for a bounded time; an unknown outcome of a commit is
 *   queried.
 *
 * Two engines have the same statements and migrations: PostgreSQL by DATABASE_URL (`postgres.ts`) and the embedded one
 * (`embedded.ts`). A failing engine makes every call reject with {@link DatabaseUnavailable}. All statements of an
 * entity are in its `…-store.ts`.
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
 * Declares a named statement, the only way in which this code queries the database. A name is prepared once per
 * connection; planning an unnamed statement costs about five times as much as running it (docs/decisions).
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

/** Something that runs statements: the database, a transaction, or the look-up connection. */
export interface Queryable {
  /** All rows. */
  many<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    params: Readonly<NoInfer<Params>>,
  ): Promise<Row[]>;
  /** The only row, or null. More than one row is a defect and throws. */
  maybeOne<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    params: Readonly<NoInfer<Params>>,
  ): Promise<Row | null>;
  /** The only row. None, or more than one, is a defect and throws. */
  one<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    params: Readonly<NoInfer<Params>>,
  ): Promise<Row>;
  /** Runs a statement whose rows are not needed; returns the number of affected rows. */
  execute<Params extends readonly SqlValue[]>(
    statement: Statement<unknown, Params>,
    params: Readonly<NoInfer<Params>>,
  ): Promise<number>;
}

/** A transaction in progress. Inside one, never use the database itself: the embedded engine has one connection. */
export interface Transaction extends Queryable {
  /** Runs `effect` once the transaction is durable; its errors do not affect the transaction. */
  afterCommit(effect: () => void): void;
  /** Runs `work` when that of the transaction is done, as its last statements. Its errors fail the transaction. */
  beforeCommit(work: () => Promise<void>): void;
  /**
   * Adds to a counter of this process once the transaction is durable. No effect where metrics are not exported.
   * @param labels values, in order, from closed lists
   */
  count(counter: CommitCounter, labels: readonly string[], by?: number): void;
}

/** The counters of changes, which only a commit increases. */
export type CommitCounter = 'sessionsBegun' | 'revocations' | 'revokedCredentials';

export interface DatabaseStats {
  /** Uses of the database that take turns (`turns/turns.ts`). */
  readonly turns: {
    /** Those that wait only for others of their person, organization or network, or (embedded) behind such. */
    readonly heldBack: number;
    /** Those that were refused since the start because their turn did not come in time. */
    readonly refused: number;
  };
  /** State of the connection pool; absent on the embedded engine. The look-up connection is not counted. */
  readonly pool?: {
    /** Connections that are open or being opened. */
    readonly size: number;
    /** Maximum number of connections. */
    readonly most: number;
    readonly idle: number;
    /** Statements and transactions that wait for a connection, without those that wait for others of the same key. */
    readonly waiting: number;
  };
  /** Whether the server is known to be the primary; absent on the embedded engine. */
  readonly primary?: {
    /** Whether the last heartbeat that was committed was sent within the fence. */
    readonly isConfirmed: boolean;
    /** Since that heartbeat was sent. */
    readonly ageSeconds: number;
    /** Why the last server was refused; null once one was confirmed again. */
    readonly refusal: 'another_server' | 'earlier_timeline' | 'restored_copy' | null;
    /** Whether no change is begun because commits do not return. */
    readonly isStalled: boolean;
  };
}

export interface Database extends Queryable {
  readonly engine: 'postgres' | 'embedded';
  /**
   * For the look-up of every request: one pipelined connection, so that none waits for a commit. No transactions. On
   * the embedded engine it is the only connection.
   */
  readonly lookups: Queryable;
  /**
   * Runs `work` in a READ COMMITTED transaction; rolls back and rethrows when it rejects. When the connection ends
   * before COMMIT is sent, `work` runs a second time: effects outside the transaction, such as a mail or a log line,
   * belong in `afterCommit`, and each run must start from fresh state.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** As {@link Transaction.count}, for a change that a single statement has made durable. */
  count(counter: CommitCounter, labels: readonly string[], by?: number): void;
  /** Resolves when a trivial look-up was answered. Not on the pool, which one locked row can fill. */
  ping(): Promise<void>;
  /** Current state, read from memory; null without a database. */
  stats(): DatabaseStats | null;
  /** Waits for running work, then closes. Idempotent. */
  close(): Promise<void>;
}

/** The database refused, timed out, disconnected or is shutting down, or the pool stayed full. Maps to 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

// Session settings for both engines, so that a statement means and costs the same under every configuration. Statements
// are short: compiling one (jit) or starting processes for it takes longer than running it.

/** Simple statements to run once on each new session. */
export const sessionSettings = [
  "SET TimeZone TO 'UTC'",
  "SET DateStyle TO 'ISO, YMD'",
  "SET IntervalStyle TO 'postgres'",
  "SET bytea_output TO 'hex'",
  "SET default_transaction_isolation TO 'read committed'",
  'SET default_transaction_read_only TO off',
  'SET jit TO off',
  'SET max_parallel_workers_per_gather TO 0',
].join('; ');

/** For look-ups: one plan for every length of an array parameter, since planning costs more than running. */
export const lookupSettings = 'SET plan_cache_mode TO force_generic_plan';

/**
 * For pool connections: the server cancels a long statement whose client is gone. Servers on systems other than Linux
 * cannot check and reject the setting.
 */
export const postgresSettings =
  "SELECT set_config('client_connection_check_interval', '500ms', false) WHERE version() LIKE '%linux%'";

// The current time by the database's clock, for times that more than one process reads.

const readClock = statement<{ now: Date }>('database.clock', 'SELECT clock_timestamp() AS now');

/** The time at the statement itself, not at the start of the transaction. @throws DatabaseUnavailable */
export const databaseNow = async (database: Pick<Queryable, 'one'>): Promise<Date> =>
  (await database.one(readClock, [])).now;

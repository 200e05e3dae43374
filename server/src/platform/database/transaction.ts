/**
 * Owns the course of a transaction on one `pg` client: begin, the caller's work, commit or roll back, and the effects
 * that wait for the commit. Each engine decides which client that is and who else may use it meanwhile.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Answer, queryable, runStatement, runText, type StatementClient } from './connection.ts';
import { type Database, DatabaseUnavailable, type Transaction } from './database.ts';
import { type Ending, endingAfter, retryUntilKnown } from './failure.ts';
import type { Logger } from './logger.ts';
import { statement } from './statement.ts';

/** A transaction that can also run scripts; only migrations need that. */
export interface ScriptTransaction extends Transaction {
  /**
   * Runs SQL text of several statements, without parameters, not bound by the statement time-out of the connection.
   * @param timeoutMillis how long the script may take
   */
  script(text: string, timeoutMillis: number): Promise<void>;
}

/** A database whose transactions can run scripts: what opening one gives, so that it can be migrated. */
export interface ScriptDatabase extends Database {
  transaction<T>(work: (transaction: ScriptTransaction) => Promise<T>): Promise<T>;
}

interface Scope {
  open: boolean;
}

/** Knows whether the running asynchronous call chain is inside a transaction of this database. */
export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<Scope>();

  /**
   * Throws when called inside a transaction's work. The embedded engine has a single session, which the transaction
   * holds: waiting for it there would never end. PostgreSQL refuses the same, so that both engines behave alike.
   */
  refuseInside(what: string): void {
    if (this.#storage.getStore()?.open === true) {
      throw new Error(`${what} was called inside a transaction: use the transaction handle that the work was given`);
    }
  }

  /** Runs `work` inside the scope; what it leaves running afterwards is outside again. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope: Scope = { open: true };
    try {
      return await this.#storage.run(scope, work);
    } finally {
      scope.open = false;
    }
  }
}

/** Runs the effects of a committed transaction. One that throws is logged: the commit stands and the others still run. */
const runEffects = (effects: readonly (() => void)[], logger: Logger): void => {
  for (const effect of effects) {
    try {
      effect();
    } catch (error) {
      logger.error({ event: 'database.effect_failed', err: error }, 'An effect after a commit failed');
    }
  }
};

/** What an engine knows of a transaction that runs on it. The two calls come exactly once, in this order, before the effects. */
export interface Course {
  /** How long to wait for each answer; absent: as long as it takes. */
  readonly answerMillis?: number | undefined;
  /** How long each statement may take at the server, when not what the session was set up with. Whole milliseconds. */
  readonly statementMillis?: number | undefined;
  /** Throws once its caller was told that it failed: then nothing more of it is begun, the commit above all. */
  readonly requireWanted?: () => void;
  /** COMMIT or ROLLBACK was sent: what is sent on the same pipelined session from now on comes after it. */
  sent(): void;
  /** The end was answered, or will never be. */
  settled(ending: Ending): void;
  /** The session ended before the commit: nothing was changed. */
  lost?(): void;
  /**
   * Asked where the session ended under the commit: whether it was done. Absent where a session does not end by itself.
   * @param transactionId the engine's own
   * @throws DatabaseUnavailable while that is not known
   */
  readonly wasCommitted?: (transactionId: string) => Promise<boolean>;
}

/** Also gives the transaction its id, which it would get with its first change. */
const readTransactionId = statement<{ readonly id: string }>(
  'database.transaction_id',
  'SELECT pg_current_xact_id()::text AS id',
);

interface Handle {
  readonly transaction: ScriptTransaction;
  readonly effects: readonly (() => void)[];
  /** @returns the transaction's id; null where nobody will ask for it */
  begin(): Promise<string | null>;
  /** How the statements of the work left the session; not usable: a ROLLBACK would only wait for nothing. */
  session(): Ending;
  close(): void;
}

const openHandle = (client: StatementClient, course: Course): Handle => {
  const { answerMillis, statementMillis } = course;
  const limit = statementMillis === undefined ? '' : `; SET LOCAL statement_timeout = ${statementMillis}`;
  const effects: (() => void)[] = [];
  let open = true;
  let session: Ending = 'usable';
  const whileOpen = async (run: () => Promise<Answer>): Promise<Answer> => {
    if (!open) throw new Error('The transaction is over: its handle was used after its work ended');
    course.requireWanted?.();
    try {
      return await run();
    } catch (error) {
      if (session === 'usable') session = endingAfter(error);
      throw error;
    }
  };
  const transaction: ScriptTransaction = {
    ...queryable((statement, params) => whileOpen(() => runStatement(client, statement, params, answerMillis))),
    afterCommit: (effect) => {
      effects.push(effect);
    },
    script: async (text, timeoutMillis) => {
      const millis = Math.ceil(timeoutMillis);
      await whileOpen(() =>
        runText(client, `SET LOCAL statement_timeout = ${millis}; SET LOCAL lock_timeout = ${millis}`, answerMillis),
      );
      await whileOpen(() => runText(client, text, timeoutMillis));
    },
  };
  return {
    transaction,
    effects,
    begin: async () => {
      // In one round trip.
      const [, named] = await Promise.all([
        whileOpen(() => runText(client, `BEGIN ISOLATION LEVEL READ COMMITTED${limit}`, answerMillis)),
        course.wasCommitted === undefined ? null : transaction.one(readTransactionId, []),
      ]);
      return named?.id ?? null;
    },
    session: () => session,
    close: () => {
      open = false;
    },
  };
};

/** Rolls back; answers whether the session can be used again. */
const rollBack = async (client: StatementClient, course: Course, logger: Logger): Promise<Ending> => {
  const answered = runText(client, 'ROLLBACK', course.answerMillis);
  course.sent();
  try {
    await answered;
    return 'usable';
  } catch (error) {
    logger.warn(
      { event: 'database.not_rolled_back', err: error },
      'A transaction could not be rolled back; its connection is closed',
    );
    const ending = endingAfter(error);
    return ending === 'usable' ? 'unusable' : ending;
  }
};

/** Commits; after this there is no transaction on the session, whatever the outcome. */
const commit = async (client: StatementClient, course: Course): Promise<void> => {
  const answered = runText(client, 'COMMIT', course.answerMillis);
  course.sent();
  try {
    // A failed statement whose error the work swallowed turns COMMIT into a rollback that the engine calls a success.
    const { command } = await answered;
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed before');
  } catch (error) {
    course.settled(endingAfter(error));
    throw error;
  }
  course.settled('usable');
};

/**
 * Commits, and asks what became of it where the session ended under it: a caller who is refused after a commit would have
 * lost what it handed out.
 */
const commitForSure = async (client: StatementClient, course: Course, transactionId: string | null): Promise<void> => {
  const { wasCommitted } = course;
  if (wasCommitted === undefined || transactionId === null) return commit(client, course);
  const committed = (): Promise<boolean> => commit(client, course).then(() => true);
  if (await retryUntilKnown(committed, () => wasCommitted(transactionId))) return;
  course.lost?.();
  throw new DatabaseUnavailable('The connection ended before the transaction was committed');
};

const abandon = async (client: StatementClient, handle: Handle, course: Course, logger: Logger): Promise<void> => {
  handle.close();
  const session = handle.session();
  if (session !== 'usable') {
    course.sent();
    course.settled(session);
  } else {
    course.settled(await rollBack(client, course, logger));
  }
};

/**
 * Runs a whole transaction on a client that nobody else uses meanwhile.
 * @throws what `work` threw, DatabaseUnavailable when the engine failed or the outcome of the commit is unknown
 */
export const runTransaction = async <T>(
  client: StatementClient,
  work: (transaction: ScriptTransaction) => Promise<T>,
  course: Course,
  logger: Logger,
): Promise<T> => {
  const handle = openHandle(client, course);
  let result: T;
  let transactionId: string | null;
  try {
    transactionId = await handle.begin();
    result = await work(handle.transaction);
    course.requireWanted?.();
    handle.close();
  } catch (error) {
    if (handle.session() === 'unusable') course.lost?.();
    await abandon(client, handle, course, logger);
    throw error;
  }
  await commitForSure(client, course, transactionId);
  runEffects(handle.effects, logger);
  return result;
};

// A database whose transactions all end with the same act.

/**
 * The same database, but before a transaction commits, `act` runs in it. Work that fails, or that is taken back, ends
 * without it; and when the act fails, nothing is committed.
 */
export const withBeforeCommit = (database: Database, act: (transaction: Transaction) => Promise<void>): Database => ({
  engine: database.engine,
  lookups: database.lookups,
  many: (statement, params) => database.many(statement, params),
  maybeOne: (statement, params) => database.maybeOne(statement, params),
  one: (statement, params) => database.one(statement, params),
  execute: (statement, params) => database.execute(statement, params),
  transaction: (work) =>
    database.transaction(async (transaction) => {
      const result = await work(transaction);
      await act(transaction);
      return result;
    }),
  ping: () => database.ping(),
  stats: () => database.stats(),
  close: () => database.close(),
});

// A dry run: the work of a transaction, taken back.

/**
 * Runs work in a transaction and rolls it back: every check and every answer, and nothing changed. What waits for the
 * commit (logs, mail) never happens.
 * @throws whatever the work throws
 */
export const runAndRollBack = async <Result>(
  database: Pick<Database, 'transaction'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => {
  const results: Result[] = [];
  const rolledBack = new Error('A rehearsal is taken back');
  try {
    await database.transaction(async (transaction) => {
      results.push(await work(transaction));
      throw rolledBack;
    });
  } catch (error) {
    if (error !== rolledBack) throw error;
  }
  for (const result of results) return result;
  throw rolledBack;
};

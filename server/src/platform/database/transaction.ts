/**
 * Owns the course of a transaction on one `pg` client: begin, the caller's work, commit or rollback, and the effects
 * after it. Each engine decides which client that is and who else may use it meanwhile.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../observability/logger.ts';
import { byTransaction } from './by-transaction.ts';
import { type Answer, queryable, runStatement, runText, type StatementClient } from './connection.ts';
import { type Database, DatabaseUnavailable, statement, type Transaction } from './database.ts';
import { retryUntilKnown, type SessionState, stateAfter } from './failure.ts';

/** A transaction that can also run scripts; only migrations need that. */
export interface ScriptTransaction extends Transaction {
  /** Runs SQL text of several statements, for which `timeoutMillis` replaces the connection's timeout. */
  script(text: string, timeoutMillis: number): Promise<void>;
}

/** A database whose transactions can run scripts: returned by opening one, so that it can be migrated. */
export interface ScriptDatabase extends Database {
  /**
   * Opens connections for the first requests after a start, outside their deadlines: on a busy machine it may take
   * longer than a request waits. Never rejects.
   */
  openAhead(): Promise<void>;
  transaction<T>(work: (transaction: ScriptTransaction) => Promise<T>): Promise<T>;
}

interface Scope {
  open: boolean;
}

/** Knows whether the running asynchronous call chain is inside a transaction of this database. */
export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<Scope>();

  /**
   * Throws inside a transaction's work: the single session of the embedded engine is held by the transaction, so
   * waiting would never end. PostgreSQL refuses too, so that both engines behave alike.
   */
  refuseInside(what: string): void {
    if (this.#storage.getStore()?.open === true) {
      throw new Error(`${what} was called inside a transaction: use the transaction handle that the work was given`);
    }
  }

  /** Runs `work` inside the scope; work that it leaves running afterwards is outside again. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope: Scope = { open: true };
    try {
      return await this.#storage.run(scope, work);
    } finally {
      scope.open = false;
    }
  }
}

/** One that throws is logged: the commit remains, and the others still run. */
const runEffects = (effects: readonly (() => void)[], logger: Logger): void => {
  for (const effect of effects) {
    try {
      effect();
    } catch (error) {
      logger.error({ event: 'database.effect_failed', err: error }, 'An effect after a commit failed');
    }
  }
};

/** The engine's, for one transaction. `sent` and `settled` are called once each, in this order, before the effects. */
export interface TransactionHooks {
  /** Timeout of each answer; absent: no limit. */
  readonly answerMillis?: number | undefined;
  /** Statement timeout at the server, when not the session's own. Whole milliseconds. */
  readonly statementMillis?: number | undefined;
  /** Throws once the caller was refused: then nothing more is started, above all not the commit. */
  readonly requireWanted?: () => void;
  /** COMMIT or ROLLBACK was sent: statements sent on the same pipelined session from now on run after it. */
  sent(): void;
  /** The end was answered, or never will be. */
  settled(state: SessionState): void;
  /** The session ended before the commit: nothing was changed. */
  lost?(): void;
  /**
   * Asked where the session ended under the commit: whether it was done. Absent where a session does not end by itself.
   * @throws DatabaseUnavailable while that is not known
   */
  readonly wasCommitted?: (transactionId: string) => Promise<boolean>;
}

/** Also assigns the transaction its id, which it would otherwise get with its first change. */
const readTransactionId = statement<{ readonly id: string }>(
  'database.transaction_id',
  'SELECT pg_current_xact_id()::text AS id',
);

interface Handle {
  readonly transaction: ScriptTransaction;
  readonly effects: readonly (() => void)[];
  /** The last statements: {@link Transaction.beforeCommit}. */
  finish(): Promise<void>;
  /** @returns the transaction's id; null when it is not needed */
  begin(): Promise<string | null>;
  /** State in which the statements of the work left the session; when not usable, a ROLLBACK would get no answer. */
  session(): SessionState;
  close(): void;
}

const openHandle = (client: StatementClient, hooks: TransactionHooks): Handle => {
  const { answerMillis, statementMillis } = hooks;
  const limit = statementMillis === undefined ? '' : `; SET LOCAL statement_timeout = ${statementMillis}`;
  const effects: (() => void)[] = [];
  const lastWorks: (() => Promise<void>)[] = [];
  let open = true;
  let session: SessionState = 'usable';
  const whileOpen = async (run: () => Promise<Answer>): Promise<Answer> => {
    if (!open) throw new Error('The transaction has ended: its handle was used after its work');
    hooks.requireWanted?.();
    try {
      return await run();
    } catch (error) {
      if (session === 'usable') session = stateAfter(error);
      throw error;
    }
  };
  const transaction: ScriptTransaction = {
    ...queryable((statement, params) => whileOpen(() => runStatement(client, statement, params, answerMillis))),
    afterCommit: (effect) => {
      effects.push(effect);
    },
    beforeCommit: (work) => {
      lastWorks.push(work);
    },
    count: () => undefined,
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
    finish: async () => {
      for (const work of lastWorks) await work();
    },
    begin: async () => {
      const begun = whileOpen(
        () =>
          byTransaction.get(client)?.begin(limit, answerMillis) ??
          runText(client, `BEGIN ISOLATION LEVEL READ COMMITTED${limit}`, answerMillis),
      );
      // In the same round trip. After a failed beginning this fails because of it, and sooner.
      const named = hooks.wasCommitted === undefined ? null : transaction.one(readTransactionId, []);
      await Promise.allSettled([begun, named]);
      await begun;
      return (await named)?.id ?? null;
    },
    session: () => session,
    close: () => {
      open = false;
    },
  };
};

const end = (
  client: StatementClient,
  how: 'COMMIT' | 'ROLLBACK',
  { answerMillis }: TransactionHooks,
): Promise<Answer> => byTransaction.get(client)?.end(how, answerMillis) ?? runText(client, how, answerMillis);

/** Rolls back; returns whether the session can be used again. */
const rollBack = async (client: StatementClient, hooks: TransactionHooks, logger: Logger): Promise<SessionState> => {
  const answered = end(client, 'ROLLBACK', hooks);
  hooks.sent();
  try {
    await answered;
    return 'usable';
  } catch (error) {
    logger.warn(
      { event: 'database.not_rolled_back', err: error },
      'A transaction could not be rolled back; its connection is closed',
    );
    const state = stateAfter(error);
    return state === 'usable' ? 'unusable' : state;
  }
};

/** Commits; after this there is no transaction on the session, whatever the outcome. */
const commit = async (client: StatementClient, hooks: TransactionHooks): Promise<void> => {
  const answered = end(client, 'COMMIT', hooks);
  hooks.sent();
  try {
    // An error that the work swallowed turns COMMIT into a rollback that the engine reports as a success.
    const { command } = await answered;
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed before');
  } catch (error) {
    hooks.settled(stateAfter(error));
    throw error;
  }
  hooks.settled('usable');
};

/** A caller refused after a commit would lose the values that the transaction issued. */
const commitForSure = async (
  client: StatementClient,
  hooks: TransactionHooks,
  transactionId: string | null,
): Promise<void> => {
  const { wasCommitted } = hooks;
  if (wasCommitted === undefined || transactionId === null) return commit(client, hooks);
  const committed = (): Promise<boolean> => commit(client, hooks).then(() => true);
  if (await retryUntilKnown(committed, () => wasCommitted(transactionId))) return;
  hooks.lost?.();
  throw new DatabaseUnavailable('The connection ended before the transaction was committed');
};

const abandon = async (
  client: StatementClient,
  handle: Handle,
  hooks: TransactionHooks,
  logger: Logger,
): Promise<void> => {
  handle.close();
  const session = handle.session();
  if (session !== 'usable') {
    hooks.sent();
    hooks.settled(session);
  } else {
    hooks.settled(await rollBack(client, hooks, logger));
  }
};

/**
 * Runs a whole transaction on a client that is used exclusively meanwhile; errors of `work` pass through.
 * @throws DatabaseUnavailable: the engine failed or the outcome of the commit is unknown
 */
export const runTransaction = async <T>(
  client: StatementClient,
  work: (transaction: ScriptTransaction) => Promise<T>,
  hooks: TransactionHooks,
  logger: Logger,
): Promise<T> => {
  const handle = openHandle(client, hooks);
  let result: T;
  let transactionId: string | null;
  try {
    transactionId = await handle.begin();
    result = await work(handle.transaction);
    await handle.finish();
    hooks.requireWanted?.();
    handle.close();
  } catch (error) {
    if (handle.session() === 'unusable') hooks.lost?.();
    await abandon(client, handle, hooks, logger);
    throw error;
  }
  await commitForSure(client, hooks, transactionId);
  runEffects(handle.effects, logger);
  return result;
};

/**
 * Dry run: runs work in a transaction and rolls it back, with every check and result. Effects after the commit (logs,
 * mail) do not run. Errors of `work` pass through.
 */
export const runAndRollBack = async <Result>(
  database: Pick<Database, 'transaction'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => {
  const results: Result[] = [];
  const rolledBack = new Error('A dry run is rolled back');
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

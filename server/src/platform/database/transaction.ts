/**
 * Owns the course of a transaction on one `pg` client: begin, the caller's work, commit or roll back, and the effects
 * that wait for the commit. Each engine decides which client that is and who else may use it meanwhile.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Answer, queryable, runStatement, runText, type StatementClient } from './connection.ts';
import type { Database, Transaction } from './database.ts';
import { leavesSessionUsable } from './failure.ts';
import type { Logger } from './logger.ts';

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

/** How a transaction left its connection: `unusable` ones must be closed, never used again. */
export type Ending = 'usable' | 'unusable';

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

interface Handle {
  readonly transaction: ScriptTransaction;
  readonly effects: readonly (() => void)[];
  begin(): Promise<void>;
  /** Whether a statement of the work ended the session, so that a ROLLBACK would only wait for nothing. */
  sessionLost(): boolean;
  close(): void;
}

const openHandle = (client: StatementClient): Handle => {
  const effects: (() => void)[] = [];
  let open = true;
  let lost = false;
  const whileOpen = async (run: () => Promise<Answer>): Promise<Answer> => {
    if (!open) throw new Error('The transaction is over: its handle was used after its work ended');
    try {
      return await run();
    } catch (error) {
      if (!leavesSessionUsable(error)) lost = true;
      throw error;
    }
  };
  const transaction: ScriptTransaction = {
    ...queryable((statement, params) => whileOpen(() => runStatement(client, statement, params))),
    afterCommit: (effect) => {
      effects.push(effect);
    },
    script: async (text, timeoutMillis) => {
      await whileOpen(() => runText(client, `SET LOCAL statement_timeout = ${Math.ceil(timeoutMillis)}`));
      await whileOpen(() => runText(client, text, timeoutMillis));
    },
  };
  return {
    transaction,
    effects,
    begin: async () => {
      await whileOpen(() => runText(client, 'BEGIN ISOLATION LEVEL READ COMMITTED'));
    },
    sessionLost: () => lost,
    close: () => {
      open = false;
    },
  };
};

/** What the engine is told of a transaction's end. Each is called exactly once, in this order, before the effects. */
export interface EndOfTransaction {
  /** COMMIT or ROLLBACK was sent: what is sent on the same pipelined session from now on comes after it. */
  sent(): void;
  /** The end was answered, or will never be. */
  settled(ending: Ending): void;
}

/** Rolls back; answers whether the session can be used again. */
const rollBack = async (client: StatementClient, end: EndOfTransaction, logger: Logger): Promise<Ending> => {
  const answered = runText(client, 'ROLLBACK');
  end.sent();
  try {
    await answered;
    return 'usable';
  } catch (error) {
    logger.warn(
      { event: 'database.not_rolled_back', err: error },
      'A transaction could not be rolled back; its connection is closed',
    );
    return 'unusable';
  }
};

/** Commits; after this there is no transaction on the session, whatever the outcome. */
const commit = async (client: StatementClient, end: EndOfTransaction): Promise<void> => {
  const answered = runText(client, 'COMMIT');
  end.sent();
  try {
    // A failed statement whose error the work swallowed turns COMMIT into a rollback that the engine calls a success.
    const { command } = await answered;
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed before');
  } catch (error) {
    end.settled(leavesSessionUsable(error) ? 'usable' : 'unusable');
    throw error;
  }
  end.settled('usable');
};

const abandon = async (
  client: StatementClient,
  handle: Handle,
  end: EndOfTransaction,
  logger: Logger,
): Promise<void> => {
  handle.close();
  if (handle.sessionLost()) {
    end.sent();
    end.settled('unusable');
  } else {
    end.settled(await rollBack(client, end, logger));
  }
};

/**
 * Runs a whole transaction on a client that nobody else uses meanwhile.
 * @throws what `work` threw, DatabaseUnavailable when the engine failed or the outcome of the commit is unknown
 */
export const runTransaction = async <T>(
  client: StatementClient,
  work: (transaction: ScriptTransaction) => Promise<T>,
  end: EndOfTransaction,
  logger: Logger,
): Promise<T> => {
  const handle = openHandle(client);
  let result: T;
  try {
    await handle.begin();
    result = await work(handle.transaction);
    handle.close();
  } catch (error) {
    await abandon(client, handle, end, logger);
    throw error;
  }
  await commit(client, end);
  runEffects(handle.effects, logger);
  return result;
};

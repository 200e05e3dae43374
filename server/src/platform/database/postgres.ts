/** Owns the PostgreSQL engine: a pool for statements and transactions, and one pipelined connection for look-ups. */
import type { PoolClient } from 'pg';
import type { RequestDeadline } from '../observability/context.ts';
import type { Logger } from '../observability/logger.ts';
import { type Answer, type NamedText, queryable, runStatement, runText } from './connection.ts';
import { DatabaseUnavailable } from './database.ts';
import {
  backgroundLimits,
  bindingDeadline,
  isOfRequest,
  openingMillis,
  waitLimits,
  withinDeadline,
} from './deadlines.ts';
import { retryOnDisconnect, stateAfter, wasSilent } from './failure.ts';
import { LookupConnection } from './lookup-connection.ts';
import { clientConfig, openingFailure } from './postgres-client.ts';
import { Admission, PostgresPool } from './postgres-pool.ts';
import { wasCommitted } from './postgres-session.ts';
import { type SqlValue, statement } from './statement.ts';
import {
  runTransaction,
  type ScriptDatabase,
  type ScriptTransaction,
  type TransactionHooks,
  TransactionScope,
} from './transaction.ts';
import { type Claim, claimInProgress } from './turns/turns.ts';

const defaultPoolSize = 8;

const trivial = statement<{ one: number }>('database.ping', 'SELECT 1 AS one');

/**
 * Runs a statement of background work, for which no client waits and which may process more at a time than a request.
 * It takes one round trip and leaves the session unchanged.
 */
const runInBackground = async (client: PoolClient, asked: NamedText, params: readonly SqlValue[]): Promise<Answer> => {
  const limits = backgroundLimits;
  const [, answer] = await Promise.all([
    runText(client, `SET statement_timeout = ${limits.statementMillis}`, limits.answerMillis),
    runStatement(client, asked, params, limits.answerMillis),
    runText(client, 'RESET statement_timeout', limits.answerMillis),
  ]);
  return answer;
};

const takeBeforeDeadline = async (
  pool: PostgresPool,
  deadline: RequestDeadline | null,
  claim: Claim,
): Promise<PoolClient> => {
  const client = await pool.take(claim);
  try {
    deadline?.assertNotExpired();
    return client;
  } catch (error) {
    pool.putBack(client);
    throw error;
  }
};

const runOnPool = async (pool: PostgresPool, asked: NamedText, params: readonly SqlValue[]): Promise<Answer> => {
  const deadline = bindingDeadline();
  const client = await takeBeforeDeadline(pool, deadline, claimInProgress(false));
  try {
    const answer = await (isOfRequest()
      ? runStatement(client, asked, params, waitLimits.answerMillis)
      : runInBackground(client, asked, params));
    pool.give(client, 'usable');
    return answer;
  } catch (error) {
    pool.give(client, stateAfter(error));
    throw error;
  }
};

/**
 * Runs a transaction on the pool. A session that ends before COMMIT has changed nothing: the work runs once more, on
 * another session. So a restart fails only single statements in progress, whose outcome is unknown.
 */
const transactionOnPool = <T>(
  pool: PostgresPool,
  work: (transaction: ScriptTransaction) => Promise<T>,
  logger: Logger,
): Promise<T> => {
  // Read once: the request may have ended, and been refused, when the second try begins.
  const deadline = bindingDeadline();
  const isRequest = isOfRequest();
  const claim = claimInProgress(true);
  let isLost = false;
  const tryOnce = async (): Promise<T> => {
    isLost = false;
    const client = await takeBeforeDeadline(pool, deadline, claim);
    const hooks: TransactionHooks = {
      ...(isRequest ? { answerMillis: waitLimits.answerMillis } : backgroundLimits),
      requireWanted: () => deadline?.assertNotExpired(),
      sent: () => undefined,
      settled: (state) => pool.give(client, state),
      lost: () => {
        isLost = true;
      },
      wasCommitted: (transactionId) => wasCommitted(pool, transactionId, pool.historyOf(client)),
    };
    return runTransaction(client, work, hooks, logger);
  };
  return retryOnDisconnect(tryOnce, (error) => isLost && error instanceof DatabaseUnavailable, tryOnce);
};

const databaseOver = (pool: PostgresPool, lookupConnection: LookupConnection, logger: Logger): ScriptDatabase => {
  const scope = new TransactionScope();
  const admission = new Admission();
  const statements = queryable(async (asked, params) => {
    scope.refuseInside(`The statement ${asked.name}`);
    return withinDeadline(Number.POSITIVE_INFINITY, () => admission.admit(() => runOnPool(pool, asked, params)));
  });
  const lookups = queryable(async (asked, params) => {
    scope.refuseInside(`The look-up ${asked.name}`);
    return withinDeadline(lookupConnection.maxMillis, () => lookupConnection.run(asked, params));
  });
  let closing: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    await Promise.all([admission.close(), lookupConnection.close()]);
    await pool.end();
  };
  return {
    engine: 'postgres',
    ...statements,
    lookups,
    transaction: async (work) => {
      scope.refuseInside('A transaction');
      const inScope: typeof work = (transaction) => scope.run(() => work(transaction));
      return withinDeadline(Number.POSITIVE_INFINITY, () =>
        admission.admit(() => transactionOnPool(pool, inScope, logger)),
      );
    },
    ping: async () => {
      await lookups.one(trivial, []);
    },
    openAhead: () => pool.openAhead(performance.now() + openingMillis),
    stats: () => pool.stats,
    count: () => undefined,
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
};

interface PostgresOptions {
  readonly url: string;
  readonly logger: Logger;
  readonly poolSize?: number;
}

const openOnce = async ({ url, logger, poolSize = defaultPoolSize }: PostgresOptions): Promise<ScriptDatabase> => {
  const lookupConnection = new LookupConnection(() => clientConfig(url), logger);
  let close = (): Promise<void> => lookupConnection.close();
  try {
    await lookupConnection.open();
    const pool = new PostgresPool(url, poolSize, logger, () => lookupConnection.markSuspect());
    const database = databaseOver(pool, lookupConnection, logger);
    close = () => database.close();
    await Promise.all([database.one(trivial, []), database.ping()]);
    return database;
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * Opens the database behind a `postgres://` address. A silent server is asked again, for the last time within
 * `openingMillis`; a refusal ends the opening at once.
 * @throws DatabaseRefused, DatabaseUnavailable: with one sentence for the operator
 */
export const openPostgres = async (options: PostgresOptions): Promise<ScriptDatabase> => {
  const until = performance.now() + openingMillis;
  for (;;) {
    try {
      return await openOnce(options);
    } catch (error) {
      if (!wasSilent(error) || performance.now() >= until) throw openingFailure(error, options.url);
      options.logger.warn({ event: 'database.silent', err: error }, 'PostgreSQL does not answer; it is asked again');
    }
  }
};

/** Owns the PostgreSQL engine: a pool for statements and transactions, and one pipelined connection for look-ups. */
import type { PoolClient } from 'pg';
import type { Logger } from '../observability/logger.ts';
import { byTransaction } from './by-transaction.ts';
import { type Answer, type NamedText, queryable, runStatement, runText } from './connection.ts';
import { DatabaseUnavailable, type SqlValue, statement } from './database.ts';
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
import { type NewClient, openingFailure } from './postgres-client.ts';
import { Admission, PostgresPool } from './postgres-pool.ts';
import { requireOwnProcesses, wasCommitted } from './postgres-session.ts';
import { isChange } from './primary/commit-stall.ts';
import { outdated, type Term } from './primary/fence.ts';
import { Primary } from './primary/primary.ts';
import { newClient, type PoolerOptions } from './primary-host.ts';
import {
  runTransaction,
  type ScriptDatabase,
  type ScriptTransaction,
  type TransactionHooks,
  TransactionScope,
} from './transaction.ts';
import { type Claim, claimInProgress } from './turns/turns.ts';

const defaultPoolSize = 8;
const defaultFenceSeconds = 3;

const trivial = statement<{ one: number }>('database.ping', 'SELECT 1 AS one');

/** Runs a statement of background work, which may process more at a time than a request, in one round trip. */
const runInBackground = async (client: PoolClient, asked: NamedText, params: readonly SqlValue[]): Promise<Answer> => {
  const limits = backgroundLimits;
  const limit = `SET LOCAL statement_timeout = ${limits.statementMillis}`;
  const alone = byTransaction.get(client)?.runAlone(asked, params, limits.answerMillis, `; ${limit}`);
  if (alone !== undefined) return alone;
  const [, answer] = await Promise.all([
    runText(client, `SET statement_timeout = ${limits.statementMillis}`, limits.answerMillis),
    runStatement(client, asked, params, limits.answerMillis),
    runText(client, `SET statement_timeout = ${waitLimits.statementMillis}`, limits.answerMillis),
  ]);
  return answer;
};

/** @param mayBegin throws where the work is not to begin any more */
const takeToBegin = async (pool: PostgresPool, claim: Claim, mayBegin: () => void): Promise<PoolClient> => {
  mayBegin();
  const client = await pool.take(claim);
  try {
    mayBegin();
    return client;
  } catch (error) {
    pool.putBack(client);
    throw error;
  }
};

interface Pooled {
  readonly pool: PostgresPool;
  readonly primary: Primary;
  readonly logger: Logger;
}

/**
 * An answer, and a refusal by the work, counts as long as its server is confirmed: a former primary knows no newer
 * refresh token. A change that was committed by then is one of unknown outcome.
 */
const requireConfirmed = ({ fence }: Primary, term: Term): Promise<void> | null =>
  fence.holds(term) ? null : fence.require(term);

/** Runs one statement. A read whose answer is outdated runs once more. */
const runOnPool = async (pooled: Pooled, asked: NamedText, params: readonly SqlValue[]): Promise<Answer> => {
  const { answer, isOutdated } = await runOnce(pooled, asked, params);
  if (!isOutdated || isChange(asked)) return answer;
  const again = await runOnce(pooled, asked, params);
  if (again.isOutdated) throw outdated();
  return again.answer;
};

const runOnce = async (
  { pool, primary }: Pooled,
  asked: NamedText,
  params: readonly SqlValue[],
): Promise<{ readonly answer: Answer; readonly isOutdated: boolean }> => {
  const deadline = bindingDeadline();
  const client = await takeToBegin(pool, claimInProgress(false), () => {
    deadline?.assertNotExpired();
    if (isChange(asked)) primary.stall.requireNone();
  });
  const { answerMillis } = isOfRequest() ? waitLimits : backgroundLimits;
  const askedAt = performance.now();
  let answer: Answer;
  try {
    answer = await (isOfRequest()
      ? runStatement(client, asked, params, waitLimits.answerMillis)
      : runInBackground(client, asked, params));
  } catch (error) {
    pool.give(client, stateAfter(error));
    throw error;
  }
  pool.give(client, 'usable');
  await requireConfirmed(primary, pool.termOf(client));
  return { answer, isOutdated: primary.fence.isOutdated(askedAt, answerMillis) };
};

/**
 * A session that ends before COMMIT has changed nothing: the work runs once more, on another one. So a restart fails
 * only single statements in progress, whose outcome is unknown.
 */
const transactionOnPool = <T>(
  { pool, primary, logger }: Pooled,
  work: (transaction: ScriptTransaction) => Promise<T>,
): Promise<T> => {
  const { fence, stall } = primary;
  // Read once: the request may have ended, and been refused, when the second try begins.
  const deadline = bindingDeadline();
  const isRequest = isOfRequest();
  const claim = claimInProgress(true);
  let isLost = false;
  const tryOnce = async (): Promise<T> => {
    isLost = false;
    const client = await takeToBegin(pool, claim, () => {
      deadline?.assertNotExpired();
      stall.requireNone();
    });
    const term = pool.termOf(client);
    const hooks: TransactionHooks = {
      ...(isRequest ? { answerMillis: waitLimits.answerMillis } : backgroundLimits),
      requireWanted: () => {
        deadline?.assertNotExpired();
        fence.requireCurrent(term);
      },
      sent: () => undefined,
      settled: (state) => pool.give(client, state),
      lost: () => {
        isLost = true;
      },
      wasCommitted: (transactionId) => wasCommitted(pool, transactionId, pool.historyOf(client)),
    };
    try {
      const done = await runTransaction(client, work, hooks, logger);
      await requireConfirmed(primary, term);
      return done;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) await requireConfirmed(primary, term);
      throw error;
    }
  };
  return retryOnDisconnect(tryOnce, (error) => isLost && error instanceof DatabaseUnavailable, tryOnce);
};

const databaseOver = (pooled: Pooled, lookupConnection: LookupConnection): ScriptDatabase => {
  const { pool, primary } = pooled;
  const scope = new TransactionScope();
  const admission = new Admission();
  const statements = queryable(async (asked, params) => {
    scope.refuseInside(`The statement ${asked.name}`);
    return withinDeadline(Number.POSITIVE_INFINITY, () => admission.admit(() => runOnPool(pooled, asked, params)));
  });
  const lookups = queryable(async (asked, params) => {
    scope.refuseInside(`The look-up ${asked.name}`);
    return withinDeadline(lookupConnection.maxMillis, () => lookupConnection.run(asked, params));
  });
  let closing: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    await Promise.all([admission.close(), lookupConnection.close()]);
    await Promise.all([primary.heartbeat.close(), pool.end()]);
  };
  return {
    engine: 'postgres',
    ...statements,
    lookups,
    transaction: async (work) => {
      scope.refuseInside('A transaction');
      const inScope: typeof work = (transaction) => scope.run(() => work(transaction));
      return withinDeadline(Number.POSITIVE_INFINITY, () => admission.admit(() => transactionOnPool(pooled, inScope)));
    },
    ping: async () => {
      await lookups.one(trivial, []);
    },
    openAhead: () => pool.openAhead(performance.now() + openingMillis),
    stats: () => ({ ...pool.stats, primary: primary.stats }),
    count: () => undefined,
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
};

interface PostgresOptions extends PoolerOptions {
  readonly url: string;
  readonly logger: Logger;
  readonly poolSize?: number;
  /** How long a heartbeat counts; 3 by default. */
  readonly fenceSeconds?: number;
}

const openOnce = async (options: PostgresOptions): Promise<ScriptDatabase> => {
  const { url, logger, poolSize = defaultPoolSize, fenceSeconds = defaultFenceSeconds } = options;
  const newSession: NewClient = (settings) => newClient(url, settings, options);
  const primary = new Primary({ newClient: newSession, fenceMillis: fenceSeconds * 1000, logger });
  const lookupConnection = new LookupConnection(newSession, primary, logger);
  const pool = new PostgresPool(url, poolSize, logger, primary, options);
  const database = databaseOver({ pool, primary, logger }, lookupConnection);
  try {
    await primary.heartbeat.open();
    await lookupConnection.open();
    requireOwnProcesses(primary.heartbeat.key, lookupConnection.key);
    await Promise.all([database.one(trivial, []), database.ping()]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
};

/**
 * Opens the database behind a `postgres://` address. A silent server is asked again within `openingMillis`; a refusal
 * ends the opening at once.
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

/** Decorators of a database: traced statements, a hook before each commit, dry runs, and counters of commits. */
import { type SpanOptions, traced } from '../observability/context.ts';
import type { Counter, Family } from '../observability/metrics.ts';
import type { CommitCounter, Database, Queryable, Transaction } from './database.ts';
import { runAndRollBack } from './transaction.ts';

/** A database with some members replaced. */
const decorate = (database: Database, replaced: Partial<Database>): Database => ({
  ...queriesOf(database),
  engine: database.engine,
  lookups: database.lookups,
  transaction: (work) => database.transaction(work),
  count: (...counted) => database.count(...counted),
  ping: () => database.ping(),
  stats: () => database.stats(),
  close: () => database.close(),
  ...replaced,
});

const queriesOf = (inner: Queryable): Queryable => ({
  many: (statement, params) => inner.many(statement, params),
  maybeOne: (statement, params) => inner.maybeOne(statement, params),
  one: (statement, params) => inner.one(statement, params),
  execute: (statement, params) => inner.execute(statement, params),
});

/** Runs `act` just before every COMMIT; if it throws, the transaction rolls back. */
export const withBeforeCommit = (database: Database, act: (transaction: Transaction) => Promise<void>): Database =>
  decorate(database, {
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const result = await work(transaction);
        await act(transaction);
        return result;
      }),
  });

/** Rolls each transaction back: a dry run of an operation whose changes are all in transactions. */
export const withRollBack = (database: Database): Database =>
  decorate(database, { transaction: (work) => runAndRollBack(database, work) });

type CommitCounters = Readonly<Record<CommitCounter, Family<Counter>>>;

/** Adds what each transaction, or a single statement, counts to `counters`, once it is durable. */
export const countCommits = (database: Database, counters: CommitCounters): Database => {
  const add: Database['count'] = (counter, labels, by = 1) => {
    counters[counter].at(...labels).value += by;
  };
  return decorate(database, {
    count: add,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...queriesOf(transaction),
          afterCommit: (effect) => transaction.afterCommit(effect),
          beforeCommit: (last) => transaction.beforeCommit(last),
          count: (...counted) => transaction.afterCommit(() => add(...counted)),
        }),
      ),
  });
};

/**
 * One span for each transaction, and for each statement, with its name and never its parameters. Queries that many
 * requests share, such as look-ups, get none.
 */
export const traceDatabase = (database: Database): Database =>
  decorate(database, {
    ...tracedQueries(database),
    lookups: tracedQueries(database.lookups),
    transaction: (work) =>
      traced(transactionSpan, () =>
        database.transaction((transaction) =>
          work({
            ...tracedQueries(transaction),
            afterCommit: (effect) => transaction.afterCommit(effect),
            beforeCommit: (last) => transaction.beforeCommit(last),
            count: (...counted) => transaction.count(...counted),
          }),
        ),
      ),
  });

const transactionSpan = (): SpanOptions => ({ name: 'transaction', kind: 'client', attributes: system });

const system = { 'db.system.name': 'postgresql' };

const tracedQueries = (inner: Queryable): Queryable => ({
  many: (statement, params) => traced(spanOf(statement), () => inner.many(statement, params)),
  maybeOne: (statement, params) => traced(spanOf(statement), () => inner.maybeOne(statement, params)),
  one: (statement, params) => traced(spanOf(statement), () => inner.one(statement, params)),
  execute: (statement, params) => traced(spanOf(statement), () => inner.execute(statement, params)),
});

const spanOf =
  ({ name }: { readonly name: string }) =>
  (): SpanOptions => ({ name, kind: 'client', attributes: { ...system, 'db.query.summary': name } });

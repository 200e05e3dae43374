/** Database decorator: one span per statement, with its name and never its parameters, and one per transaction. */
import type { SpanFacts } from '../observability/context.ts';
import { traced } from '../observability/context.ts';
import type { Database, Queryable, Transaction } from './database.ts';

/**
 * Decorates a database. Queries outside any work in progress, such as look-ups shared by many requests, get no span.
 */
export const traceDatabase = (database: Database): Database => ({
  ...tracedQueries(database),
  engine: database.engine,
  lookups: tracedQueries(database.lookups),
  transaction: (work) =>
    traced(transactionFacts, () => database.transaction((transaction) => work(tracedTransaction(transaction)))),
  ping: () => database.ping(),
  stats: () => database.stats(),
  close: () => database.close(),
});

const transactionFacts = (): SpanFacts => ({ name: 'transaction', kind: 'client', attributes: system });

const system = { 'db.system.name': 'postgresql' };

const tracedTransaction = (transaction: Transaction): Transaction => ({
  ...tracedQueries(transaction),
  afterCommit: (effect) => transaction.afterCommit(effect),
});

const tracedQueries = (inner: Queryable): Queryable => ({
  many: (statement, params) => traced(factsOf(statement), () => inner.many(statement, params)),
  maybeOne: (statement, params) => traced(factsOf(statement), () => inner.maybeOne(statement, params)),
  one: (statement, params) => traced(factsOf(statement), () => inner.one(statement, params)),
  execute: (statement, params) => traced(factsOf(statement), () => inner.execute(statement, params)),
});

const factsOf =
  ({ name }: { readonly name: string }) =>
  (): SpanFacts => ({ name, kind: 'client', attributes: { ...system, 'db.query.summary': name } });

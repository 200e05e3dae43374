/** A database that takes a span for each statement, by its name and never its parameters, and for each transaction. */
import type { SpanFacts } from '../observability/context.ts';
import { traced } from '../observability/context.ts';
import type { Database, Queryable, Transaction } from './database.ts';

/** The same database. What no work asks for, such as look-ups that many requests share, takes none. */
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

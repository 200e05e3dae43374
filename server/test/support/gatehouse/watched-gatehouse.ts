/**
 * A second instance of a service over the same database, which records its statements and can be made to fail them.
 * Last-seen batches and claims of reports, which no request waits for, are omitted. Its mail worker finds nothing to
 * send: the mails are the first instance's, in whose mailbox tests look for them.
 */

import { createApp } from '../../../src/app.ts';
import type { Database, Queryable } from '../../../src/platform/database/database.ts';
import type { Service } from './gatehouse.ts';
import { silentLogger } from './silent-logger.ts';

export interface WatchedDatabase {
  readonly database: Database;
  /** Names of the statements so far, in order. */
  readonly asked: string[];
  /** The error of every statement, or of the one with that name, from now on; null ends the failures. */
  failWith(error: Error | null, name?: string): void;
  /**
   * Once a statement with a matching name is committed, with its transaction or by itself, everything fails with this
   * error, until {@link failWith} is called. @returns whether that has happened
   */
  failAfterCommitOf(name: RegExp, error: Error): () => boolean;
}

const besideRequests: ReadonlySet<string> = new Set(['credentials.record_last_seen', 'token_reports.claim']);
const claimOfMails = 'mail.claim';

export const watchDatabase = (database: Database): WatchedDatabase => {
  const asked: string[] = [];
  let failure: { readonly error: Error; readonly name: string | undefined } | null = null;
  let afterCommit: { readonly name: RegExp; readonly error: Error } | null = null;
  /** Runs work that is committed when it resolves; everything fails then, if it ran a matching statement. */
  const committing = async <T>(run: () => Promise<T>): Promise<T> => {
    const start = asked.length;
    const result = await run();
    const awaited = afterCommit;
    if (awaited !== null && asked.slice(start).some((name) => awaited.name.test(name))) {
      failure = { error: awaited.error, name: undefined };
    }
    return result;
  };
  /** Runs a recorded statement, or fails in its place. */
  const noting = async <T>({ name }: { readonly name: string }, run: () => Promise<T>): Promise<T> => {
    if (!besideRequests.has(name)) {
      asked.push(name);
      if (failure !== null && name === (failure.name ?? name)) throw failure.error;
    }
    return run();
  };
  const watch = (inner: Queryable): Queryable => ({
    many: async (statement, params) =>
      statement.name === claimOfMails ? [] : noting(statement, () => inner.many(statement, params)),
    maybeOne: (statement, params) => noting(statement, () => inner.maybeOne(statement, params)),
    one: (statement, params) => noting(statement, () => inner.one(statement, params)),
    execute: (statement, params) => noting(statement, () => inner.execute(statement, params)),
  });
  const watchCommitting = (inner: Queryable): Queryable => ({
    many: (statement, params) => committing(() => inner.many(statement, params)),
    maybeOne: (statement, params) => committing(() => inner.maybeOne(statement, params)),
    one: (statement, params) => committing(() => inner.one(statement, params)),
    execute: (statement, params) => committing(() => inner.execute(statement, params)),
  });
  return {
    asked,
    failWith: (error, name) => {
      failure = error === null ? null : { error, name };
      afterCommit = null;
    },
    failAfterCommitOf: (name, error) => {
      afterCommit = { name, error };
      return () => failure?.error === error;
    },
    database: {
      ...watchCommitting(watch(database)),
      engine: database.engine,
      lookups: watch(database.lookups),
      count: (...counted) => database.count(...counted),
      transaction: (work) =>
        committing(() =>
          database.transaction((inner) =>
            work({
              ...watch(inner),
              afterCommit: (effect) => inner.afterCommit(effect),
              beforeCommit: (last) => inner.beforeCommit(last),
              count: (...counted) => inner.count(...counted),
            }),
          ),
        ),
      ping: () => database.ping(),
      stats: () => database.stats(),
      // The database belongs to the first instance.
      close: async () => undefined,
    },
  };
};

export interface WatchedService extends WatchedDatabase {
  readonly url: string;
  /** The statements during this work. */
  during(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

export const watchService = async (service: Service): Promise<WatchedService> => {
  const watched = watchDatabase(service.database);
  const { config } = service;
  const app = await createApp({
    config,
    database: watched.database,
    logger: silentLogger,
    portalDirectory: null,
    isCleanupLeft: true,
  });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...watched,
    url,
    during: async (work) => {
      const start = watched.asked.length;
      await work();
      return watched.asked.slice(start);
    },
    close: () => app.close(),
  };
};

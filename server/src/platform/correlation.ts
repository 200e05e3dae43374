/**
 * Owns which work is in progress: the id under which everything that it does stands in answers, in the log, in the record
 * of tool calls and in the queue of mails. It follows the work through every wait, so nobody has to hand it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WaitBudget } from './database/wait-budget.ts';
import type { Span } from './span.ts';

/** One request, or one mail of the queue. */
export interface Work {
  /** A UUID that we made. What a client sends is never taken over: anybody could give two requests one id. */
  readonly correlationId: string;
  /** How long it may wait for the database; what is no request has no limit of its own. */
  readonly waits?: WaitBudget;
  /** The span in progress; absent where none are taken. */
  readonly span?: Span;
}

const storage = new AsyncLocalStorage<Work | null>();

/** Null outside of any request: at start, in upkeep, in what is shared by many requests. */
export const workInProgress = (): Work | null => storage.getStore() ?? null;

/** The id of the work in progress; a new one where there is none. */
export const currentCorrelationId = (): string => workInProgress()?.correlationId ?? crypto.randomUUID();

/** Runs something, and all that it leaves running, as part of a work. */
export const during = <Result>(work: Work, run: () => Result): Result => storage.run(work, run);

/**
 * Runs something that a request happens to begin and that is not its own: a timer or a connection that others share. What
 * it logs later would stand under an id that has nothing to do with it.
 */
export const apart = <Result>(run: () => Result): Result => storage.run(null, run);

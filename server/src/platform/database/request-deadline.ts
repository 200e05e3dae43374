/** Owns which budget of waits the work in progress has, and keeps each wait for PostgreSQL within it. */
import { currentCorrelationId, during, workInProgress } from '../observability/context.ts';
import { Deadline, requestMillis } from './deadlines.ts';

/** False for background work, such as upkeep and mail. A request whose client has left is one all the same. */
export const isOfRequest = (): boolean => workInProgress()?.waits !== undefined;

/** Null for background work, and once nobody waits for the answer. */
export const budgetNow = (): Deadline | null => {
  const waits = workInProgress()?.waits;
  return waits?.isBinding === true ? waits : null;
};

/**
 * Waits, in a request for no longer than its budget is.
 * @param mostMillis how long the wait takes at most by itself
 * @throws DatabaseUnavailable when the budget is spent
 */
export const inTime = <T>(maxMillis: number, begin: () => Promise<T>): Promise<T> => {
  const budget = budgetNow();
  return budget === null ? begin() : budget.wait(maxMillis, begin);
};

/**
 * Waits for what goes on by itself, whether or not anybody has the patience: it was begun apart from the request.
 * @param begun never rejects
 * @returns whether it ended within the budget
 */
export const settlesBeforeDeadline = (begun: Promise<unknown>): Promise<boolean> =>
  inTime(Number.POSITIVE_INFINITY, () => begun).then(
    () => true,
    () => false,
  );

/** Runs what a request leaves behind, under its id, and with the patience of a request anew. */
export const withNewDeadline = <T>(run: () => Promise<T>): Promise<T> =>
  during({ correlationId: currentCorrelationId(), waits: new Deadline(requestMillis) }, run);

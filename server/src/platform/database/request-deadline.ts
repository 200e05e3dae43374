/** Owns the deadline of the work in progress, and keeps each wait for PostgreSQL within it. */
import { currentCorrelationId, during, type RequestDeadline, workInProgress } from '../observability/context.ts';
import { Deadline, requestMillis } from './deadlines.ts';

/** False for background work, such as cleanup and mail. Requests whose client disconnected still count as requests. */
export const isOfRequest = (): boolean => workInProgress()?.waits !== undefined;

/** The binding deadline; null for background work, and once the response is sent. */
export const budgetNow = (): RequestDeadline | null => {
  const waits = workInProgress()?.waits;
  return waits?.isBinding === true ? waits : null;
};

/**
 * Waits, within a request at most for the rest of its budget.
 * @param maxMillis upper bound of the wait itself
 * @throws DatabaseUnavailable: when the budget is spent
 */
export const inTime = <T>(maxMillis: number, begin: () => Promise<T>): Promise<T> => {
  const budget = budgetNow();
  return budget === null ? begin() : budget.wait(maxMillis, begin);
};

/**
 * Waits for work that was started apart from the request and continues after the deadline.
 * @param begun never rejects
 * @returns whether it ended within the budget
 */
export const settlesBeforeDeadline = (begun: Promise<unknown>): Promise<boolean> =>
  inTime(Number.POSITIVE_INFINITY, () => begun).then(
    () => true,
    () => false,
  );

/** Runs work that outlives a request, with its correlation id and a new request deadline. */
export const withNewDeadline = <T>(run: () => Promise<T>): Promise<T> =>
  during({ correlationId: currentCorrelationId(), waits: new Deadline(requestMillis) }, run);

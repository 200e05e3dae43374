/**
 * Owns what a failing database looks like to the rest of the code base.
 *
 * A driver error becomes {@link DatabaseUnavailable} when the same call could succeed later without a change on our
 * side; every other error, a broken constraint for example, passes through with its SQLSTATE.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailable } from './database.ts';
import { inTime } from './request-deadline.ts';

/** The database cannot be used as it is set up. The message is one sentence for the operator and says what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/**
 * SQLSTATE classes and codes of an engine that is not able, rather than not willing: connection trouble (08),
 * out of resources (53), operator intervention (57, with the statement time-out 57014), system error (58), a session
 * ended for idling in a transaction (25P03), a primary that became a standby (25006), and a lock that somebody else held
 * for too long (55P03). A transaction that the engine rolled back to end a deadlock (40P01) or a conflict (40001) changed
 * nothing, and succeeds when it is tried again. So does, on another session, a statement that driver and server do not
 * agree about: several of one name are sent before the server has failed to prepare the first, and then either it knows
 * none of that name (26000) or two prepare it (42P05).
 */
const unavailableStates = /^(08|53|57|58)|^(25P03|25006|26000|40001|40P01|42P05|55P03)$/;

/**
 * What `pg` says without a code when a connection ended under a call, or was never there, or when a DATABASE_URL with
 * `query_timeout` has it lose its own patience.
 */
const unavailableMessages =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|Client has already been|Query read timeout|timeout expired|timeout exceeded|Cannot use a pool after|Received unexpected|The server does not support SSL)/;

/** What ends our patience with a server: what was asked of it may have been done or not. */
export class TimeoutError extends Error {
  override readonly name = 'Silence';

  constructor() {
    super('there was no answer in time');
  }
}

const systemErrorCode = /^E(?!RR_)[A-Z0-9_]+$|^ERR_(STREAM|SOCKET|SSL|TLS)/;

/** The SQLSTATE of an error that the engine sent, or null. */
export const sqlState = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code !== undefined ? error.code : null;

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

const isUnavailable = (error: Error): boolean => {
  const state = sqlState(error);
  if (state !== null) return unavailableStates.test(state);
  if (error instanceof TimeoutError) return true;
  return systemErrorCode.test(codeOf(error)) || unavailableMessages.test(error.message);
};

/** What an error says of itself. That of a name with several addresses, none of which answers, has only a code. */
export const messageOf = (error: Error): string => error.message || codeOf(error) || error.name;

/** Turns what a driver threw into what callers see: {@link DatabaseUnavailable}, or the same error. */
export const toFailure = (thrown: unknown): Error => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(`The database did not answer: ${messageOf(error)}`, { cause: error });
};

/** No session was to be had: nothing was asked of the server. */
export class NoSession extends DatabaseUnavailable {}

/**
 * Whether the connection ended under a statement: nobody knows what became of it, and another one may be there at once. What
 * we refuse ourselves has no cause, and never reached a session.
 */
export const wasCutOff = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  !(error instanceof NoSession) &&
  error.cause !== undefined &&
  endingAfter(error) === 'unusable';

/** Whether a lock that somebody else held was waited for in vain. */
export const wasLockedOut = (error: unknown): boolean =>
  sqlState(error instanceof DatabaseUnavailable ? error.cause : error) === '55P03';

/**
 * States that the engine sends with its last words: the session ends after them. And those after which the driver would
 * go on believing something else of the session's statements than the server does. And 25006: a primary that became a
 * standby goes on answering, and each new session refuses it until the address leads to the new primary.
 */
const sessionEndingStates = /^(08|57P)|^(25006|25P03|26000|42P05)$/;

/** How something left the session that it ran on: `unusable` and `silent` ones are closed, never used again. */
export type Ending = 'usable' | 'unusable' | 'silent';

/**
 * Usable when the engine answered with this error and goes on answering as before; silent when it did not answer at all, so that
 * other sessions with it may be dead too.
 */
export const endingAfter = (error: unknown): Ending => {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  const state = sqlState(cause);
  if (state !== null) return sessionEndingStates.test(state) ? 'unusable' : 'usable';
  if (!(error instanceof DatabaseUnavailable)) return 'usable';
  return cause instanceof TimeoutError ? 'silent' : 'unusable';
};

// Owns what is asked again when the connection ended under it: a restart of the server, or of what stands before it, ends
// connections of which the next ones work. Always within the budget of the request.

/** Who has waited this long is told that the database is away rather than asked to wait once more. */
const againMillis = 500;

/** How long is asked after an outcome that nobody knows; a server that restarts refuses everybody for about a second. */
const askingMillis = 1_500;
const firstPauseMillis = 20;

/**
 * Runs what changes nothing when its connection ends, and once more when that happened early.
 * @param mayRepeat whether the failure left nothing behind
 * @param again gets the milliseconds that the first try took
 */
export const retryOnDisconnect = async <T>(
  first: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  again: (spentMillis: number) => Promise<T>,
): Promise<T> => {
  const begun = performance.now();
  try {
    return await first();
  } catch (error) {
    const spentMillis = performance.now() - begun;
    if (spentMillis > againMillis || !mayRepeat(error)) throw error;
    return again(spentMillis);
  }
};

/**
 * Runs what may have been done when its connection ends, and asks what became of it until the server answers, for 1.5
 * seconds at most.
 * @param ask does it if it was not done, and answers the same either way
 */
export const retryUntilKnown = async <T>(first: () => Promise<T>, ask: () => Promise<T>): Promise<T> => {
  const begun = performance.now();
  try {
    return await first();
  } catch (error) {
    if (!wasCutOff(error)) throw error;
    return askOn(ask, begun);
  }
};

const askOn = async <T>(ask: () => Promise<T>, begun: number): Promise<T> => {
  for (let pauseMillis = firstPauseMillis; ; pauseMillis *= 2) {
    const pause = pauseMillis;
    await inTime(Number.POSITIVE_INFINITY, () => sleep(pause));
    try {
      return await ask();
    } catch (error) {
      const nextMillis = performance.now() - begun + pauseMillis * 2;
      if (!(error instanceof DatabaseUnavailable) || nextMillis > askingMillis) throw error;
    }
  }
};

/**
 * Owns what a failing database looks like to the rest of the code base.
 *
 * A driver error becomes {@link DatabaseUnavailable} when the same call could succeed later without a change on our
 * side; every other error, a broken constraint for example, passes through with its SQLSTATE.
 */
import pg from 'pg';
import { DatabaseUnavailable } from './database.ts';

/** The database cannot be used as it is set up. The message is one sentence for the operator and says what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/**
 * SQLSTATE classes and codes of an engine that is not able, rather than not willing: connection trouble (08),
 * out of resources (53), operator intervention (57, with the statement time-out 57014), system error (58), a session
 * ended for idling in a transaction (25P03), and a primary that became a standby (25006). A transaction that the engine
 * rolled back to end a deadlock (40P01) or a conflict (40001) changed nothing, and succeeds when it is tried again.
 */
const unavailableStates = /^(08|53|57|58)|^(25P03|25006|40001|40P01)$/;

/** What `pg` says without a code when a connection ended under a call, or was never there. */
const unavailableMessages =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|Client has already been|Query read timeout|timeout expired|timeout exceeded|Cannot use a pool after|Received unexpected|The server does not support SSL)/;

const systemErrorCode = /^E(?!RR_)[A-Z0-9_]+$|^ERR_(STREAM|SOCKET|SSL|TLS)/;

/** The SQLSTATE of an error that the engine sent, or null. */
export const sqlState = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code !== undefined ? error.code : null;

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

const isUnavailable = (error: Error): boolean => {
  const state = sqlState(error);
  if (state !== null) return unavailableStates.test(state);
  return systemErrorCode.test(codeOf(error)) || unavailableMessages.test(error.message);
};

/** Turns what a driver threw into what callers see: {@link DatabaseUnavailable}, or the same error. */
export const toFailure = (thrown: unknown): Error => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(`The database did not answer: ${error.message}`, { cause: error });
};

/** States that the engine sends with its last words: the session ends after them. */
const sessionEndingStates = /^(08|57P)|^25P03$/;

/**
 * True when the session is still good after this error: the engine answered and goes on answering. After anything
 * else the connection is thrown away.
 */
export const leavesSessionUsable = (error: unknown): boolean => {
  const state = sqlState(error instanceof DatabaseUnavailable ? error.cause : error);
  if (state === null) return !(error instanceof DatabaseUnavailable);
  return !sessionEndingStates.test(state);
};

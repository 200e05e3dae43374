/**
 * Owns how database failures appear to the rest of the code: as {@link DatabaseUnavailable} when the same call could
 * succeed later without a change on our side; every other driver error, such as of a constraint, passes through.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { DatabaseUnavailable } from './database.ts';
import { withinDeadline } from './deadlines.ts';

/** The database cannot be used as it is set up. The message is one sentence for the operator and says what to do. */
export class DatabaseRefused extends Error {
  override readonly name: string = 'DatabaseRefused';
}

/** The server is in recovery: a standby, or a former primary that became one. */
export class IsStandby extends DatabaseRefused {
  constructor() {
    super('The server at DATABASE_URL is a read-only standby; point DATABASE_URL at the primary.');
  }
}

/**
 * SQLSTATE classes and codes of an engine that is unable rather than unwilling:
 * - connection exception (08), insufficient resources (53), operator intervention (57, with the statement timeout
 *   57014), system error (58)
 * - a session ended for idling in a transaction (25P03), and a primary that became a standby (25006)
 * - a lock timeout (55P03)
 * - a transaction rolled back for a deadlock (40P01) or a serialization failure (40001), which succeeds when retried
 * - a prepared statement that driver and server disagree about: several of one name are sent before the server has
 *   failed to prepare the first, and then the name is unknown (26000) or two prepare it (42P05)
 */
const unavailableStates = /^(08|53|57|58)|^(25P03|25006|26000|40001|40P01|42P05|55P03)$/;

/**
 * Messages of `pg` errors without a code: the connection ended during a call or was never there, or the `query_timeout`
 * of DATABASE_URL expired.
 */
const unavailableMessages =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|Client has already been|Query read timeout|timeout expired|timeout exceeded|Cannot use a pool after|Received unexpected|The server does not support SSL)/;

/** Our timeout for the server expired: the statement may have run or not. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';

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
  if (error instanceof StatementTimeout) return true;
  return systemErrorCode.test(codeOf(error)) || unavailableMessages.test(error.message);
};

/** The message of an error. The error of a host with several addresses, none of which answers, has only a code. */
export const messageOf = (error: Error): string => error.message || codeOf(error) || error.name;

/** Converts a driver's error into the one that callers see: {@link DatabaseUnavailable}, or the same error. */
export const toFailure = (thrown: unknown): Error => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(`The database did not answer: ${messageOf(error)}`, { cause: error });
};

/** A server answers, and its commits do not return. */
export class CommitsWait extends DatabaseUnavailable {}

/** No session could be opened: nothing was sent to the server. */
export class NoSession extends DatabaseUnavailable {}

/** Why a host is passed over: it answers as a standby, refuses the session, is silent, or cannot be reached. */
export type HostState = 'standby' | 'refused' | 'silent' | 'unreachable';

/** None of several hosts is a primary that lets this process in; a sentence on each, without secrets. */
export class NoPrimary extends NoSession {
  /** In the order of the list; their names are in the message alone, which strangers do not see. */
  readonly hosts: readonly HostState[];

  constructor(message: string, hosts: readonly HostState[], errors: readonly unknown[]) {
    super(message, { cause: new AggregateError(errors, message) });
    this.hosts = hosts;
  }
}

/** Whether the connection ended during a statement. Our own refusals have no cause and never reached a session. */
export const wasCutOff = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  !(error instanceof NoSession) &&
  error.cause !== undefined &&
  stateAfter(error) === 'unusable';

/** The connection timeouts of a client, of a client of the pool, and of a wait for the pool. */
const connectionTimeouts = /^(timeout (expired|exceeded)|Connection terminated due to connection timeout)/;

const isConnectionTimeout = (error: unknown): boolean =>
  error instanceof Error && connectionTimeouts.test(error.message);

/** Whether a new connection was not answered in time, by the driver's timeout or by ours. A refusal is an answer. */
export const wasSilent = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof StatementTimeout ||
    isConnectionTimeout(error) ||
    wasSilent(error.cause) ||
    (error instanceof AggregateError && error.errors.some(wasSilent)));

/** Whether a server refused a new session by its role or its settings. */
export const wasRefused = (error: unknown): boolean =>
  error instanceof DatabaseRefused || (error instanceof AggregateError && error.errors.some(wasRefused));

/** For a transaction that a server in recovery did not begin, or that asked for the end of its log; else null. */
export const standbyRefusal = (error: unknown): IsStandby | null =>
  /^(0A000|55000)$/.test(sqlState(error) ?? '') ? new IsStandby() : null;

/** Whether waiting for another session's lock timed out. */
export const wasLockedOut = (error: unknown): boolean =>
  sqlState(error instanceof DatabaseUnavailable ? error.cause : error) === '55P03';

/**
 * States after which the session is closed: the engine ended it (08, 57P, 25P03); driver and server disagree about its
 * prepared statements (26000, 42P05); and 25006, because a demoted primary keeps answering while each new session
 * refuses it, until the address leads to the new primary.
 */
const sessionEndingStates = /^(08|57P)|^(25006|25P03|26000|42P05)$/;

/** State of a session after an operation: `unusable` and `silent` ones are closed, never reused. */
export type SessionState = 'usable' | 'unusable' | 'silent';

/** Usable when the engine goes on after this error; silent when it did not answer: others may be dead too. */
export const stateAfter = (error: unknown): SessionState => {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  const state = sqlState(cause);
  if (state !== null) return sessionEndingStates.test(state) ? 'unusable' : 'usable';
  if (!(error instanceof DatabaseUnavailable)) return 'usable';
  return cause instanceof StatementTimeout ? 'silent' : 'unusable';
};

// Retries, within the request's deadline, after a lost connection: a restart ends connections, and the next ones work.

const limits = scaledMillis({
  /** A call that took longer than this fails as unavailable and is not retried. */
  againMillis: 500,

  /** How long an unknown outcome is queried; a restarting server refuses all connections for about a second. */
  askingMillis: 1_500,
});
const firstPauseMillis = 20;

/**
 * Runs an operation that changes nothing when its connection ends, and repeats it once when that happened early.
 * @param mayRepeat whether the failure left nothing behind
 * @param again receives the milliseconds that the first try took
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
    if (spentMillis > limits.againMillis || !mayRepeat(error)) throw error;
    return again(spentMillis);
  }
};

/**
 * Runs an operation that may have taken effect when its connection ends, and then asks for the outcome, for 1.5 s at
 * most.
 * @param ask performs the operation if it was not done; returns the same either way
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
    await withinDeadline(Number.POSITIVE_INFINITY, () => sleep(pause));
    try {
      return await ask();
    } catch (error) {
      const nextMillis = performance.now() - begun + pauseMillis * 2;
      if (!(error instanceof DatabaseUnavailable) || nextMillis > limits.askingMillis) throw error;
    }
  }
};

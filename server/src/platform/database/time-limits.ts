/**
 * Owns how long PostgreSQL may take for each thing that is waited for. What a request waits for all together has a limit
 * of its own (`request-budget.ts`). The embedded engine, in the same process, has no network to fail.
 *
 * The server's limits are a little shorter than ours for the same thing: a server that answers ends the wait with an
 * error and keeps its connection; ours end the wait for one that has gone silent, with the connection.
 */

/** Everything that one request waits for. */
export const requestMillis = 2_000;

/** A place in the pool, or a new connection. Its settings are answered as a statement is, within `answerMillis`. */
export const connectMillis = 1_500;

/** The server: a lock that somebody else holds. A change that is worth waiting for takes milliseconds. */
export const lockMillis = 1_500;

/** The server: one statement of a request. With it the sessions are set up. */
export const statementMillis = 1_600;

/** The answer to one statement of a request, after which its connection is taken for dead. */
export const answerMillis = 1_800;

/** Both for background work: upkeep, mail, the command line, what caches read and recorders write. */
export const backgroundLimits = { statementMillis: 5_000, answerMillis: 6_000 };

/**
 * Look-ups stand in one line, and a request may wait for two of them: those before it and its own. They take no lock that
 * anything but a change of the schema holds against them.
 */
export const lookupLimits = { lockMillis: 500, statementMillis: 1_200, answerMillis: 1_500, connectionMillis: 500 };

/**
 * The server: a transaction in which nothing happens, as after the process that had begun it died, or a network forgot
 * their connection. Nobody gets what it has locked until then, so this is not much longer than an answer takes.
 */
export const idleInTransactionMillis = 2_000;

/** A connection that nobody needs is closed after this time. */
export const idleConnectionMillis = 60_000;

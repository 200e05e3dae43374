/**
 * Deadlines of database work: the constants, and a deadline that all waiting of one request shares.
 */
import { DatabaseUnavailable } from './database.ts';

// Owns how long a request may wait for the database, all its waits together: each may be short and their sum long. What it
// does itself meanwhile, a password's hash above all, does not count.

export class Deadline {
  readonly #millis: number;
  /** Of waits that are over. */
  #spent = 0;
  /** How many waits there are at the moment, and since when there is one. */
  #waits = 0;
  #since = 0;
  #isBinding = true;
  #isRefused = false;

  constructor(millis: number) {
    this.#millis = millis;
  }

  /** False once the request is over: what it left running, and begins only then, is bound by nobody's patience. */
  get isBinding(): boolean {
    return this.#isBinding;
  }

  /** The request is over. */
  end(): void {
    this.#isBinding = false;
  }

  /**
   * Also once the request is over: what it began must not change anything after its caller was refused.
   * @throws DatabaseUnavailable when nothing is left: then whoever waited has been told so
   */
  assertNotExpired(): void {
    if (this.#isRefused || (this.#isBinding && this.#left() <= 0)) throw this.#refuse();
  }

  /**
   * Waits, at most for what is left of the budget. What was begun goes on then, and its caller hears no more of it.
   * @param mostMillis how long the wait takes at most by itself: while more than that is left, no clock is set
   * @throws DatabaseUnavailable when nothing is left, before or meanwhile
   */
  async wait<T>(maxMillis: number, begin: () => Promise<T>): Promise<T> {
    if (!this.#isBinding) return begin();
    this.assertNotExpired();
    const left = this.#left();
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
    try {
      return await (maxMillis < left ? begin() : this.#atMost(left, begin()));
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#spent += performance.now() - this.#since;
    }
  }

  #left(): number {
    const running = this.#waits === 0 ? 0 : performance.now() - this.#since;
    return this.#millis - this.#spent - running;
  }

  #atMost<T>(millis: number, begun: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#spent = this.#millis;
        reject(this.#refuse());
      }, millis);
      begun.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  #refuse(): DatabaseUnavailable {
    this.#isRefused = true;
    return new DatabaseUnavailable(`The request has waited for the database for ${this.#millis} ms`);
  }
}

// Owns how long PostgreSQL may take for each thing that is waited for. What a request waits for all together has a limit
// of its own (`request-deadline.ts`). The embedded engine, in the same process, has no network to fail.
//
// The server's limits are a little shorter than ours for the same thing: a server that answers ends the wait with an
// error and keeps its connection; ours end the wait for one that has gone silent, with the connection.

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

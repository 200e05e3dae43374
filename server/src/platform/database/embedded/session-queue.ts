/**
 * Owns who may speak on the one session of the embedded engine: single statements together, a transaction alone,
 * each in the order of arrival.
 *
 * Work is started synchronously when its turn comes: were it started by a promise, a statement whose turn came before
 * a transaction's could reach the session after its BEGIN, and be rolled back with it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailable } from '../database.ts';

interface Waiting {
  readonly alone: boolean;
  readonly start: () => void;
  readonly refuse: (reason: string) => void;
}

export class SessionQueue {
  readonly #patienceMillis: number;
  #waiting: Waiting[] = [];
  #taken = false;
  #closed = false;

  /** @param patienceMillis how long anyone waits for a turn before it is refused with DatabaseUnavailable */
  constructor(timeoutMillis: number) {
    this.#patienceMillis = timeoutMillis;
  }

  /**
   * Runs a single statement at its turn. Statements do not wait for each other, and their end is of no interest: the
   * session answers in order, so a transaction that begins later begins after them.
   */
  statement<T>(send: () => Promise<T>): Promise<T> {
    return this.#mustWait() ? this.#wait(false, send) : send();
  }

  /** Runs a transaction at its turn; the session is its own until `run` calls `end`, which it must do once. */
  transaction<T>(run: (end: () => void) => Promise<T>): Promise<T> {
    const begin = (): Promise<T> => run(() => this.#end());
    if (this.#mustWait()) return this.#wait(true, begin);
    this.#taken = true;
    return begin();
  }

  /**
   * Takes the last turn: what was asked for before has been sent when this resolves, later callers are refused. When
   * a transaction does not end within the patience, resolves all the same.
   * @returns whether the session is free
   */
  async close(): Promise<boolean> {
    const free = await this.transaction(async () => true).catch(() => false);
    this.#closed = true;
    for (const waiting of this.#waiting) waiting.refuse('The embedded database is closed');
    this.#waiting = [];
    return free;
  }

  #mustWait(): boolean {
    return this.#closed || this.#taken || this.#waiting.length > 0;
  }

  #end(): void {
    this.#taken = false;
    while (!this.#taken) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#taken = next.alone;
      next.start();
    }
  }

  #wait<T>(alone: boolean, run: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable('The embedded database is closed'));
    return new Promise((resolve, reject) => {
      const refuse = (reason: string): void => {
        clearTimeout(timer);
        reject(new DatabaseUnavailable(reason));
      };
      // Whoever ends a turn calls it, and what runs is part of the work that has waited.
      const start = AsyncLocalStorage.bind((): void => {
        clearTimeout(timer);
        run().then(resolve, reject);
      });
      const waiting: Waiting = { alone, start, refuse };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        refuse(`The embedded database was busy for ${this.#patienceMillis} ms`);
      }, this.#patienceMillis);
      this.#waiting.push(waiting);
    });
  }
}

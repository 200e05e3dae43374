/**
 * Owns access to the single session of the embedded engine: statements run concurrently, a transaction exclusively, in
 * order of arrival.
 *
 * Queued work is started synchronously: if a promise started it, a statement queued before a transaction could reach
 * the session after the transaction's BEGIN and be rolled back with it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from '../../../kernel/within.ts';
import { DatabaseUnavailable } from '../database.ts';

interface Waiting {
  readonly alone: boolean;
  readonly start: () => void;
  readonly refuse: (reason: string) => void;
}

export class SessionQueue {
  readonly #timeoutMillis: number;
  #waiting: Waiting[] = [];
  #taken = false;
  #closed = false;

  /** @param timeoutMillis how long a caller waits in the queue before it is refused with DatabaseUnavailable */
  constructor(timeoutMillis: number) {
    this.#timeoutMillis = timeoutMillis;
  }

  /**
   * Runs a single statement in its place. Statements do not wait for each other, and their end is not tracked: the
   * session answers in order, so a transaction that begins later runs after them.
   */
  statement<T>(send: () => Promise<T>): Promise<T> {
    return this.#mustWait() ? this.#wait(false, send) : send();
  }

  /** Runs a transaction in its place; it has the session exclusively until `run` calls `end`, which it must do once. */
  transaction<T>(run: (end: () => void) => Promise<T>): Promise<T> {
    const begin = (): Promise<T> => run(() => this.#end());
    if (this.#mustWait()) return this.#wait(true, begin);
    this.#taken = true;
    return begin();
  }

  /**
   * Takes the last place: earlier work has been sent when this resolves, later callers are refused. Resolves also when
   * a transaction does not end within the timeout.
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
      const turn = Promise.withResolvers<void>();
      const refuse = (reason: string): void => {
        turn.resolve();
        reject(new DatabaseUnavailable(reason));
      };
      // Started by the work that frees the session, so the async context of the waiting work is bound here.
      const start = AsyncLocalStorage.bind((): void => {
        turn.resolve();
        run().then(resolve, reject);
      });
      const waiting: Waiting = { alone, start, refuse };
      this.#waiting.push(waiting);
      within(this.#timeoutMillis, turn.promise, () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        refuse(`The embedded database was busy for ${this.#timeoutMillis} ms`);
      }).catch(reject);
    });
  }
}

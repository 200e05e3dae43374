/**
 * Owns access to the single session of the embedded engine: statements run concurrently, a transaction exclusively.
 * People, networks, and the work that many requests share take turns; each in order of arrival.
 *
 * Queued work is started synchronously: if a promise started it, a statement queued before a transaction could reach
 * the session after the transaction's BEGIN and be rolled back with it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from '../../../kernel/waits/within.ts';
import { type DatabaseStats, DatabaseUnavailable } from '../database.ts';
import { FairQueue } from '../turns/fair-queue.ts';
import { claimInProgress, shared } from '../turns/turns.ts';

interface Waiting {
  readonly group: string;
  readonly alone: boolean;
  readonly start: () => void;
  readonly refuse: (reason: string) => void;
}

export class SessionQueue {
  readonly #timeoutMillis: number;
  readonly #waiting = new FairQueue<Waiting>();
  /** Starts when no earlier work waits any more. */
  #last: (() => void) | null = null;
  #taken = false;
  #closed = false;
  #refused = 0;

  /** @param timeoutMillis how long a caller waits in the queue before it is refused with DatabaseUnavailable */
  constructor(timeoutMillis: number) {
    this.#timeoutMillis = timeoutMillis;
  }

  /** Its end is not tracked: the session answers in order, so a transaction that begins later runs after it. */
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
    this.#closed = true;
    if (!this.#taken) return true;
    const idle = Promise.withResolvers<boolean>();
    this.#last = () => idle.resolve(true);
    const free = await within(this.#timeoutMillis, idle.promise, () => false);
    for (const waiting of this.#waiting.all()) waiting.refuse('The embedded database is closed');
    return free;
  }

  get stats(): DatabaseStats['turns'] {
    const { behind } = this.#waiting;
    const sharedBehind = Math.max(0, this.#waiting.countOf(shared.group) - 1);
    return { heldBack: behind - sharedBehind, refused: this.#refused };
  }

  #mustWait(): boolean {
    return this.#closed || this.#taken;
  }

  #end(): void {
    this.#taken = false;
    while (!this.#taken) {
      const next = this.#waiting.next();
      if (next === undefined) break;
      this.#taken = next.alone;
      next.start();
    }
    if (!this.#taken) this.#last?.();
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
      const waiting: Waiting = { group: claimInProgress(alone).group, alone, start, refuse };
      this.#waiting.add(waiting);
      within(this.#timeoutMillis, turn.promise, () => {
        this.#waiting.remove(waiting);
        this.#refused += 1;
        refuse(`The embedded database was busy for ${this.#timeoutMillis} ms`);
      }).catch(reject);
    });
  }
}

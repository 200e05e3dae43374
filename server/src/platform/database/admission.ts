/**
 * Owns the end of a database's use: what was let in is waited for, what comes later is refused. The driver's own pool
 * forgets callers that wait for a connection at that moment.
 */
import { DatabaseUnavailable } from './database.ts';

export class Admission {
  #inside = 0;
  #closed = false;
  readonly #empty = Promise.withResolvers<void>();

  /** Runs `use`, or refuses it with DatabaseUnavailable after {@link close}. */
  async admit<T>(use: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    this.#inside += 1;
    try {
      return await use();
    } finally {
      this.#inside -= 1;
      this.#settle();
    }
  }

  /** Refuses from now on; resolves when everything that was admitted has ended. */
  close(): Promise<void> {
    this.#closed = true;
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.#closed && this.#inside === 0) this.#empty.resolve();
  }
}

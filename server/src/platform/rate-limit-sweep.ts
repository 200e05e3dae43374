/**
 * Deletes what the limits count no longer. Anybody who may be refused leaves a row, so the table would grow for ever.
 * Runs beside the requests, a little after one took a turn, and never in its transaction: without turns nothing grows.
 */
import type { Queryable } from './database/database.ts';
import type { Logger } from './logger.ts';
import { sweepTurns } from './rate-limits-store.ts';

const delayMilliseconds = 2000;
/** Few: the embedded engine has one connection, and others wait for it. */
const rowsAtOnce = 20;
/** More rows than can be added in the time between. */
const mostRounds = 500;

export class RateLimitSweep {
  readonly #database: Pick<Queryable, 'execute'>;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | null = null;
  #sweeping: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(database: Pick<Queryable, 'execute'>, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** A turn is taken; a sweep follows. Never waits, never throws. */
  note(): void {
    if (this.#isStopped || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#sweeping = this.#sweeping.then(() => this.#sweep());
    }, delayMilliseconds).unref();
  }

  /** Waits for the sweep that runs; none begins any more. What is left goes with the next turn of any process. */
  stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    return this.#sweeping;
  }

  async #sweep(): Promise<void> {
    try {
      for (let round = 0; round < mostRounds && !this.#isStopped; round += 1) {
        if ((await this.#database.execute(sweepTurns, [rowsAtOnce])) < rowsAtOnce) return;
      }
    } catch (error) {
      this.#logger.warn({ event: 'rate_limits.sweep_failed', err: error }, 'Limits that are over could not be deleted');
    }
  }
}

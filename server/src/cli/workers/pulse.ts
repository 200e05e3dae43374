/** How a supervisor notices a worker that runs and does nothing: one that is stuck in a loop, or was stopped. */
import type { Worker } from 'node:cluster';
import { tellWorker } from './messages.ts';

/** How often a worker is asked, and how many questions in a row it may leave unanswered. */
export interface PulseLimits {
  readonly everyMillis: number;
  readonly mostUnanswered: number;
}

/** Half a minute: far more than a busy machine, a large hash or a collection of garbage takes. */
export const pulseLimits: PulseLimits = { everyMillis: 5_000, mostUnanswered: 6 };

export class Pulse {
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;

  /** @param silent called once, when the worker has not answered */
  constructor(worker: Worker, { everyMillis, mostUnanswered }: PulseLimits, silent: () => void) {
    // Counting questions, not reading a clock: a machine that slept has not waited for an answer meanwhile.
    this.#timer = setInterval(() => {
      if (this.#unanswered === mostUnanswered) {
        this.stop();
        silent();
        return;
      }
      this.#unanswered += 1;
      tellWorker(worker, { type: 'ping' });
    }, everyMillis);
  }

  /** Whatever the worker says is an answer. */
  heard(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

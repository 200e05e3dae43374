/**
 * Owns work that requests of one turn of the event loop share: one statement answers all of its keys. At the maximum of
 * concurrent statements, later keys wait for the next one, so that a busy process sends fewer and larger statements.
 */
import { getOrInsert } from '../kernel/collections.ts';
import { withinDeadline } from './database/deadlines.ts';

interface Waiter<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface TurnBatchOptions<Result> {
  /**
   * Answers these keys, each with the number of its requests. Called outside any request.
   * @returns the result of the nth request of a key; when it throws, that request fails
   */
  readonly run: (requests: ReadonlyMap<string, number>) => Promise<(key: string, nth: number) => Result>;
  /** Maximum number of concurrent runs. */
  readonly maximumInFlight: number;
}

export class TurnBatch<Result> {
  readonly #options: TurnBatchOptions<Result>;
  #waiting = new Map<string, Waiter<Result>[]>();
  #isScheduled = false;
  #inFlight = 0;

  constructor(options: TurnBatchOptions<Result>) {
    this.#options = options;
  }

  /**
   * The result for this key, from a run that begins after this call.
   * @throws the error of the run; DatabaseUnavailable after the deadline of the calling request
   */
  get(key: string): Promise<Result> {
    return withinDeadline(Number.POSITIVE_INFINITY, () => this.#join(key));
  }

  #join(key: string): Promise<Result> {
    return new Promise((resolve, reject) => {
      getOrInsert(this.#waiting, key, () => []).push({ resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#options.maximumInFlight || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#inFlight += 1;
    const requests = new Map([...waiting].map(([key, { length }]) => [key, length]));
    this.#options.run(requests).then(
      (resultOf) => {
        for (const [key, waiters] of waiting) settle(waiters, (nth) => resultOf(key, nth));
        this.#landed();
      },
      (error: unknown) => {
        for (const { reject } of [...waiting.values()].flat()) reject(error);
        this.#landed();
      },
    );
  }

  #landed(): void {
    this.#inFlight -= 1;
    this.#schedule();
  }
}

const settle = <Result>(waiters: readonly Waiter<Result>[], resultOf: (nth: number) => Result): void => {
  for (const [nth, { resolve, reject }] of waiters.entries()) {
    try {
      resolve(resultOf(nth));
    } catch (error) {
      reject(error);
    }
  }
};

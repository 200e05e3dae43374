/**
 * Coalescing: what is asked for in one turn of the event loop is answered by one statement.
 *
 * While a statement is on its way, later turns gather for the next one; so a busy server asks in fewer, larger
 * statements, and an idle one asks at once.
 */
import { apart } from '../../platform/correlation.ts';
import { inTime } from '../../platform/database/request-budget.ts';

interface Waiter<Row> {
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

export class Batch<Row> {
  readonly #run: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  readonly #maximumInFlight: number;
  #waiting = new Map<string, Waiter<Row>[]>();
  #scheduled = false;
  #inFlight = 0;

  /**
   * @param run answers the rows that exist, by key
   * @param maximumInFlight how many statements may be on their way at once
   */
  constructor(run: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>, maximumInFlight: number) {
    this.#run = run;
    this.#maximumInFlight = maximumInFlight;
  }

  /** The row of this key, or null. It was read after this call. */
  get(key: string): Promise<Row | null> {
    return inTime(Number.POSITIVE_INFINITY, () => this.#join(key));
  }

  #join(key: string): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(key);
      if (waiters === undefined) this.#waiting.set(key, [{ resolve, reject }]);
      else waiters.push({ resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= this.#maximumInFlight) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#inFlight += 1;
    apart(() => this.#run([...waiting.keys()])).then(
      (rows) => {
        for (const [key, waiters] of waiting) for (const { resolve } of waiters) resolve(rows.get(key) ?? null);
        this.#landed();
      },
      (error: unknown) => {
        for (const waiters of waiting.values()) for (const { reject } of waiters) reject(error);
        this.#landed();
      },
    );
  }

  #landed(): void {
    this.#inFlight -= 1;
    if (this.#waiting.size > 0) this.#schedule();
  }
}

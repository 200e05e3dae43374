/**
 * Owns how long a request may wait for the database, all its waits together: each may be short and their sum long. What it
 * does itself meanwhile, a password's hash above all, does not count.
 */
import { DatabaseUnavailable } from './database.ts';

export class WaitBudget {
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
  requireLeft(): void {
    if (this.#isRefused || (this.#isBinding && this.#left() <= 0)) throw this.#refuse();
  }

  /**
   * Waits, at most for what is left of the budget. What was begun goes on then, and its caller hears no more of it.
   * @param mostMillis how long the wait takes at most by itself: while more than that is left, no clock is set
   * @throws DatabaseUnavailable when nothing is left, before or meanwhile
   */
  async wait<T>(mostMillis: number, begin: () => Promise<T>): Promise<T> {
    if (!this.#isBinding) return begin();
    this.requireLeft();
    const left = this.#left();
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
    try {
      return await (mostMillis < left ? begin() : this.#atMost(left, begin()));
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

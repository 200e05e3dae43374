/** The first refusal at once, then one line a minute per key: a line for each would let clients fill the disk. */
import { outsideContext } from './context.ts';

/** Writes the line, which summarizes so many refusals. */
type Tell = (refusals: number) => void;

interface Suppressed {
  refusals: number;
  /** The callback of the last one. */
  tell: Tell;
}

export class LogThrottle {
  readonly #pauseMilliseconds: number;
  /** Refusals since the last line of each key. */
  readonly #suppressed = new Map<string, Suppressed>();

  constructor(pauseMilliseconds = 60_000) {
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** @param key from a closed list: each is kept for a minute and has its own lines */
  note(key: string, tell: Tell): void {
    const suppressed = this.#suppressed.get(key);
    if (suppressed === undefined) this.#tell(key, { refusals: 1, tell });
    else this.#suppressed.set(key, { refusals: suppressed.refusals + 1, tell });
  }

  #tell(key: string, { refusals, tell }: Suppressed): void {
    tell(refusals);
    this.#suppressed.set(key, { refusals: 0, tell });
    // The summary covers many requests, so it has no correlation id.
    outsideContext(() => setTimeout(() => this.#endPause(key), this.#pauseMilliseconds).unref());
  }

  #endPause(key: string): void {
    const suppressed = this.#suppressed.get(key);
    if (suppressed !== undefined && suppressed.refusals > 0) this.#tell(key, suppressed);
    else this.#suppressed.delete(key);
  }
}

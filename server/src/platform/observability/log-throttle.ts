/**
 * Tells the log of refusals that anybody can bring about: of the first at once, and of those that follow together, once a
 * minute. A line for each would let whoever is refused fill the disk.
 */
import { apart } from './context.ts';

/** Writes the line. @param refusals how many it stands for */
type Tell = (refusals: number) => void;

interface Suppressed {
  refusals: number;
  /** Of the last of them. */
  tell: Tell;
}

export class LogThrottle {
  readonly #pauseMilliseconds: number;
  /** Since the last line of each key. */
  readonly #untold = new Map<string, Suppressed>();

  constructor(pauseMilliseconds = 60_000) {
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** @param key of a closed list: each is kept for a minute, and has lines of its own */
  note(key: string, tell: Tell): void {
    const suppressed = this.#untold.get(key);
    if (suppressed === undefined) this.#tell(key, { refusals: 1, tell });
    else this.#untold.set(key, { refusals: suppressed.refusals + 1, tell });
  }

  #tell(key: string, { refusals, tell }: Suppressed): void {
    tell(refusals);
    this.#untold.set(key, { refusals: 0, tell });
    // What is told later is of many requests.
    apart(() => setTimeout(() => this.#endPause(key), this.#pauseMilliseconds).unref());
  }

  #endPause(key: string): void {
    const suppressed = this.#untold.get(key);
    if (suppressed !== undefined && suppressed.refusals > 0) this.#tell(key, suppressed);
    else this.#untold.delete(key);
  }
}

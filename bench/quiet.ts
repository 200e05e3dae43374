/**
 * Measuring on a machine that is not ours alone: waits for a calm moment, and measures again what others disturbed,
 * until the time limit is used up. Which results are kept does not depend on what they say, only on who else ran.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { machineMilliseconds } from './processes.ts';
import { othersOf, type Sample } from './report.ts';

/** Percent of the machine that others may take. */
const mostOthers = 15;
const lookMilliseconds = 250;

export class Timeouts {
  #left: number;
  #disturbed = 0;

  constructor(seconds: number) {
    this.#left = seconds * 1000;
  }

  /** Results that others disturbed and that were kept all the same. */
  get disturbed(): number {
    return this.#disturbed;
  }

  /** @param measure may run several times */
  async take(measure: () => Promise<Sample>): Promise<Sample> {
    for (;;) {
      await this.calm();
      const began = performance.now();
      const sample = await measure();
      if ((othersOf(sample) ?? 0) <= mostOthers) return sample;
      if (this.#left <= 0) {
        this.#disturbed += 1;
        return sample;
      }
      this.#left -= performance.now() - began;
    }
  }

  /** Resolves when nothing else runs, or the time limit is used up. */
  async calm(): Promise<void> {
    while (this.#left > 0) {
      const before = machineMilliseconds();
      const began = performance.now();
      await sleep(lookMilliseconds);
      const [after, elapsed] = [machineMilliseconds(), performance.now() - began];
      if (before === null || after === null || (after - before) * 100 <= mostOthers * elapsed) return;
      this.#left -= elapsed;
    }
  }
}

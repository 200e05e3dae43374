/**
 * Measuring on a shared machine: waits for a quiet moment, and repeats disturbed measurements, until the time limit is
 * used up. The selection of results depends only on other processes, never on the results.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { machineMilliseconds } from './processes.ts';
import { othersOf, type Sample } from './report.ts';

/** Percent of the machine that other processes may take. */
const mostOthers = 15;
const lookMilliseconds = 250;

export class Timeouts {
  #left: number;
  #disturbed = 0;

  constructor(seconds: number) {
    this.#left = seconds * 1000;
  }

  /** Number of disturbed results that were kept. */
  get disturbed(): number {
    return this.#disturbed;
  }

  /** @param measure may run several times */
  async take(measure: () => Promise<Sample>): Promise<Sample> {
    for (;;) {
      await this.waitUntilQuiet();
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
  async waitUntilQuiet(): Promise<void> {
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

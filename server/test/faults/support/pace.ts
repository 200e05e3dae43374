/**
 * How slow this machine is now, against the one whose seconds the targets are. A virtual machine shares its processors:
 * what takes one second takes three in an hour in which its neighbours work, and of the service that says nothing. So for
 * a change a time is judged by its target multiplied by this; at night, on a machine that is alone, by the target itself.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { range } from '../../support/concurrency.ts';
import { percentileOf } from './percentile.ts';
import { size } from './size.ts';

/** What is timed: a process of Node for each processor that starts and counts, and has nothing of the service in it. */
const program = 'for (let i = 0, sum = 0; i < 1e8; i += 1) sum += i % 7;';
const tries = 3;
/** What it took on a machine of two processors that did nothing else, by Node 24. */
const restedMillis = 300;
/** A machine that is slower than this tells nothing of any time. */
const slowest = 5;

const run = promisify(execFile);

const timeOnce = async (): Promise<number> => {
  const begun = performance.now();
  await Promise.all(range(availableParallelism()).map(() => run(process.execPath, ['-e', program])));
  return performance.now() - begun;
};

export class Pace {
  readonly #seen: number[] = [];

  /** Looks, in one second. Nothing of the test may run meanwhile: it would count as a neighbour. */
  async note(): Promise<void> {
    if (size === 'nightly') return;
    const took: number[] = [];
    for (const _ of range(tries)) took.push(await timeOnce());
    this.#seen.push(percentileOf(took, 0.5) / restedMillis);
  }

  /**
   * What may take this long where the target was stated may take so long here, by the slower of the last two looks, which
   * are before and after a fault.
   * @throws Error when the machine is too slow to judge anything
   */
  allowed(millis: number): number {
    const factor = this.#factor;
    if (factor > slowest)
      throw new Error(`This machine is ${factor.toFixed(1)} times too slow to be judged by seconds.`);
    return millis * factor;
  }

  /** For the row of a fault: "times allowed × 1.8", or nothing. */
  get told(): string {
    return this.#factor === 1 ? '' : `times allowed × ${this.#factor.toFixed(2)}`;
  }

  get #factor(): number {
    return Math.max(1, ...this.#seen.slice(-2));
  }
}

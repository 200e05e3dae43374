/**
 * Owns: what a wait for others may take, and what does not count as one.
 * Promises: A limit ends a wait alone, never the thread's own work.
 *
 * While this thread works, or has no processor, it reads no answer, however early that came (decision 0090).
 */
import { performance } from 'node:perf_hooks';
import { within } from './within.ts';

/** Milliseconds since the thread began in which it worked or was ready to work, rather than waited for an event. */
const workedMillis = (): number => performance.eventLoopUtilization().active;

/**
 * @param mostMillis the most that is ever returned, so that a limit remains one
 * @returns a function that tells the milliseconds of work since then
 */
export const startOwnTime = (mostMillis: number): (() => number) => {
  const before = workedMillis();
  return () => Math.min(mostMillis, workedMillis() - before);
};

/**
 * Settles like `work`, or as `late` does when no time is left. `work` continues then, and its result is dropped.
 * @param millisLeft is asked again when the time that it told has passed
 * @param late called once, and only when `work` was not in time
 */
export const withinLeft = async <T>(millisLeft: () => number, work: Promise<T>, late: () => never): Promise<T> =>
  within(millisLeft(), work, () => (millisLeft() > 0 ? withinLeft(millisLeft, work, late) : late()));

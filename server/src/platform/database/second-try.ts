/**
 * Owns what is asked again when the connection ended under it: a restart of the server, or of what stands before it, ends
 * connections of which the next ones work. Always within the budget of the request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './database.ts';
import { wasCutOff } from './failure.ts';
import { inTime } from './request-budget.ts';

/** Who has waited this long is told that the database is away rather than asked to wait once more. */
const againMillis = 500;

/** How long is asked after an outcome that nobody knows; a server that restarts refuses everybody for about a second. */
const askingMillis = 1_500;
const firstPauseMillis = 20;

/**
 * Runs what changes nothing when its connection ends, and once more when that happened early.
 * @param mayRepeat whether the failure left nothing behind
 * @param again gets the milliseconds that the first try took
 */
export const withSecondTry = async <T>(
  first: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  again: (spentMillis: number) => Promise<T>,
): Promise<T> => {
  const begun = performance.now();
  try {
    return await first();
  } catch (error) {
    const spentMillis = performance.now() - begun;
    if (spentMillis > againMillis || !mayRepeat(error)) throw error;
    return again(spentMillis);
  }
};

/**
 * Runs what may have been done when its connection ends, and asks what became of it until the server answers, for 1.5
 * seconds at most.
 * @param ask does it if it was not done, and answers the same either way
 */
export const withKnownOutcome = async <T>(first: () => Promise<T>, ask: () => Promise<T>): Promise<T> => {
  const begun = performance.now();
  try {
    return await first();
  } catch (error) {
    if (!wasCutOff(error)) throw error;
    return askOn(ask, begun);
  }
};

const askOn = async <T>(ask: () => Promise<T>, begun: number): Promise<T> => {
  for (let pauseMillis = firstPauseMillis; ; pauseMillis *= 2) {
    const pause = pauseMillis;
    await inTime(Number.POSITIVE_INFINITY, () => sleep(pause));
    try {
      return await ask();
    } catch (error) {
      const nextMillis = performance.now() - begun + pauseMillis * 2;
      if (!(error instanceof DatabaseUnavailable) || nextMillis > askingMillis) throw error;
    }
  }
};

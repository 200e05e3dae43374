/** An answer that takes the same time for every address, whatever there was to do for it (decision 0008). */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves at a fixed time after the call, or when the work ends if that is later.
 * @throws what the work throws
 */
export const answerLater = async (milliseconds: number, work: () => Promise<void>): Promise<void> => {
  const answerTime = delay(milliseconds);
  await work();
  await answerTime;
};

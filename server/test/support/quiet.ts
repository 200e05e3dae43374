/**
 * Seconds are judged on a machine that does nothing else: `npm run test:time-limits` sets TEST_QUIET. Elsewhere a test
 * says that something comes to an end, and how.
 */
import { expect } from 'vitest';

const isQuiet = process.env['TEST_QUIET'] === 'true';

/** Asserts that something took less time than this, where that says anything of the code. */
export const expectWithin = (milliseconds: number, most: number, message?: string): void => {
  if (isQuiet) expect(milliseconds, message).toBeLessThan(most);
};

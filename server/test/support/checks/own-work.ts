/** Owns what a test says of its thread's own work, which counts against no wait for the database (decision 0090). */
import { performance } from 'node:perf_hooks';
import { vi } from 'vitest';

/** Of the thread, as the test tells it. */
export interface OwnWork {
  /** Milliseconds in which it has worked. */
  millis: number;
}

/** Until mocks are restored, after each test. */
export const tellOwnWork = (): OwnWork => {
  const worked = { millis: 0 };
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({
    active: worked.millis,
    idle: 0,
    utilization: 0,
  }));
  return worked;
};

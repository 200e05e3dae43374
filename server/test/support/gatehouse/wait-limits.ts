/**
 * The scale of the service's limits of waits in tests: ten times those of production, because a machine that is busy
 * with other tests may take longer than a request may. Tests whose rule is such a limit ask for the production values.
 */
import { afterAll, beforeAll } from 'vitest';

/** The service reads it (server/src/kernel/wait-scale.ts). */
const key = 'gatehouse.waitScale';

const setScale = (scale: number): void => void Reflect.set(globalThis, Symbol.for(key), scale);

/** TEST_WAIT_LIMITS=production: for a suite of which every rule is a limit, such as the faults. */
const usualScale = process.env['TEST_WAIT_LIMITS'] === 'production' ? 1 : 10;

let current = usualScale;

const use = (scale: number): void => {
  current = scale;
  setScale(scale);
};

use(usualScale);

/**
 * For a file or block whose rule is a limit of a wait. Call it above the fixtures: what it encloses, and the processes
 * that start meanwhile, wait as long as in production.
 */
export const waitAsInProduction = (): void => {
  beforeAll(() => use(1));
  afterAll(() => use(usualScale));
};

/** The same for a part of a test. A session of PostgreSQL keeps the limits that it was opened with. */
export const withProductionLimits = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = current;
  use(1);
  try {
    return await work();
  } finally {
    use(before);
  }
};

/** For a process that starts now, as a module for Node's `--import`. */
export const importOfLimits = (): string =>
  `data:text/javascript,${encodeURIComponent(`globalThis[Symbol.for('${key}')] = ${current};`)}`;

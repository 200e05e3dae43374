/**
 * The scale of the service's limits of waits in tests: ten times those of production, because a machine that is busy
 * with other tests may take longer than a request may. Tests whose rule is such a limit ask for the production values.
 */
import { afterAll, beforeAll } from 'vitest';

/** The service reads it (server/src/kernel/waits/wait-scale.ts). */
const key = 'gatehouse.waitScale';

const setScale = (scale: number): void => void Reflect.set(globalThis, Symbol.for(key), scale);

const longScale = 10;
/** TEST_WAIT_LIMITS=production: for a suite most of whose rules are limits, such as the faults. */
const usualScale = process.env['TEST_WAIT_LIMITS'] === 'production' ? 1 : longScale;

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

/** For a file or block of a suite whose limits are those of production, where the rule is no limit. */
export const waitAsInTests = (): void => {
  beforeAll(() => use(longScale));
  afterAll(() => use(usualScale));
};

const withScale = async <T>(scale: number, work: () => Promise<T>): Promise<T> => {
  const before = current;
  use(scale);
  try {
    return await work();
  } finally {
    use(before);
  }
};

/** The same for a part of a test. A session of PostgreSQL keeps the limits that it was opened with. */
export const withProductionLimits = <T>(work: () => Promise<T>): Promise<T> => withScale(1, work);

/** For a part of a test whose rule is no limit, in a suite whose limits are those of production. */
export const withTestLimits = <T>(work: () => Promise<T>): Promise<T> => withScale(longScale, work);

/** For a process that starts now, as a module for Node's `--import`. */
export const importOfLimits = (): string =>
  `data:text/javascript,${encodeURIComponent(`globalThis[Symbol.for('${key}')] = ${current};`)}`;

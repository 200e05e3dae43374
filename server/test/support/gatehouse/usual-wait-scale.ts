/** Sets the scale of the service's limits of waits in a process of the tests, which server/src/kernel/wait-scale.ts reads. */

export const scaleKey = 'gatehouse.waitScale';

/** TEST_WAIT_LIMITS=production: for a suite of which every rule is a limit, such as the faults. */
export const usualScale = process.env['TEST_WAIT_LIMITS'] === 'production' ? 1 : 10;

export const setScale = (scale: number): void => void Reflect.set(globalThis, Symbol.for(scaleKey), scale);

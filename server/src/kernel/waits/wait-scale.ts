/**
 * Owns the scale of the time limits of waits: 1. The tests of this repository raise it on `globalThis`, because a busy
 * machine takes longer; no setting and no variable does.
 */

/** Set by server/test/support/gatehouse/wait-limits.ts, in the process of the tests and in those that they start. */
const key = Symbol.for('gatehouse.waitScale');

const scale = (): number => {
  const value: unknown = Reflect.get(globalThis, key);
  return typeof value === 'number' ? value : 1;
};

/** These milliseconds, multiplied by the scale whenever one of them is read. */
export const scaledMillis = <Limits extends Readonly<Record<string, number>>>(limits: Limits): Limits =>
  new Proxy(limits, { get: (target, name) => Number(Reflect.get(target, name)) * scale() });

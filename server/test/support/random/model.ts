/** Sequences of steps against a model: the steps, as fast-check runs and prints them. */
import type * as fc from 'fast-check';

/**
 * @param needs the condition of the model for the step to run @param run sends requests, and compares with the model
 */
export const step = <Model extends object, Real>(
  name: string,
  needs: (model: Readonly<Model>) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): fc.AsyncCommand<Model, Real> => ({ check: (model) => needs(model), run, toString: () => name });

/** Of a list that grows with the sequence: any index finds one. */
export const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is nothing here');
  return item;
};

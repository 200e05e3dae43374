/** How long the clients of a history waited. */
import type { Operation } from './history.ts';

/** The wait in milliseconds that this part of the operations, from 0 to 1, did not exceed; 0 without any. */
export const percentile = (operations: readonly Operation[], part: number): number => {
  const waits = operations.map(({ invokedAt, returnedAt }) => returnedAt - invokedAt).toSorted((a, b) => a - b);
  return waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0;
};

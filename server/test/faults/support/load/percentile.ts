/** Waiting times of the clients of a history. */
import type { Operation } from '../verdicts/history.ts';

/** The wait in milliseconds at this quantile, from 0 to 1; 0 without any. */
export const percentileOf = (waits: readonly number[], part: number): number => {
  const sorted = waits.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
};

export const percentile = (operations: readonly Operation[], part: number): number =>
  percentileOf(
    operations.map(({ invokedAt, returnedAt }) => returnedAt - invokedAt),
    part,
  );

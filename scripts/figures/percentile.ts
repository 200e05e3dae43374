/** The percentile of a list of numbers, by the nearest rank: always one of the numbers. */

/**
 * @param share from 0 to 1; 0.5 is the median
 * @returns 0 for an empty list
 */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
};

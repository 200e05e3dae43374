/** Owns the parts of caches in memory: their size, and a value that is refreshed. */

/** `max` of lru-cache allocates space for all entries on creation: 8 ms for those of one service. */
interface CacheSize {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

/** @returns options of an LRU cache that grows up to `entries` entries */
export const atMost = (entries: number): CacheSize => ({ maxSize: entries, sizeCalculation: () => 1 });

// A value read once for all concurrent callers, and refreshed periodically.

interface Freshness {
  readonly milliseconds: number;
  /** Delay before a retry when a refresh has failed. */
  readonly retryMilliseconds: number;
}

/** Caches the result of `read`, also while refreshing fails. Rejects as `read` did while there is none. */
export const cachedAsync = <T>(
  read: () => Promise<T>,
  { milliseconds, retryMilliseconds }: Freshness,
): (() => Promise<T>) => {
  let known: { readonly value: T; readonly until: number } | null = null;
  let reading: Promise<T> | null = null;
  const readNow = async (): Promise<T> => {
    try {
      const value = await read();
      known = { value, until: performance.now() + milliseconds };
      return value;
    } catch (error) {
      if (known === null) throw error;
      known = { ...known, until: performance.now() + retryMilliseconds };
      return known.value;
    } finally {
      reading = null;
    }
  };
  return async () => {
    if (known !== null && performance.now() < known.until) return known.value;
    reading ??= readNow();
    return reading;
  };
};

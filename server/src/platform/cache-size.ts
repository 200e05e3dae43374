/** Owns the size of caches that count their entries. */

/** `max` of lru-cache allocates room for all entries when the cache is made: 8 ms for those of one service. */
interface CacheSize {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

/** @returns options of an LRU cache that holds `entries` entries and grows up to there */
export const atMost = (entries: number): CacheSize => ({ maxSize: entries, sizeCalculation: () => 1 });

/** Owns the size of caches that count their entries. */

/** `max` of lru-cache allocates space for all entries on creation: 8 ms for those of one service. */
interface CacheSize {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

/** @returns options of an LRU cache that grows up to `entries` entries */
export const atMost = (entries: number): CacheSize => ({ maxSize: entries, sizeCalculation: () => 1 });

/** A value that is read once, for all who ask at the same time, and read again now and then. */

export interface Freshness {
  readonly milliseconds: number;
  /** How soon to try again after a later reading has failed. */
  readonly retryMilliseconds: number;
}

/**
 * Keeps what was read. A first reading that fails is forgotten, so that the next caller tries again; while a later one
 * fails, what is known stays.
 * @returns asks for the value; rejects as `read` did while nothing is known
 */
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

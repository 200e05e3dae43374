/** Owns lists of which some elements have a condition, and maps that are filled as their keys are asked for. */

/** Leaves out what is false or null, and keeps '' and 0: `present(isLate && 'late', nameOf(error))`. */
export const present = <T extends NonNullable<unknown>>(...elements: readonly (T | false | null)[]): T[] =>
  elements.filter((element): element is T => element !== false && element !== null);

interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key, made and kept at its first use; no promise that may be rejected, which would be kept too. */
export const getOrInsert = <Key, Value>(entries: Entries<Key, Value>, key: Key, make: () => Value): Value => {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const made = make();
  entries.set(key, made);
  return made;
};

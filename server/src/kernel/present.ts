/** Owns lists of which some elements have a condition. */

/** Leaves out what is false or null: `present(isLate && 'late', nameOf(error))`. */
export const present = <T>(...elements: readonly (T | false | null)[]): T[] =>
  elements.filter((element): element is T => element !== false && element !== null);

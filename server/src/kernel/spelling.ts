/** Detection of misspelled names. */

/** The candidate that is at most `slips` edits away, or null: an extra, missing or wrong letter, or two swapped. */
export const nearestOf = (
  name: string,
  candidates: readonly string[],
  slips: (candidate: string) => number = () => 2,
): string | null => candidates.find((candidate) => isNear(name, candidate, slips(candidate))) ?? null;

const isNear = (left: string, right: string, slips: number): boolean => {
  const at = firstDifference(left, right);
  if (at === -1) return true;
  if (slips === 0) return false;
  const [leftRest, rightRest] = [left.slice(at), right.slice(at)];
  const areSwapped = leftRest[0] === rightRest[1] && leftRest[1] === rightRest[0];
  return (
    isNear(leftRest.slice(1), rightRest.slice(1), slips - 1) ||
    isNear(leftRest.slice(1), rightRest, slips - 1) ||
    isNear(leftRest, rightRest.slice(1), slips - 1) ||
    (areSwapped && isNear(leftRest.slice(2), rightRest.slice(2), slips - 1))
  );
};

const firstDifference = (left: string, right: string): number => {
  const length = Math.max(left.length, right.length);
  for (let at = 0; at < length; at += 1) if (left[at] !== right[at]) return at;
  return -1;
};

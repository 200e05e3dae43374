/** Which variables of an environment look like a slip of the pen. */
import type { Environment } from './problems.ts';
import { variables } from './variables.ts';

/**
 * A sentence for each unknown GATEHOUSE_* name, and for each name one slip away from a known one; two slips away where
 * the name is long enough for them to be no coincidence (SITE_URL is not SMTP_URL).
 */
export const configWarnings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => !(name in variables))
    .flatMap((name) => {
      const nearest = nearestName(name);
      if (nearest !== null) return [`${name} is not a variable of Gatehouse; did you mean ${nearest}?`];
      return name.startsWith('GATEHOUSE_') ? [`${name} is not a variable of Gatehouse.`] : [];
    });

const longName = 10;

const nearestName = (name: string): string | null => {
  const candidates = Object.keys(variables).filter((known) => known.length >= 7 && name.length >= 6);
  return candidates.find((known) => isNear(name.toUpperCase(), known, known.length < longName ? 1 : 2)) ?? null;
};

/** Whether at most so many slips lead from one name to the other: a letter too many, missing or wrong, or two swapped. */
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

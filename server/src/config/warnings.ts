/** Warnings about variables that look like a slip of the pen. */
import type { Environment } from './config.ts';
import { variables } from './variables.ts';

/**
 * Warnings for variables that look like a slip of the pen: an unknown GATEHOUSE_* name, or a name one or two letters
 * away from a known one.
 */
export const configWarnings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => !(name in variables))
    .flatMap((name) => {
      const nearest = nearestName(name);
      if (nearest !== null) return [`${name} is not a variable of Gatehouse; did you mean ${nearest}?`];
      return name.startsWith('GATEHOUSE_') ? [`${name} is not a variable of Gatehouse.`] : [];
    });

const nearestName = (name: string): string | null => {
  const candidates = Object.keys(variables).filter((known) => known.length >= 7 && name.length >= 6);
  return candidates.find((known) => isWithinTwoEdits(name.toUpperCase(), known)) ?? null;
};

/** Levenshtein distance of at most two, by trying the edits at the first difference. */
const isWithinTwoEdits = (left: string, right: string, budget = 2): boolean => {
  const at = firstDifference(left, right);
  if (at === -1) return true;
  if (budget === 0) return false;
  const [leftRest, rightRest] = [left.slice(at), right.slice(at)];
  return (
    isWithinTwoEdits(leftRest.slice(1), rightRest.slice(1), budget - 1) ||
    isWithinTwoEdits(leftRest.slice(1), rightRest, budget - 1) ||
    isWithinTwoEdits(leftRest, rightRest.slice(1), budget - 1)
  );
};

const firstDifference = (left: string, right: string): number => {
  const length = Math.max(left.length, right.length);
  for (let at = 0; at < length; at += 1) if (left[at] !== right[at]) return at;
  return -1;
};

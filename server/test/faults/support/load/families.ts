/** The pairs of one session in a history: those that came from each other by rotation, as answered. */
import type { Operation } from '../verdicts/history.ts';

export interface Family {
  /** Operations that presented one of its pairs, in the order of sending. */
  readonly operations: readonly Operation[];
  /** Operations that should end it, in that order; some of them presented the pair of another session. */
  readonly ends: readonly Operation[];
  /** Rotations that the service may have taken for theft, which ends the session. */
  readonly thefts: readonly Operation[];
  /** Operations that presented one pair, in the order of sending. */
  readonly presenting: (pair: string) => readonly Operation[];
}

export const familiesOf = (operations: readonly Operation[]): ((pair: string) => Family) => {
  const inOrder = [...operations].sort((left, right) => left.invokedAt - right.invokedAt);
  const firstOf = originsOf(inOrder);
  const origin = (pair: string): string => firstOf.get(pair) ?? pair;
  const presentingFamily = groupedBy(inOrder, ({ pair }) => (pair === undefined ? [] : [origin(pair)]));
  const presentingPair = groupedBy(inOrder, ({ pair }) => (pair === undefined ? [] : [pair]));
  const ended = groupedBy(inOrder, (each) => endedBy(each).map(origin));
  const presenting = (pair: string): readonly Operation[] => presentingPair.get(pair) ?? [];
  const families = new Map<string, Family>();
  return (pair) => {
    const first = origin(pair);
    const known = families.get(first);
    if (known !== undefined) return known;
    const members = presentingFamily.get(first) ?? [];
    const thefts = members.filter((each) => isTakenForTheft(each, presenting(each.pair ?? '')));
    const family = { operations: members, ends: ended.get(first) ?? [], thefts, presenting };
    families.set(first, family);
    return family;
  };
};

/** Whether it may have happened. */
export const isPossible = ({ outcome }: Operation): boolean => outcome !== 'refused';

/** Refusals about the caller, not about the operation. */
export const isTemporaryRefusal = new Set(['RATE_LIMITED', 'status 429']);

/**
 * A replaced pair that is presented late ends its whole session. A request refused as unavailable was not checked.
 * @param others all operations that presented the same pair
 */
const isTakenForTheft = (each: Operation, others: readonly Operation[]): boolean =>
  each.does === 'rotate' &&
  each.outcome !== 'ok' &&
  each.code !== 'REFRESH_SUPERSEDED' &&
  !isTemporaryRefusal.has(each.code) &&
  others.some((other) => other.does === 'rotate' && isPossible(other) && other.invokedAt < each.invokedAt);

/** Pairs of the sessions that an operation should end. */
export const endedBy = ({ does, pair, ends }: Operation): readonly string[] => {
  if (does !== 'end') return [];
  return ends ?? (pair === undefined ? [] : [pair]);
};

/** Each operation under every key that it has, once. */
const groupedBy = (
  operations: readonly Operation[],
  keysOf: (each: Operation) => readonly string[],
): ReadonlyMap<string, readonly Operation[]> => {
  const groups = new Map<string, Operation[]>();
  for (const each of operations) {
    for (const key of new Set(keysOf(each))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [each]);
      else group.push(each);
    }
  }
  return groups;
};

/** The first pair of the session of each pair that came from another; predecessors come first. */
const originsOf = (inOrder: readonly Operation[]): ReadonlyMap<string, string> => {
  const origins = new Map<string, string>();
  for (const { does, pair, gave } of inOrder) {
    if (does !== 'rotate' || pair === undefined || gave === undefined) continue;
    origins.set(gave, origins.get(pair) ?? pair);
  }
  return origins;
};

/** Which pairs of a history belong to one session: those that came from each other by rotation, as clients were told. */
import type { Operation } from './history.ts';

export interface Family {
  /** Everything that presented one of its pairs, in the order of asking. */
  readonly operations: readonly Operation[];
  /** Everything that was asked to end it, in that order; some of it presented the pair of another session. */
  readonly ends: readonly Operation[];
}

const nobody: Family = { operations: [], ends: [] };

/** Answers the family of each pair that occurs in the operations. */
export const familiesOf = (operations: readonly Operation[]): ((pair: string) => Family) => {
  const inOrder = [...operations].sort((left, right) => left.invokedAt - right.invokedAt);
  const firstOf = originsOf(inOrder);
  const origin = (pair: string): string => firstOf.get(pair) ?? pair;
  const presented = groupedBy(inOrder, ({ pair }) => (pair === undefined ? [] : [origin(pair)]));
  const ended = groupedBy(inOrder, (each) => endedBy(each).map(origin));
  return (pair) => {
    const family = origin(pair);
    const [operations, ends] = [presented.get(family), ended.get(family)];
    return operations === undefined && ends === undefined ? nobody : { operations: operations ?? [], ends: ends ?? [] };
  };
};

/** Pairs of the sessions that an operation is to end. */
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

/** The first pair of the session of each pair that came from another; a successor is asked about after its predecessor. */
const originsOf = (inOrder: readonly Operation[]): ReadonlyMap<string, string> => {
  const origins = new Map<string, string>();
  for (const { does, pair, gave } of inOrder) {
    if (does !== 'rotate' || pair === undefined || gave === undefined) continue;
    origins.set(gave, origins.get(pair) ?? pair);
  }
  return origins;
};

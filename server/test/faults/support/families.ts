/** Which pairs of a history belong to one session: those that came from each other by rotation, as clients were told. */
import type { Operation } from './history.ts';

export interface Family {
  /** Everything that presented one of its pairs, in the order of asking. */
  readonly operations: readonly Operation[];
}

const nobody: Family = { operations: [] };

/** Answers the family of each pair that occurs in the operations. */
export const familiesOf = (operations: readonly Operation[]): ((pair: string) => Family) => {
  const inOrder = [...operations].sort((left, right) => left.invokedAt - right.invokedAt);
  const firstOf = originsOf(inOrder);
  const origin = (pair: string): string => firstOf.get(pair) ?? pair;
  const byOrigin = new Map<string, Operation[]>();
  for (const each of inOrder) {
    if (each.pair === undefined) continue;
    const family = byOrigin.get(origin(each.pair));
    if (family === undefined) byOrigin.set(origin(each.pair), [each]);
    else family.push(each);
  }
  return (pair) => {
    const family = byOrigin.get(origin(pair));
    return family === undefined ? nobody : { operations: family };
  };
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

/**
 * Judges a history and what is stored at its end by the invariants I1 to I7 and I10 of the reliability rules. Pure: the
 * same facts give the same verdict. An operation of unknown outcome may have happened or not, whole, and is never taken
 * for either.
 */
import { type Family, familiesOf } from './families.ts';
import type { Operation } from './history.ts';

/** How things stand in the database once every fault is over and nothing is under way. */
export interface FinalState {
  /** By label; a pair that is not here does not exist. */
  readonly pairs: ReadonlyMap<string, 'live' | 'ended'>;
  /** By key; what is not here was not written. */
  readonly writes: ReadonlyMap<string, 'whole' | 'half'>;
  /** Rows in the record of tool calls, by correlation id. */
  readonly calls: ReadonlyMap<string, number>;
  /** Mails that arrived, by the key of the write that caused them; undefined where nobody counted. */
  readonly mails?: ReadonlyMap<string, number>;
  /** What must never be seen, in words: broken pairs, users without their organization. */
  readonly oddities: readonly string[];
}

/** What a run allows beyond the rules. */
export interface Terms {
  /** Copies of one mail: two where processes were killed, else one. */
  readonly mostMails: 1 | 2;
}

export interface Violation {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7';
  readonly rule: string;
  /** The pair or key that it is about. */
  readonly subject: string;
  readonly operations: readonly Operation[];
}

type Rule = (facts: Facts) => readonly Violation[];

interface Facts {
  readonly operations: readonly Operation[];
  readonly state: FinalState;
  readonly terms: Terms;
  /** Everything that was asked about the pair's session, in the order of asking. */
  readonly familyOf: (pair: string) => Family;
}

/** @returns every breach of a rule, the same one for each subject; empty when all is well */
export const check = (
  operations: readonly Operation[],
  state: FinalState,
  terms: Terms = { mostMails: 1 },
): readonly Violation[] => {
  const facts = { operations, state, terms, familyOf: familiesOf(operations) };
  return rules.flatMap((rule) => rule(facts));
};

/** Answers by which a service says that a credential is not, or no longer, good. */
const refusesCredential = new Set([
  'UNAUTHENTICATED',
  'REFRESH_REFUSED',
  'REFRESH_SUPERSEDED',
  'invalid_grant',
  'invalid_token',
]);
/** Its time is over, but it may still be refreshed. */
const refusesForTime = 'ACCESS_EXPIRED';
/** Said of the caller and not of what was asked. */
const refusesForNow = new Set(['RATE_LIMITED', 'status 429']);

const isRefusalOfPair = ({ outcome, code }: Operation): boolean => outcome === 'refused' && refusesCredential.has(code);

/** A pair was accepted by whatever succeeded while presenting it. */
const acceptances = (operations: readonly Operation[], pair: string): readonly Operation[] =>
  operations.filter((each) => each.pair === pair && each.outcome === 'ok');

const pairsIn = (operations: readonly Operation[]): readonly string[] => [
  ...new Set(operations.flatMap(({ pair, gave }) => [pair, gave].filter((each) => each !== undefined))),
];

/** Told to its client that the pair is over: it itself was rotated, or its session ended. */
const acknowledgedEnds = ({ operations }: Family, pair: string): readonly Operation[] =>
  operations.filter(
    ({ outcome, does, pair: presented }) =>
      outcome === 'ok' && (does === 'end' || (does === 'rotate' && presented === pair)),
  );

/** Whatever may have ended the pair, told or not. */
const possibleEnds = ({ operations }: Family, pair: string): readonly Operation[] =>
  operations.filter(
    (each) =>
      (each.does === 'end' && each.outcome !== 'refused') ||
      (each.does === 'rotate' && (each.pair === pair || isTakenForTheft(each, operations))),
  );

/** A pair that was replaced before and comes back late ends its whole session. */
const isTakenForTheft = (each: Operation, family: readonly Operation[]): boolean =>
  each.outcome !== 'ok' &&
  each.code !== 'REFRESH_SUPERSEDED' &&
  family.some((other) => other.does === 'rotate' && other.pair === each.pair && other.invokedAt < each.invokedAt);

const acceptedAfterEnd: Rule = ({ operations, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const ends = acknowledgedEnds(familyOf(pair), pair);
    return acceptances(familyOf(pair).operations, pair).flatMap((accepted) => {
      const before = ends.find((end) => end !== accepted && end.returnedAt < accepted.invokedAt);
      if (before === undefined) return [];
      return [breach('I1', 'accepted after its end was acknowledged', pair, before, accepted)];
    });
  });

const acceptedAfterRefusal: Rule = ({ operations, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const family = familyOf(pair).operations;
    const refusal = family.filter((each) => each.pair === pair && isRefusalOfPair(each)).reduce(earlierReturn, null);
    if (refusal === null) return [];
    const later = acceptances(family, pair).find(({ invokedAt }) => invokedAt > refusal.returnedAt);
    return later === undefined ? [] : [breach('I1', 'accepted after it was refused', pair, refusal, later)];
  });

const twoSuccessors: Rule = ({ operations, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const rotations = acceptances(familyOf(pair).operations, pair).filter(({ does }) => does === 'rotate');
    return rotations.length < 2 ? [] : [breach('I2', 'has two successors', pair, ...rotations)];
  });

const refusedForNothing: Rule = ({ operations, familyOf }) =>
  operations.flatMap((each) => {
    if (each.pair === undefined || !(isRefusalOfPair(each) || each.code === refusesForTime)) return [];
    const isExplained = possibleEnds(familyOf(each.pair), each.pair).some(
      (end) => end !== each && end.invokedAt < each.returnedAt,
    );
    return isExplained ? [] : [breach('I7', `refused with ${each.code} though nothing ended it`, each.pair, each)];
  });

const refusedOtherwise: Rule = ({ operations }) =>
  operations.flatMap((each) => {
    const isKnown = isRefusalOfPair(each) || each.code === refusesForTime || refusesForNow.has(each.code);
    if (each.outcome !== 'refused' || isKnown) return [];
    const isTaken =
      each.key !== undefined &&
      operations.some((other) => other !== each && other.key === each.key && other.invokedAt < each.returnedAt);
    return isTaken ? [] : [breach('I7', `refused with ${each.code}`, each.key ?? each.pair ?? each.name, each)];
  });

const defects: Rule = ({ operations }) =>
  operations
    .filter(({ code }) => code === 'INTERNAL' || code === 'status 500')
    .map((each) => breach('I7', 'answered as a defect', each.key ?? each.pair ?? each.name, each));

const lostPairs: Rule = ({ operations, state }) =>
  operations.flatMap((each) =>
    each.gave === undefined || state.pairs.has(each.gave)
      ? []
      : [breach('I4', 'a pair that was given does not exist', each.gave, each)],
  );

const lostEnds: Rule = ({ operations, state, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const ends = acknowledgedEnds(familyOf(pair), pair);
    return ends.length === 0 || state.pairs.get(pair) !== 'live'
      ? []
      : [breach('I4', 'lives although its end was acknowledged', pair, ...ends)];
  });

const endedByNobody: Rule = ({ operations, state, familyOf }) =>
  pairsIn(operations).flatMap((pair) =>
    state.pairs.get(pair) !== 'ended' || possibleEnds(familyOf(pair), pair).length > 0
      ? []
      : [breach('I4', 'ended by nobody', pair, ...familyOf(pair).operations)],
  );

/** The operations that would have made what a key names. */
const writesByKey = (operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> => {
  const byKey = new Map<string, Operation[]>();
  for (const each of operations) {
    if (each.does !== 'write' || each.key === undefined) continue;
    byKey.set(each.key, [...(byKey.get(each.key) ?? []), each]);
  }
  return byKey;
};

const writes: Rule = ({ operations, state }) =>
  [...writesByKey(operations)].flatMap(([key, attempts]) => {
    const stored = state.writes.get(key);
    if (stored === 'half') return [breach('I3', 'half done', key, ...attempts)];
    const isAcknowledged = attempts.some(({ outcome }) => outcome === 'ok');
    if (isAcknowledged && stored === undefined) return [breach('I4', 'acknowledged and lost', key, ...attempts)];
    const isRefused = attempts.every(({ outcome }) => outcome === 'refused');
    return isRefused && stored === 'whole' ? [breach('I3', 'refused and done', key, ...attempts)] : [];
  });

const mails: Rule = ({ operations, state, terms }) => {
  const arrived = state.mails;
  if (arrived === undefined) return [];
  const loud = operations.filter(({ isSilent }) => isSilent !== true);
  return [...writesByKey(loud)].flatMap(([key, attempts]) => {
    const count = arrived.get(key) ?? 0;
    const isDone = state.writes.get(key) === 'whole';
    if (!isDone && count > 0) return [breach('I6', 'mailed and never done', key, ...attempts)];
    if (isDone && count === 0) return [breach('I6', 'done and never mailed', key, ...attempts)];
    return count > terms.mostMails ? [breach('I6', `mailed ${count} times`, key, ...attempts)] : [];
  });
};

const calls: Rule = ({ operations, state }) => {
  const asked = operations.filter(({ does }) => does === 'call');
  const keys = new Set(asked.flatMap(({ key }) => key ?? []));
  const strays = [...state.calls].filter(([key]) => !keys.has(key));
  // The id comes with the answer: of a call without one there may be a row, and nobody can tell which.
  const nameless = asked.filter(({ outcome, key }) => outcome === 'unknown' && key === undefined);
  return [
    ...strays.slice(nameless.length).map(([key]) => breach('I5', 'recorded without a call', key)),
    ...strays.filter(([, rows]) => rows > 1).map(([key, rows]) => breach('I5', `recorded ${rows} times`, key)),
    ...asked.flatMap((each) => callBreaches(each, state.calls.get(each.key ?? '') ?? 0)),
  ];
};

const callBreaches = (each: Operation, rows: number): readonly Violation[] => {
  const subject = each.key ?? each.name;
  if (rows > 1 || (each.outcome === 'ok' && rows === 0)) {
    return [breach('I5', `recorded ${rows} times`, subject, each)];
  }
  return each.outcome === 'refused' && rows > 0
    ? [breach('I5', 'recorded although it was not let in', subject, each)]
    : [];
};

const oddities: Rule = ({ state }) => state.oddities.map((what) => breach('I3', 'stored in part', what));

const rules: readonly Rule[] = [
  acceptedAfterEnd,
  acceptedAfterRefusal,
  twoSuccessors,
  refusedForNothing,
  refusedOtherwise,
  defects,
  lostPairs,
  lostEnds,
  endedByNobody,
  writes,
  mails,
  calls,
  oddities,
];

const earlierReturn = (earliest: Operation | null, each: Operation): Operation =>
  earliest === null || each.returnedAt < earliest.returnedAt ? each : earliest;

const breach = (
  invariant: Violation['invariant'],
  rule: string,
  subject: string,
  ...operations: readonly Operation[]
): Violation => ({ invariant, rule, subject, operations });

/**
 * Checks a history and the rows stored at its end against the invariants I1 to I7 and I10 of the reliability rules.
 * Pure: the same history gives the same verdict. An operation of unknown outcome may have happened whole or not at all;
 * the checker never assumes either.
 */
import { endedBy, type Family, familiesOf, isPossible, isTemporaryRefusal } from '../load/families.ts';
import type { Operation } from './history.ts';

/** The state of the database once every fault has ended and no request is in flight. */
export interface FinalState {
  /** By label; a missing pair does not exist. */
  readonly pairs: ReadonlyMap<string, StoredPair>;
  /** By key; a missing key was not written. */
  readonly writes: ReadonlyMap<string, 'whole' | 'half'>;
  /** By key: its value. */
  readonly settings: ReadonlyMap<string, string>;
  /** The record of tool calls, by correlation id. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** Delivered mails, by the key of the write that caused them; undefined where they were not counted. */
  readonly mails?: ReadonlyMap<string, number>;
  /** Sentences about impossible rows: broken pairs, users without their organization. */
  readonly oddities: readonly string[];
}

export interface StoredPair {
  readonly status: 'live' | 'ended';
  readonly owner: string;
  readonly family: string;
}

export interface RecordedCall {
  readonly rows: number;
  readonly actor: string;
}

/** Exceptions of a run to the rules. */
export interface Tolerances {
  /** Copies of one mail: two only where a process may be killed between delivering and deleting it. */
  readonly maxMails: 1 | 2;
  /** Whether processes are killed, so that clients get no answer. Otherwise each gets one, at least a 503. */
  readonly mayHangUp?: true;
  /** How long a former primary may be believed after a fail-over: DATABASE_FENCE_SECONDS. Otherwise not at all. */
  readonly fenceMillis?: number;
}

export interface Violation {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I10';
  readonly rule: string;
  readonly subject: string;
  readonly operations: readonly Operation[];
}

type Rule = (facts: Facts) => readonly Violation[];

interface Facts {
  readonly operations: readonly Operation[];
  readonly state: FinalState;
  readonly terms: Tolerances;
  /** All operations about the pair's session, in the order of sending. */
  readonly familyOf: (pair: string) => Family;
}

/** @returns every violation of a rule, the same one for each subject; empty when there are none */
export const check = (
  operations: readonly Operation[],
  state: FinalState,
  terms: Tolerances = { maxMails: 1 },
): readonly Violation[] => {
  const facts = { operations, state, terms, familyOf: familiesOf(operations) };
  return rules.flatMap((rule) => rule(facts));
};

/** Answers by which a service says that a credential is invalid, or no longer valid. */
const refusesCredential = new Set([
  'UNAUTHENTICATED',
  'REFRESH_REFUSED',
  'REFRESH_SUPERSEDED',
  'invalid_grant',
  'invalid_token',
]);
/** It has expired, but may still be refreshed. */
const refusesForTime = 'ACCESS_EXPIRED';

const isRefusalOfPair = ({ outcome, code }: Operation): boolean => outcome === 'refused' && refusesCredential.has(code);

/** A pair was accepted by each operation that succeeded while presenting it. */
const acceptances = ({ presenting }: Family, pair: string): readonly Operation[] =>
  presenting(pair).filter(({ outcome }) => outcome === 'ok');

const pairsIn = (operations: readonly Operation[]): readonly string[] => [
  ...new Set(operations.flatMap(({ pair, gave }) => [pair, gave].filter((each) => each !== undefined))),
];

const rotations = ({ presenting }: Family, pair: string): readonly Operation[] =>
  presenting(pair).filter(({ does }) => does === 'rotate');

/** Acknowledged to its client: the pair has ended, by rotation or with its session. */
const acknowledgedEnds = (family: Family, pair: string): readonly Operation[] =>
  [...family.ends, ...rotations(family, pair)].filter(({ outcome }) => outcome === 'ok');

/** Every possible end of the pair, answered or not. */
const possibleEnds = (family: Family, pair: string): readonly Operation[] => [
  ...[...family.ends, ...rotations(family, pair)].filter(isPossible),
  ...family.thefts,
];

const acceptedAfterEnd: Rule = ({ operations, terms: { fenceMillis = 0 }, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const ends = acknowledgedEnds(familyOf(pair), pair);
    return acceptances(familyOf(pair), pair).flatMap((accepted) => {
      const before = ends.find((end) => end !== accepted && end.returnedAt + fenceMillis < accepted.invokedAt);
      if (before === undefined) return [];
      return [breach('I1', 'accepted after its end was acknowledged', pair, before, accepted)];
    });
  });

const acceptedAfterRefusal: Rule = ({ operations, terms: { fenceMillis = 0 }, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const family = familyOf(pair);
    const refusals = family.presenting(pair).filter(isRefusalOfPair);
    return acceptances(family, pair).flatMap((accepted) => {
      const before = refusals.find(
        (refusal) => isFinalFor(accepted, refusal) && refusal.returnedAt + fenceMillis < accepted.invokedAt,
      );
      return before === undefined ? [] : [breach('I1', 'accepted after it was refused', pair, before, accepted)];
    });
  });

/** A superseded pair gets another one while its successor is unused (decision 0085). */
const isFinalFor = ({ does }: Operation, { code }: Operation): boolean =>
  does !== 'rotate' || code !== 'REFRESH_SUPERSEDED';

const twoSuccessors: Rule = ({ operations, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const successes = rotations(familyOf(pair), pair).filter(({ outcome }) => outcome === 'ok');
    return successes.length < 2 ? [] : [breach('I2', 'has two successors', pair, ...successes)];
  });

const refusedForNothing: Rule = ({ operations, familyOf }) =>
  operations.flatMap((each) => {
    if (each.pair === undefined || !(isRefusalOfPair(each) || each.code === refusesForTime)) return [];
    const isExplained = possibleEnds(familyOf(each.pair), each.pair).some(
      (end) => end !== each && end.invokedAt < each.returnedAt,
    );
    return isExplained ? [] : [breach('I7', `refused with ${each.code} though nothing ended it`, each.pair, each)];
  });

const refusedOtherwise: Rule = ({ operations, state }) =>
  operations.flatMap((each) => {
    const isOfPair = each.pair !== undefined && (isRefusalOfPair(each) || each.code === refusesForTime);
    if (each.outcome !== 'refused' || isOfPair || isTemporaryRefusal.has(each.code)) return [];
    const isTaken = operations.some(
      (other) =>
        other !== each &&
        other.key === each.key &&
        other.does === each.does &&
        isPossible(other) &&
        other.invokedAt < each.returnedAt,
    );
    if (each.key !== undefined && isTaken && isDone(each, state)) return [];
    return [breach('I7', `refused with ${each.code}`, subjectOf(each), each)];
  });

/** Whether its effect is stored at the end, by any of its attempts. */
const isDone = (each: Operation, { pairs, writes }: FinalState): boolean =>
  each.does === 'end'
    ? endedBy(each).every((pair) => pairs.get(pair)?.status !== 'live')
    : each.key !== undefined && writes.get(each.key) === 'whole';

const isDefect = ({ code }: Operation): boolean => code === 'INTERNAL' || code === 'status 500';

const defects: Rule = ({ operations }) =>
  operations.filter(isDefect).map((each) => breach('I7', 'answered as a defect', subjectOf(each), each));

/** How a service reports that a dependency does not answer. */
const saysUnavailable = new Set(['UNAVAILABLE', 'status 503']);

const leftAlone: Rule = ({ operations, terms }) =>
  operations.flatMap((each) => {
    const isExcused = saysUnavailable.has(each.code) || (terms.mayHangUp === true && each.code === 'no answer');
    if (each.outcome !== 'unknown' || isExcused || isDefect(each)) return [];
    return [breach('I7', `got no answer: ${each.code}`, subjectOf(each), each)];
  });

const clientKeyOf = ({ who, pair }: Operation, { pairs }: FinalState): string | undefined =>
  who ?? (pair === undefined ? undefined : pairs.get(pair)?.owner);

const answeredForAnother: Rule = ({ operations, state }) =>
  operations.flatMap((each) => {
    const { outcome, does, said, organization, saidOrganization } = each;
    const clientKey = clientKeyOf(each, state);
    if (outcome !== 'ok' || clientKey === undefined) return [];
    // Using a session returns its user; other operations may be answered without.
    const isOfAnother = said === undefined ? does === 'use' : said !== clientKey;
    const isElsewhere = organization !== undefined && saidOrganization !== organization;
    return [
      ...(isOfAnother ? [breach('I10', 'answered for another person', subjectOf(each), each)] : []),
      ...(isElsewhere ? [breach('I10', 'answered for another organization', subjectOf(each), each)] : []),
    ];
  });

const givenToAnother: Rule = ({ operations, state }) =>
  operations.flatMap((each) => {
    const given = each.gave === undefined ? undefined : state.pairs.get(each.gave);
    if (given === undefined) return [];
    const clientKey = clientKeyOf(each, state);
    if (clientKey !== undefined && given.owner !== clientKey) {
      return [breach('I10', 'was given the pair of another person', subjectOf(each), each)];
    }
    // A switch to another organization begins a session there.
    const mayBeginAnother = each.does !== 'rotate' || each.organization !== undefined;
    const presented = each.pair === undefined ? undefined : state.pairs.get(each.pair);
    if (mayBeginAnother || presented === undefined || presented.family === given.family) return [];
    return [breach('I10', 'was given the pair of another session', subjectOf(each), each)];
  });

const lostPairs: Rule = ({ operations, state }) =>
  operations.flatMap((each) =>
    each.gave === undefined || state.pairs.has(each.gave)
      ? []
      : [breach('I4', 'a pair that was given does not exist', each.gave, each)],
  );

const lostEnds: Rule = ({ operations, state, familyOf }) =>
  pairsIn(operations).flatMap((pair) => {
    const ends = acknowledgedEnds(familyOf(pair), pair);
    return ends.length === 0 || state.pairs.get(pair)?.status !== 'live'
      ? []
      : [breach('I4', 'lives although its end was acknowledged', pair, ...ends)];
  });

const endedWithoutRequest: Rule = ({ operations, state, familyOf }) =>
  pairsIn(operations).flatMap((pair) =>
    state.pairs.get(pair)?.status !== 'ended' || possibleEnds(familyOf(pair), pair).length > 0
      ? []
      : [breach('I4', 'ended without a request', pair, ...familyOf(pair).operations)],
  );

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

/** An acknowledged value remains until another one replaces it, possibly of a client without an answer. */
const lostSettings: Rule = ({ operations, state }) =>
  [...new Set(operations.flatMap(({ does, key }) => (does === 'set' && key !== undefined ? [key] : [])))].flatMap(
    (key) => {
      const attempts = operations.filter((each) => each.does === 'set' && each.key === key);
      const acknowledged = attempts.filter(({ outcome }) => outcome === 'ok');
      const setter = attempts.find(({ value }) => value === state.settings.get(key));
      if (setter?.outcome === 'refused') return [breach('I3', 'refused and done', key, setter)];
      const isOver = (each: Operation): boolean =>
        each.outcome === 'ok' && acknowledged.some((later) => later.invokedAt > each.returnedAt);
      const isLost = acknowledged.length > 0 && (setter === undefined || isOver(setter));
      return isLost ? [breach('I4', 'acknowledged and lost', key, ...acknowledged.slice(-1))] : [];
    },
  );

const mails: Rule = ({ operations, state, terms }) => {
  const arrived = state.mails;
  if (arrived === undefined) return [];
  const loud = operations.filter(({ isSilent }) => isSilent !== true);
  return [...writesByKey(loud)].flatMap(([key, attempts]) => {
    const count = arrived.get(key) ?? 0;
    const isDone = state.writes.get(key) === 'whole';
    if (!isDone && count > 0) return [breach('I6', 'mailed and never done', key, ...attempts)];
    if (isDone && count === 0) return [breach('I6', 'done and never mailed', key, ...attempts)];
    return count > terms.maxMails ? [breach('I6', `mailed ${count} times`, key, ...attempts)] : [];
  });
};

const calls: Rule = ({ operations, state }) => {
  const asked = operations.filter(({ does }) => does === 'call');
  const keys = new Set(asked.flatMap(({ key }) => key ?? []));
  const strays = [...state.calls].filter(([key]) => !keys.has(key));
  // The id comes with the answer: a call without one may have any of the remaining rows.
  const nameless = asked.filter(({ outcome, key }) => outcome === 'unknown' && key === undefined);
  return [
    ...strays.slice(nameless.length).map(([key]) => breach('I5', 'recorded without a call', key)),
    ...strays.filter(([, { rows }]) => rows > 1).map(([key, { rows }]) => breach('I5', `recorded ${rows} times`, key)),
    ...asked.flatMap((each) => callBreaches(each, state)),
  ];
};

const callBreaches = (each: Operation, state: FinalState): readonly Violation[] => {
  const { rows, actor } = state.calls.get(each.key ?? '') ?? { rows: 0, actor: null };
  if (rows > 1 || (each.outcome === 'ok' && rows === 0)) {
    return [breach('I5', `recorded ${rows} times`, subjectOf(each), each)];
  }
  if (each.outcome === 'refused' && rows > 0) {
    return [breach('I5', 'recorded although it was not let in', subjectOf(each), each)];
  }
  const clientKey = clientKeyOf(each, state);
  return rows === 0 || clientKey === undefined || actor === clientKey
    ? []
    : [breach('I10', 'recorded as of another person', subjectOf(each), each)];
};

const oddities: Rule = ({ state }) => state.oddities.map((what) => breach('I3', 'stored in part', what));

const rules: readonly Rule[] = [
  acceptedAfterEnd,
  acceptedAfterRefusal,
  twoSuccessors,
  refusedForNothing,
  refusedOtherwise,
  defects,
  leftAlone,
  answeredForAnother,
  givenToAnother,
  lostPairs,
  lostEnds,
  endedWithoutRequest,
  writes,
  lostSettings,
  mails,
  calls,
  oddities,
];

const subjectOf = ({ key, pair, name }: Operation): string => key ?? pair ?? name;

const breach = (
  invariant: Violation['invariant'],
  rule: string,
  subject: string,
  ...operations: readonly Operation[]
): Violation => ({ invariant, rule, subject, operations });

/** Ends many session families in the caller's transaction, without waiting for a row (decision 0055). */
import { setTimeout as pause } from 'node:timers/promises';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { DatabaseUnavailable, type Transaction } from '../../platform/database/database.ts';
import {
  type EndedRow,
  endHeldRows,
  giveUpLocks,
  keepLocks,
  listOpenFamilies,
  lockFreeRows,
  markLocks,
  type OpenRow,
} from './bulk-store.ts';
import { noteEndedGrants, noteEndedTokens } from './ended-tokens.ts';
import type { RevocationReason } from './revocation-reasons.ts';

/** The sessions that were ended. */
interface EndedFamilies {
  /** Those of which an active credential was ended, by their own id or that of a successor. */
  readonly sessions: ReadonlySet<string>;
  readonly revokedCredentials: number;
}

/** So many families are ended by one statement: it takes a fraction of a statement's limit. */
const familiesAtOnce = 500;
const pauseMillis = 20;
/** Sum of the pauses. A change of one family holds its rows for milliseconds. */
const limits = scaledMillis({ pausedMillis: 1_000 });

/**
 * Ends families with the successors that replace them meanwhile. After the last round, a newer snapshot shows no live
 * row of them: a rotation or a switch in progress waits for the rows that this transaction holds, and then finds them
 * ended.
 * @throws DatabaseUnavailable: another transaction holds a row for a second
 */
export const endFamilies = async (
  transaction: Transaction,
  sessionFamilyIds: readonly string[],
  reason: RevocationReason,
): Promise<EndedFamilies> => {
  const sessions = new Set<string>();
  let revokedCredentials = 0;
  let open: ReadonlyMap<string, string> = new Map(sessionFamilyIds.map((id) => [id, id]));
  for (let round = 0; open.size > 0; round += 1) {
    if (round * pauseMillis >= limits.pausedMillis)
      throw new DatabaseUnavailable('Other transactions hold sessions that are to end');
    if (round > 1) await pause(pauseMillis);
    for (const families of chunksOf([...open.keys()])) {
      const ended = (await endFree(transaction, families, reason)).filter(({ wasActive }) => wasActive);
      revokedCredentials += ended.length;
      await noteEndedTokens(transaction, familiesOf(ended.filter(({ isMachine }) => isMachine)), reason);
      await noteEndedGrants(transaction, familiesOf(ended.filter(({ isBound }) => isBound)), reason);
      for (const { sessionFamilyId } of ended) sessions.add(open.get(sessionFamilyId) ?? sessionFamilyId);
    }
    open = await openOf(transaction, open);
  }
  if (revokedCredentials > 0) {
    transaction.count('revocations', [reason], sessions.size);
    transaction.count('revokedCredentials', [reason], revokedCredentials);
  }
  return { sessions, revokedCredentials };
};

/** Ends the families of which no other transaction holds a row. */
const endFree = async (
  transaction: Transaction,
  families: readonly string[],
  reason: RevocationReason,
): Promise<readonly EndedRow[]> => {
  const credentialIds = await lockFree(transaction, families);
  return credentialIds.length === 0 ? [] : transaction.many(endHeldRows, [credentialIds, reason]);
};

/**
 * Locks all live rows of a family or none. A rotation that holds one row of a pair waits for the other one: with that
 * in the hand of this transaction, neither would ever end.
 */
const lockFree = async (transaction: Transaction, families: readonly string[]): Promise<readonly string[]> => {
  await transaction.execute(markLocks, []);
  let held = await transaction.many(lockFreeRows, [families]);
  for (let left = families; held.some(({ isTorn }) => isTorn); ) {
    await transaction.execute(giveUpLocks, []);
    const torn = new Set(held.flatMap(({ sessionFamilyId, isTorn }) => (isTorn ? [sessionFamilyId] : [])));
    left = left.filter((id) => !torn.has(id));
    held = await transaction.many(lockFreeRows, [left]);
  }
  await transaction.execute(keepLocks, []);
  return held.flatMap(({ credentialIds }) => credentialIds);
};

const familiesOf = (ended: readonly EndedRow[]): string[] => [
  ...new Set(ended.map(({ sessionFamilyId }) => sessionFamilyId)),
];

/** The families that are still open, each with the one that was to be ended. */
const openOf = async (
  transaction: Transaction,
  tried: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> => {
  const rows: OpenRow[] = [];
  for (const families of chunksOf([...tried.keys()]))
    rows.push(...(await transaction.many(listOpenFamilies, [families])));
  return new Map(rows.map(({ sessionFamilyId, root }) => [sessionFamilyId, tried.get(root) ?? root]));
};

/** Families in the numbers in which a statement takes them. */
export const chunksOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / familiesAtOnce) }, (_, index) =>
    ids.slice(index * familiesAtOnce, (index + 1) * familiesAtOnce),
  );

/**
 * Ends thousands of session families in the caller's transaction (decision 0055). It takes no lock of a family: those
 * of thousands would not fit the server. It takes the rows themselves and never waits for one, and all of a family or
 * none, so that no circle of waits arises; what another transaction holds is tried again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { DatabaseUnavailable, statement, type Transaction } from '../../platform/database/database.ts';
import { isBound } from './actor-store.ts';
import { isOfRevision } from './credential-owner-store.ts';
import { auditEndedGrants, auditEndedTokens, type RevocationReason } from './ended-tokens.ts';

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
 * Ends families with the successors that replace them meanwhile: rounds end when a newer snapshot shows no live row,
 * and a rotation or switch in progress waits for this transaction and finds them ended.
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
      await auditEndedTokens(transaction, familiesOf(ended.filter(({ isMachine }) => isMachine)), reason);
      await auditEndedGrants(transaction, familiesOf(ended.filter(({ isBound }) => isBound)), reason);
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

/** Locks all live rows of a family or none: a rotation that holds one row of a pair waits for the other one. */
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

// SQL.

/** Two revocations of many sessions come one after the other: the second one finds nothing that the first one ended. */
export const lockBulkRevocations = statement(
  'credentials.lock_bulk_revocations',
  `SELECT pg_advisory_xact_lock(hashtextextended('revocations of many sessions', 0))`,
);

interface HeldFamily {
  readonly sessionFamilyId: string;
  readonly credentialIds: readonly string[];
  /** Whether another transaction holds some of its live rows. */
  readonly isTorn: boolean;
}

/** Locks the live rows of families that no other transaction holds. A rotation that waits for one of them loses. */
const lockFreeRows = statement<HeldFamily, [sessionFamilyIds: readonly string[]]>(
  'credentials.lock_free_rows',
  `WITH live AS MATERIALIZED (
     SELECT c.id, c.session_family_id FROM credentials c
     WHERE c.session_family_id = ANY ($1::uuid[]) AND c.revoked_at IS NULL),
   free AS MATERIALIZED (
     SELECT c.id FROM credentials c WHERE c.session_family_id = ANY ($1::uuid[]) AND c.revoked_at IS NULL
     FOR NO KEY UPDATE OF c SKIP LOCKED)
   SELECT l.session_family_id AS "sessionFamilyId", array_agg(f.id::text) FILTER (WHERE f.id IS NOT NULL)
     AS "credentialIds", count(f.id) < count(*) AS "isTorn"
   FROM live l LEFT JOIN free f USING (id) GROUP BY l.session_family_id HAVING count(f.id) > 0`,
);

interface EndedRow {
  readonly sessionFamilyId: string;
  /** Neither expired nor already refused by the user's credentials_revision. */
  readonly wasActive: boolean;
  /** Whether it is a secret of a machine's token, whose id is that of the family. */
  readonly isMachine: boolean;
  /** Whether it is of a client's grant that is bound to an organization. */
  readonly isBound: boolean;
}

/** Ends rows that this transaction holds. */
const endHeldRows = statement<EndedRow, [credentialIds: readonly string[], reason: RevocationReason]>(
  'credentials.end_held_rows',
  `UPDATE credentials c SET revoked_at = now(), revocation_reason = $2
   WHERE c.id = ANY ($1::uuid[]) AND c.revoked_at IS NULL
   RETURNING c.session_family_id AS "sessionFamilyId", c.expires_at > now()
     AND ${isOfRevision} AS "wasActive", c.kind = 'machine' AS "isMachine", ${isBound} AS "isBound"`,
);

/** The locks that follow can be given up, and the transaction goes on. */
const markLocks = statement('credentials.mark_locks', 'SAVEPOINT free_rows');
const giveUpLocks = statement('credentials.give_up_locks', 'ROLLBACK TO SAVEPOINT free_rows');
const keepLocks = statement('credentials.keep_locks', 'RELEASE SAVEPOINT free_rows');

/** A family that follows another one, which is its root. */
interface OpenRow {
  readonly sessionFamilyId: string;
  readonly root: string;
}

/** Families with their successors by switches of organization. Each step reads one family's successors by index. */
const reached = `WITH RECURSIVE reached (id, root, place) AS (
     SELECT f.id, f.id, 0 FROM unnest($1::uuid[]) AS f (id)
     UNION ALL
     SELECT c.id, r.root, r.place + 1 FROM reached r CROSS JOIN LATERAL (
       SELECT c.session_family_id AS id FROM credentials c
       WHERE c.succeeds_family_id = r.id AND c.kind = 'user_refresh' AND c.succeeds_family_id IS NOT NULL OFFSET 0) AS c)`;

/**
 * Those of these families and their successors that have live rows: a newer snapshot shows what a rotation or switch
 * that came first has issued, or what one in progress is about to replace. Ordered as the index of live families: an
 * old plan could use another one, and read all of it for each family.
 */
const listOpenFamilies = statement<OpenRow, [sessionFamilyIds: readonly string[]]>(
  'credentials.list_open_families',
  `${reached}
   SELECT r.id AS "sessionFamilyId", r.root FROM reached r CROSS JOIN LATERAL (
     SELECT FROM credentials c WHERE c.session_family_id = r.id AND c.revoked_at IS NULL
     ORDER BY c.kind, c.slot LIMIT 1) AS live`,
);

/** The last successor of each of these families: the family itself where it has none. */
export const listLastSuccessors = statement<OpenRow, [sessionFamilyIds: readonly string[]]>(
  'credentials.list_last_successors',
  `${reached}
   SELECT DISTINCT ON (r.root) r.id AS "sessionFamilyId", r.root FROM reached r ORDER BY r.root, r.place DESC`,
);

/**
 * SQL that ends thousands of session families in one transaction (decision 0055). It takes no lock of a family: those
 * of thousands would not fit the server. It takes the rows themselves and never waits for one, and all of a family or
 * none, so that no circle of waits arises; what another transaction holds is tried again.
 */
import { statement } from '../../platform/database/statement.ts';
import { isOfRevision } from './credential-owner-store.ts';
import { isBound } from './holder-store.ts';
import type { RevocationReason } from './revocation-reasons.ts';

/** Two revocations of many sessions come one after the other: the second one finds nothing that the first one ended. */
export const lockBulkRevocations = statement(
  'credentials.lock_bulk_revocations',
  `SELECT pg_advisory_xact_lock(hashtextextended('revocations of many sessions', 0))`,
);

/** A family of which this transaction holds live rows. */
interface HeldFamily {
  readonly sessionFamilyId: string;
  readonly credentialIds: readonly string[];
  /** Whether another transaction holds some of its live rows. */
  readonly isTorn: boolean;
}

/** Locks the live rows of families that no other transaction holds. A rotation that waits for one of them loses. */
export const lockFreeRows = statement<HeldFamily, [sessionFamilyIds: readonly string[]]>(
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

export interface EndedRow {
  readonly sessionFamilyId: string;
  /** Neither expired nor already refused by the user's credentials_revision. */
  readonly wasActive: boolean;
  /** Whether it is a secret of a machine's token, whose id is that of the family. */
  readonly isMachine: boolean;
  /** Whether it is of a client's grant that is bound to an organization. */
  readonly isBound: boolean;
}

/** Ends rows that this transaction holds. */
export const endHeldRows = statement<EndedRow, [credentialIds: readonly string[], reason: RevocationReason]>(
  'credentials.end_held_rows',
  `UPDATE credentials c SET revoked_at = now(), revocation_reason = $2
   WHERE c.id = ANY ($1::uuid[]) AND c.revoked_at IS NULL
   RETURNING c.session_family_id AS "sessionFamilyId", c.expires_at > now()
     AND ${isOfRevision} AS "wasActive", c.kind = 'machine' AS "isMachine", ${isBound} AS "isBound"`,
);

/** The locks that follow can be given up, and the transaction goes on. */
export const markLocks = statement('credentials.mark_locks', 'SAVEPOINT free_rows');

export const giveUpLocks = statement('credentials.give_up_locks', 'ROLLBACK TO SAVEPOINT free_rows');

export const keepLocks = statement('credentials.keep_locks', 'RELEASE SAVEPOINT free_rows');

/** A family that follows another one, which is its root. */
export interface OpenRow {
  readonly sessionFamilyId: string;
  readonly root: string;
}

/**
 * Families with everything that switches of organization made of them, however often. Each step reads the successors of
 * one family by their index.
 */
const reached = `WITH RECURSIVE reached (id, root, place) AS (
     SELECT f.id, f.id, 0 FROM unnest($1::uuid[]) AS f (id)
     UNION ALL
     SELECT c.id, r.root, r.place + 1 FROM reached r CROSS JOIN LATERAL (
       SELECT c.session_family_id AS id FROM credentials c
       WHERE c.succeeds_family_id = r.id AND c.kind = 'user_refresh' AND c.succeeds_family_id IS NOT NULL OFFSET 0) AS c)`;

/**
 * The families with live rows among these and their successors: a rotation or a switch of organization that came first
 * has issued what this newer snapshot shows. One in progress shows what it is about to replace. The order is that of
 * the index of live families: a plan that was made while the table was small could keep another one, and read all of it
 * for each family.
 */
export const listOpenFamilies = statement<OpenRow, [sessionFamilyIds: readonly string[]]>(
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

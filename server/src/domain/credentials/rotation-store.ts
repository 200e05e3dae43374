/** SQL that rotates a refresh token, replaces a pair whose answer was lost, and explains a failed rotation. */
import { statement } from '../../platform/database/database.ts';
import {
  type ActorPairRow,
  expiries,
  type IssuedPairRow,
  newRows,
  type PairParams,
  shareUser,
  withActor,
} from './credentials-store.ts';

/** The variable parts of a rotation: the row that it consumes, and the caller that may rotate it. */
interface Rotation {
  /** Condition on the presented pair, over its refresh row `r` and the access row `a` of the consumed pair. */
  readonly presented: string;
  /** Conditions beside being live, over the refresh row `r` and its user `u`. */
  readonly allowed: string;
  /** The query that returns the new pair, over the CTE `issued`, and the columns of its rows that it takes. */
  readonly answer: { readonly columns: string; readonly query: string };
  /** Scopes of the new access credential, over the consumed row `s`; the refresh credential keeps its own. */
  readonly accessScopes: string;
}

/** The pair that a rotation consumes, found by the presented refresh row `r`. */
interface Consumed {
  /** The name of its refresh row, and the joins that find this and its access row `a`, both live. */
  readonly refresh: string;
  readonly joins: string;
  /** Condition on `r` and its own. */
  readonly condition: string;
  /** A set of the consumed rows `c`, and a condition on them that must hold also after a wait for their lock. */
  readonly marked: string;
  readonly unchanged: string;
  /** The pair that the new one follows, over the consumed row `s`, and when the new one took the place of another. */
  readonly marks: string;
}

/** The live access row of the pair of a refresh row. By its family, whose live rows have an index. */
const accessOf = (refresh: string): string =>
  `JOIN credentials a ON a.session_family_id = ${refresh}.session_family_id AND a.kind = 'user_session'
       AND a.revoked_at IS NULL AND a.pair_id = ${refresh}.pair_id`;

/** The presented pair itself: it is used by being presented. */
const presentedItself: Consumed = {
  refresh: 'r',
  joins: accessOf('r'),
  condition: 'r.revoked_at IS NULL',
  marked: ', unused_after = NULL',
  unchanged: 'true',
  marks: 's.pair_id, NULL::timestamptz',
};

/** SQL: the family of the successor of a replaced pair `r`. */
const successorFamily = `CASE r.revocation_reason WHEN 'rotated' THEN r.session_family_id
         ELSE (SELECT f.id FROM credentials f WHERE f.succeeds_family_id = r.session_family_id AND f.kind = 'user_refresh') END`;

/** SQL: a pair `r` was replaced, so recently that the answer with its successor may have been lost. */
const mayBeLost = `r.revocation_reason IN ('rotated', 'switched_organization')
       AND r.revoked_at > now() - interval '60 seconds'`;

/** SQL: `n` is the live refresh credential of the direct successor of `r`, which was never used. */
const isUnusedSuccessor = `n.session_family_id = ${successorFamily} AND n.kind = 'user_refresh'
       AND n.revoked_at IS NULL AND n.expires_at > now() AND n.unused_after = r.pair_id`;

/**
 * The successor of the presented pair, which was never used. Its rows are marked: presented later, they are stolen.
 * @param wait for how long after it was issued the answer with it may still arrive
 */
const unusedSuccessor = (wait: '1 second' | '10 seconds'): Consumed => ({
  refresh: 'n',
  // The second attempt of a caller that does not know the outcome of the first must not replace what that issued.
  joins: `JOIN credentials n ON ${isUnusedSuccessor} AND n.id <> $3
     ${accessOf('n')}`,
  condition: `${mayBeLost} AND r.revoked_at <= now() - interval '${wait}'
       AND coalesce(n.recovered_at <= now() - interval '${wait}', true)`,
  marked: ', recovered_at = now()',
  unchanged: 'c.unused_after IS NOT NULL',
  marks: 's.unused_after, now()',
});

/**
 * Consumes a pair and issues another. The UPDATE of the pair, conditional on `revoked_at IS NULL`, decides the one
 * winner, whose refresh row feeds the INSERT. Counting both rows makes both revoked before the INSERT; one UPDATE,
 * because each further one costs a tenth of the statement.
 */
const rotation = (
  { presented, allowed, accessScopes, answer }: Rotation,
  { refresh, ...consumed }: Consumed = presentedItself,
): string =>
  `WITH presented AS MATERIALIZED (
     SELECT ${refresh}.id AS refresh_id, a.id AS access_id,
       ${shareUser('r.user_id')} AND lock_session_family(${refresh}.session_family_id) AS locked
     FROM credentials r
     ${consumed.joins}
     JOIN users u ON u.id = r.user_id AND u.credentials_revision = ${refresh}.credentials_revision
       AND u.suspended_at IS NULL
     WHERE r.token_hash = $9 AND r.kind = 'user_refresh' AND r.expires_at > now() AND ${presented} AND ${allowed}
       AND ${consumed.condition}),
   consumed AS (
     UPDATE credentials c SET revoked_at = now(), revocation_reason = 'rotated'${consumed.marked}
     FROM presented p
     WHERE p.locked AND c.id IN (p.refresh_id, p.access_id) AND c.revoked_at IS NULL AND ${consumed.unchanged}
     RETURNING c.*),
   settled AS (
     SELECT c.* FROM consumed c WHERE c.kind = 'user_refresh' AND (SELECT count(*) FROM consumed) > 0),
   issued AS (
     INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, scopes, organization_id, membership_id, expires_at, family_expires_at, issue_ip, issue_user_agent,
       last_seen_at, last_seen_ip, client_id, redirect_host, authenticated_at, second_factor_at, unused_after,
       recovered_at)
     SELECT fresh.id, fresh.token_hash, fresh.kind, s.session_family_id, $5, s.user_id, s.credentials_revision,
       s.audience, s.auth_method, CASE fresh.kind WHEN 'user_session' THEN ${accessScopes} ELSE s.scopes END,
       s.organization_id, s.membership_id, least(now() + fresh.ttl_seconds * interval '1 second', s.family_expires_at),
       s.family_expires_at, $7, $8, now(), $7, s.client_id, s.redirect_host, s.authenticated_at, s.second_factor_at,
       ${consumed.marks}
     FROM settled s CROSS JOIN ${newRows}
     RETURNING ${answer.columns})
   ${answer.query}`;

const alone = `SELECT ${expiries}, (array_agg(to_json(scopes)) FILTER (WHERE kind = 'user_session'))[1] AS "scopes"`;
const newPairAlone = { columns: 'kind, expires_at, scopes', query: `${alone} FROM issued HAVING count(*) = 2` };

const newActorPair = (hasLists: string): string =>
  withActor(`SELECT ${expiries} FROM issued HAVING count(*) = 2`, 'issued', hasLists);

/** The new pair, with the scopes of its access credential. */
export interface RotatedPairRow extends IssuedPairRow {
  readonly scopes: readonly string[];
}

const committed = 'credentials WHERE token_hash IN ($1, $2) AND revoked_at IS NULL';

/** The pair that a rotation issued, by the hashes of its tokens; no row unless it was committed and is live. */
export const findIssuedPair = statement<RotatedPairRow, [accessHash: Buffer, refreshHash: Buffer]>(
  'credentials.find_minted_pair',
  `${alone} FROM ${committed} HAVING count(*) = 2`,
);

/** The pair of {@link findIssuedPair} with the row of its actor. */
export const findActorPair = statement<ActorPairRow, [accessHash: Buffer, refreshHash: Buffer, hasLists: boolean]>(
  'credentials.find_minted_held_pair',
  `WITH issued AS (SELECT * FROM ${committed})
   ${newActorPair('$3::boolean')}`,
);

export type PresentedPair = [refreshHash: Buffer, accessHash: Buffer, audiences: readonly string[]];

/** SQL: an access token is the one that was issued with a refresh row `r`. */
const isPairedWith = (accessHash: string): string =>
  `EXISTS (SELECT 1 FROM credentials p WHERE p.token_hash = ${accessHash} AND p.kind = 'user_session'
       AND p.pair_id = r.pair_id AND p.session_family_id = r.session_family_id)`;

const ofPresentedPair = {
  presented: 'a.token_hash = $10',
  allowed: 'r.audience = ANY ($11) AND r.client_id IS NULL',
  accessScopes: 's.scopes',
} as const;

/** Rotates a pair of which both tokens are presented. */
export const rotatePair = statement<RotatedPairRow, [...PairParams, ...PresentedPair]>(
  'credentials.rotate_pair',
  rotation({ ...ofPresentedPair, answer: newPairAlone }),
);

const actorOfPair: Rotation = { ...ofPresentedPair, answer: { columns: '*', query: newActorPair('$12::boolean') } };

/** Rotates like {@link rotatePair} and returns the actor's row: a fifth more work, so only where it is requested. */
export const rotateActorPair = statement<ActorPairRow, [...PairParams, ...PresentedPair, hasLists: boolean]>(
  'credentials.rotate_pair_with_holder',
  rotation(actorOfPair),
);

/** Another pair in place of the presented one's unused successor, 10 to 60 seconds after that was issued. */
export const recoverActorPair = statement<ActorPairRow, [...PairParams, ...PresentedPair, hasLists: boolean]>(
  'credentials.recover_pair_with_holder',
  rotation({ ...actorOfPair, presented: isPairedWith('$10') }, unusedSuccessor('10 seconds')),
);

/** Scopes that a client asks for at a refresh: those of the grant where it names none. */
const askedScopes = 'coalesce($11::text[], r.scopes)';

const ofPresentedClientPair: Rotation = {
  presented: 'r.client_id = $10',
  allowed: `r.audience = ANY ($12::text[]) AND ${askedScopes} <@ r.scopes
       AND EXISTS (SELECT 1 FROM oauth_clients k WHERE k.id = r.client_id AND k.revoked_at IS NULL)
       AND CASE WHEN r.redirect_host IS NULL THEN u.is_super_admin AND ${askedScopes} && u.platform_scopes
         ELSE EXISTS (SELECT 1 FROM organization_members m
           WHERE m.id = r.membership_id AND m.user_id = r.user_id AND m.joined_at IS NOT NULL) END`,
  accessScopes: 'coalesce($11::text[], s.scopes)',
  answer: newPairAlone,
};

type PresentedClientPair = [
  refreshHash: Buffer,
  clientId: string,
  scopes: readonly string[] | null,
  audiences: readonly string[],
];

/**
 * Rotates the pair of a client that is not revoked (RFC 6749, section 6). The user must still be a super admin with a
 * requested scope, or a member of the organization. No row for scopes that were not granted.
 */
export const rotateClientPair = statement<RotatedPairRow, [...PairParams, ...PresentedClientPair]>(
  'credentials.rotate_client_pair',
  rotation(ofPresentedClientPair),
);

/** Likewise another pair in place of an unused successor, one second after it was issued: clients retry soon. */
export const recoverClientPair = statement<RotatedPairRow, [...PairParams, ...PresentedClientPair]>(
  'credentials.recover_client_pair',
  rotation(ofPresentedClientPair, unusedSuccessor('1 second')),
);

/** The state of a pair, which explains why a rotation had no winner. */
export interface PresentedPairRow {
  readonly userId: string;
  readonly sessionFamilyId: string;
  readonly scopes: readonly string[];
  readonly wasRotated: boolean;
  /** Rotated, or retired by a switch to another organization. */
  readonly wasReplaced: boolean;
  readonly replacedWithinGrace: boolean;
  /** Another pair was issued in its place before it was ever used: its first use, now, is that of a thief. */
  readonly wasReplacedUnused: boolean;
  /** It was replaced in the last minute, and its successor lives and was never used. */
  readonly hasUnusedSuccessor: boolean;
  readonly familyIsLive: boolean;
  /** Another family replaced this one; the successor may have ended since. */
  readonly hasSuccessor: boolean;
  /** It was live until its user was suspended, who still is. */
  readonly isSuspended: boolean;
}

const factsOf = (presented: string): string =>
  `SELECT r.user_id AS "userId", r.session_family_id AS "sessionFamilyId", r.scopes,
     r.revocation_reason IS NOT DISTINCT FROM 'rotated' AS "wasRotated",
     coalesce(r.revocation_reason IN ('rotated', 'switched_organization'), false) AS "wasReplaced",
     coalesce(r.revoked_at > now() - interval '10 seconds', false) AS "replacedWithinGrace",
     r.revocation_reason = 'rotated' AND r.recovered_at IS NOT DISTINCT FROM r.revoked_at AS "wasReplacedUnused",
     coalesce(${mayBeLost} AND EXISTS (SELECT 1 FROM credentials n WHERE ${isUnusedSuccessor}), false)
       AS "hasUnusedSuccessor",
     EXISTS (SELECT 1 FROM credentials s WHERE s.succeeds_family_id = r.session_family_id) AS "hasSuccessor",
     r.revocation_reason IS NOT DISTINCT FROM 'suspended' AND r.expires_at > now()
       AND EXISTS (SELECT 1 FROM users u WHERE u.id = r.user_id AND u.suspended_at IS NOT NULL) AS "isSuspended",
     EXISTS (SELECT 1 FROM credentials l JOIN users u ON u.id = l.user_id
       WHERE l.session_family_id = r.session_family_id AND l.revoked_at IS NULL AND l.kind = 'user_refresh'
         AND l.expires_at > now() AND u.credentials_revision = l.credentials_revision) AS "familyIsLive"
   FROM credentials r
   WHERE r.token_hash = $1 AND r.kind = 'user_refresh' AND ${presented}`;

/** The state of a refresh token presented with its own access token; no row for any other combination. */
export const findPresentedPair = statement<PresentedPairRow, PresentedPair>(
  'credentials.find_presented_pair',
  factsOf(`${isPairedWith('$2')} AND r.audience = ANY ($3) AND r.client_id IS NULL`),
);

/** The state of a refresh token presented by the client that it was issued to. */
export const findPresentedClientPair = statement<PresentedPairRow, [refreshHash: Buffer, clientId: string]>(
  'credentials.find_presented_client_pair',
  factsOf('r.client_id = $2'),
);

/** SQL that rotates a refresh token into a new pair, and the facts that explain why a rotation failed. */
import { statement } from '../../platform/database/statement.ts';
import {
  expiries,
  type HeldPairRow,
  type IssuedPairRow,
  newRows,
  type PairParams,
  shareUser,
  withHolder,
} from './credentials-store.ts';

/** The variable parts of a rotation: the row that it consumes, and the caller that may rotate it. */
interface Rotation {
  /** Condition on the presented pair, over its refresh row `r` and its access row `a`. */
  readonly presented: string;
  /** Conditions beside being live, over the refresh row `r` and its user `u`. */
  readonly allowed: string;
  /** The query that returns the new pair, over the CTE `minted`, and the columns of its rows that it takes. */
  readonly answer: { readonly columns: string; readonly query: string };
  /** Scopes of the new access credential, over the consumed row `s`; the refresh credential keeps its own. */
  readonly accessScopes: string;
}

/**
 * Consumes a refresh token and issues its successor in one statement. The UPDATE of the pair, conditional on
 * `revoked_at IS NULL`, decides the one winner, and only its refresh row feeds the INSERT; every other caller gets no
 * row. The pair's two rows are always revoked together; counting them makes both revoked before the new ones are
 * inserted. They are one UPDATE, because each further one costs a tenth of the statement.
 */
const rotation = ({ presented, allowed, accessScopes, answer }: Rotation): string =>
  `WITH presented AS MATERIALIZED (
     SELECT r.id AS refresh_id, a.id AS access_id,
       ${shareUser('r.user_id')} AND lock_session_family(r.session_family_id) AS locked
     FROM credentials r
     JOIN credentials a ON a.pair_id = r.pair_id AND a.session_family_id = r.session_family_id
       AND a.kind = 'user_session'
     JOIN users u ON u.id = r.user_id AND u.credentials_revision = r.credentials_revision
       AND u.suspended_at IS NULL
     WHERE r.token_hash = $9 AND r.kind = 'user_refresh' AND r.expires_at > now() AND ${presented} AND ${allowed}),
   consumed AS (
     UPDATE credentials c SET revoked_at = now(), revocation_reason = 'rotated'
     FROM presented p
     WHERE p.locked AND c.id IN (p.refresh_id, p.access_id) AND c.revoked_at IS NULL
     RETURNING c.*),
   settled AS (
     SELECT c.* FROM consumed c WHERE c.kind = 'user_refresh' AND (SELECT count(*) FROM consumed) > 0),
   minted AS (
     INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, scopes, organization_id, membership_id, expires_at, family_expires_at, issue_ip, issue_user_agent,
       last_seen_at, last_seen_ip, client_id, redirect_host, authenticated_at, second_factor_at)
     SELECT fresh.id, fresh.token_hash, fresh.kind, s.session_family_id, $5, s.user_id, s.credentials_revision,
       s.audience, s.auth_method, CASE fresh.kind WHEN 'user_session' THEN ${accessScopes} ELSE s.scopes END,
       s.organization_id, s.membership_id, least(now() + fresh.ttl_seconds * interval '1 second', s.family_expires_at),
       s.family_expires_at, $7, $8, now(), $7, s.client_id, s.redirect_host, s.authenticated_at, s.second_factor_at
     FROM settled s CROSS JOIN ${newRows}
     RETURNING ${answer.columns})
   ${answer.query}`;

const alone = `SELECT ${expiries}, (array_agg(to_json(scopes)) FILTER (WHERE kind = 'user_session'))[1] AS "scopes"`;
const newPairAlone = { columns: 'kind, expires_at, scopes', query: `${alone} FROM minted HAVING count(*) = 2` };

const held = (hasLists: string): string =>
  withHolder(`SELECT ${expiries} FROM minted HAVING count(*) = 2`, 'minted', hasLists);

/** The new pair, with the scopes of its access credential. */
interface RotatedPairRow extends IssuedPairRow {
  readonly scopes: readonly string[];
}

const committed = 'credentials WHERE token_hash IN ($1, $2) AND revoked_at IS NULL';

/**
 * The pair that a rotation issued, by the hashes of its fresh tokens; no row when it was not committed or is no longer
 * live.
 */
export const findMintedPair = statement<RotatedPairRow, [accessHash: Buffer, refreshHash: Buffer]>(
  'credentials.find_minted_pair',
  `${alone} FROM ${committed} HAVING count(*) = 2`,
);

/** The pair of {@link findMintedPair} with its holder. */
export const findMintedHeldPair = statement<HeldPairRow, [accessHash: Buffer, refreshHash: Buffer, hasLists: boolean]>(
  'credentials.find_minted_held_pair',
  `WITH minted AS (SELECT * FROM ${committed})
   ${held('$3::boolean')}`,
);

/** The hashes of both tokens of a pair, and the accepted audiences. */
export type PresentedPair = [refreshHash: Buffer, accessHash: Buffer, audiences: readonly string[]];

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

/** Rotates like {@link rotatePair} and returns the holder: a fifth more work, so only where the holder is requested. */
export const rotateHeldPair = statement<HeldPairRow, [...PairParams, ...PresentedPair, hasLists: boolean]>(
  'credentials.rotate_pair_with_holder',
  rotation({ ...ofPresentedPair, answer: { columns: '*', query: held('$12::boolean') } }),
);

/** Scopes that a client asks for at a refresh: those of the grant where it names none. */
const askedScopes = 'coalesce($11::text[], r.scopes)';

/**
 * Rotates the pair of an OAuth client that is not revoked, which presents only its refresh token (RFC 6749, section 6). Of
 * Platform MCP, the user must still be a super admin who holds one of the requested scopes; of an organization, still its member. A request
 * for a scope that was not granted gets no row.
 */
export const rotateClientPair = statement<
  RotatedPairRow,
  [...PairParams, refreshHash: Buffer, clientId: string, scopes: readonly string[] | null, audiences: readonly string[]]
>(
  'credentials.rotate_client_pair',
  rotation({
    presented: 'r.client_id = $10',
    allowed: `r.audience = ANY ($12::text[]) AND ${askedScopes} <@ r.scopes
       AND EXISTS (SELECT 1 FROM oauth_clients k WHERE k.id = r.client_id AND k.revoked_at IS NULL)
       AND CASE WHEN r.redirect_host IS NULL THEN u.is_super_admin AND ${askedScopes} && u.platform_scopes
         ELSE EXISTS (SELECT 1 FROM organization_members m
           WHERE m.id = r.membership_id AND m.user_id = r.user_id AND m.joined_at IS NOT NULL) END`,
    accessScopes: 'coalesce($11::text[], s.scopes)',
    answer: newPairAlone,
  }),
);

/** Facts that explain why a rotation had no winner. */
export interface PresentedPairRow {
  readonly userId: string;
  readonly sessionFamilyId: string;
  readonly scopes: readonly string[];
  readonly wasRotated: boolean;
  /** Rotated, or retired by a switch to another organization. */
  readonly wasReplaced: boolean;
  readonly replacedWithinGrace: boolean;
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
     EXISTS (SELECT 1 FROM credentials s WHERE s.succeeds_family_id = r.session_family_id) AS "hasSuccessor",
     r.revocation_reason IS NOT DISTINCT FROM 'suspended' AND r.expires_at > now()
       AND EXISTS (SELECT 1 FROM users u WHERE u.id = r.user_id AND u.suspended_at IS NOT NULL) AS "isSuspended",
     EXISTS (SELECT 1 FROM credentials l JOIN users u ON u.id = l.user_id
       WHERE l.session_family_id = r.session_family_id AND l.revoked_at IS NULL AND l.kind = 'user_refresh'
         AND l.expires_at > now() AND u.credentials_revision = l.credentials_revision) AS "familyIsLive"
   FROM credentials r
   JOIN credentials a ON a.pair_id = r.pair_id AND a.session_family_id = r.session_family_id AND a.kind = 'user_session'
   WHERE r.token_hash = $1 AND r.kind = 'user_refresh' AND ${presented}`;

/** The facts about a refresh token presented with its own access token; no row for any other combination. */
export const findPresentedPair = statement<PresentedPairRow, PresentedPair>(
  'credentials.find_presented_pair',
  factsOf('a.token_hash = $2 AND r.audience = ANY ($3) AND r.client_id IS NULL'),
);

/** The facts about a refresh token presented by the client that it was issued to. */
export const findPresentedClientPair = statement<PresentedPairRow, [refreshHash: Buffer, clientId: string]>(
  'credentials.find_presented_client_pair',
  factsOf('r.client_id = $2'),
);

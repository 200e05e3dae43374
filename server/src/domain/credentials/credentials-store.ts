/**
 * SQL of `credentials`, one row for each issued token: issue, locks and revocation; rotation is in `rotation-store.ts`.
 *
 * One conditional statement decides the winner of a race. A writer of a session family's rows holds
 * `lock_session_family`, so that a revocation never misses a pair that a concurrent rotation issues. It also shares the
 * lock of the family's user. A revocation of all of a user's credentials takes that user lock exclusively: one lock,
 * because the locks of thousands of families would not fit the server.
 */
import { statement } from '../../platform/database/database.ts';
import { insertSuccess } from '../sign-ins/sign-in-history.ts';
import { actorJoins, type IssuedActorRow, issuedActorColumns } from './actor-store.ts';
import { isOfRevision, wasOfRevision } from './credential-owner-store.ts';
import type { RevocationReason } from './ended-tokens.ts';

/** The lifetime of a newly issued pair. */
export interface IssuedPairRow {
  readonly accessExpiresAt: Date;
  readonly refreshExpiresAt: Date;
  /** Whole seconds until expiry, by the clock that set it (the database's). */
  readonly accessSecondsLeft: number;
  readonly refreshSecondsLeft: number;
}

/** A newly issued pair with the actor of its access credential, as the issuing statement found them. */
export type ActorPairRow = IssuedPairRow & IssuedActorRow;

/** Families and users are locked by 64-bit numbers; a different hash seed keeps the two apart. */
const lockOfUser = (user: string): string => `hashtextextended(${user}::text, 1)`;
export const shareUser = (user: string): string => `pg_advisory_xact_lock_shared(${lockOfUser(user)}) IS NOT NULL`;

export type PairParams = [
  accessId: string,
  accessHash: Buffer,
  refreshId: string,
  refreshHash: Buffer,
  pairId: string,
  accessTtlSeconds: number,
  issueIp: string | null,
  issueUserAgent: string | null,
];

/** Values shared by issue and rotation: two rows that differ in id, hash, kind and lifetime. */
export const newRows = `(VALUES ($1::uuid, $2::bytea, 'user_session', $6::integer), ($3::uuid, $4::bytea, 'user_refresh', NULL))
  AS fresh (id, token_hash, kind, ttl_seconds)`;
const expiry = (kind: 'user_session' | 'user_refresh'): string => `max(expires_at) FILTER (WHERE kind = '${kind}')`;
const secondsLeft = (instant: string): string => `greatest(0, floor(extract(epoch FROM ${instant} - now())))::integer`;
/** The columns of IssuedPairRow, aggregated over the two rows of a pair. */
export const expiries = `${expiry('user_session')} AS "accessExpiresAt", ${expiry('user_refresh')} AS "refreshExpiresAt",
  ${secondsLeft(expiry('user_session'))} AS "accessSecondsLeft",
  ${secondsLeft(expiry('user_refresh'))} AS "refreshSecondsLeft"`;

/**
 * A pair with the columns of its actor.
 * @param pair a query for one IssuedPairRow, or none
 * @param credentials the relation of the pair's rows, with all columns
 * @param hasLists as in {@link issuedActorColumns}
 */
export const withActor = (pair: string, credentials: string, hasLists: string, users?: string): string =>
  `SELECT pair.*, ${issuedActorColumns(hasLists)}
   ${actorJoins(credentials, users)} CROSS JOIN (${pair}) AS pair
   WHERE c.kind = 'user_session'`;

const snapshot = (column: 'id' | 'organization_id'): string =>
  `(SELECT m.${column} FROM organization_members m
         WHERE m.id = u.current_membership AND m.user_id = u.id AND m.joined_at IS NOT NULL)`;

/**
 * A user `u` whose row did not change while the statement waited for it: it would miss, for example, a membership that
 * was accepted meanwhile.
 * @param id the placeholder of the user's id
 */
export const unchangedWhileWaiting = (id: string): string => `u.version = (SELECT version FROM users WHERE id = ${id})`;

/** An instant of authentication: that of the succeeded family's first row, or `own` where there is none. */
const instantOfSucceeded = (column: 'authenticated_at' | 'second_factor_at', own: string): string =>
  `CASE WHEN $13::uuid IS NULL THEN ${own} ELSE (SELECT ${column} FROM credentials WHERE id = $13) END`;

/**
 * Issues the first pair of a new family, which is named after its first refresh credential, with the user's current
 * membership as its snapshot. It holds the user's row, so that it is serialized with a sign-out everywhere; a pair with
 * the earlier credentials_revision would be invalid at issue. A family that succeeds another keeps that family's
 * expiry, scopes and instants of authentication: only a sign-in starts a new lifetime.
 *
 * Returns no row when the user is gone or suspended, the address is unverified, the proven password is no longer the
 * user's, or a sign-in by password alone takes a second factor: this statement decides all five. It returns none either
 * for tokens that an earlier attempt issued, and for a user that changed while it waited; a caller that holds the row
 * already excludes that.
 *
 * The pair of a sign-in enters the history of sign-ins with it; `historyDays` is 0 for every other pair.
 */
export const issuePair = statement<
  ActorPairRow,
  [
    ...PairParams,
    userId: string,
    refreshTtlSeconds: number,
    audience: string,
    authMethod: string,
    succeededFamilyId: string | null,
    clientId: string | null,
    scopes: readonly string[],
    hasLists: boolean,
    provenPasswordHash: string | null,
    secondsSinceAuthentication: number | null,
    hasSecondFactor: boolean,
    historyDays: number,
    historyIp: string | null,
    boundOrganizationId: string | null,
    boundMembershipId: string | null,
    redirectHost: string | null,
  ]
>(
  'credentials.issue_pair',
  // The lock is on one row: joined to both new rows, it would be requested twice, and a writer could queue in between.
  `WITH owner AS MATERIALIZED (
     SELECT u.* FROM users u
     WHERE u.id = $9 AND u.email_validation_token_hash IS NULL AND u.suspended_at IS NULL
       AND ($17::text IS NULL OR (u.password_hash = $17
         AND NOT EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id)))
       AND ${unchangedWhileWaiting('$9')}
     FOR SHARE OF u),
   issued AS (
     INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, scopes, organization_id, membership_id, expires_at, family_expires_at, issue_ip, issue_user_agent,
       succeeds_family_id, client_id, redirect_host, authenticated_at, second_factor_at)
     SELECT fresh.id, fresh.token_hash, fresh.kind, $3::uuid, $5, u.id, u.credentials_revision, $11, $12,
       coalesce((SELECT scopes FROM credentials WHERE id = $13::uuid), $15::text[]),
       coalesce($22::uuid, ${snapshot('organization_id')}), coalesce($23::uuid, ${snapshot('id')}),
       least(now() + coalesce(fresh.ttl_seconds, $10) * interval '1 second', life.ends_at), life.ends_at, $7, $8, $13,
       $14, $24, ${instantOfSucceeded('authenticated_at', "now() - $18::integer * interval '1 second'")},
       ${instantOfSucceeded('second_factor_at', 'CASE WHEN $19::boolean THEN now() END')}
     FROM owner u
     CROSS JOIN (SELECT least(now() + $10::integer * interval '1 second',
       (SELECT family_expires_at FROM credentials WHERE id = $13::uuid)) AS ends_at) AS life
     CROSS JOIN ${newRows}
     ON CONFLICT (id) DO NOTHING
     RETURNING *),
   noted AS (${insertSuccess('issued', '$20', '$21')})
   ${withActor(`SELECT ${expiries} FROM issued HAVING count(*) = 2`, 'issued', '$16::boolean')}`,
);

/**
 * The first statement of a family's revocation: from here on, no rotation of the family is in flight. The user is found
 * by the family's first refresh credential, whose id is the family's, or by the token of a machine, whose id it is.
 */
export const lockFamily = statement<unknown, [sessionFamilyId: string]>(
  'credentials.lock_family',
  `SELECT ${shareUser('coalesce(c.user_id, t.user_id)')}, lock_session_family($1) FROM (SELECT 1) AS one
   LEFT JOIN credentials c ON c.id = $1
   LEFT JOIN machine_tokens t ON t.id = $1`,
);

/** The last family in the chain of successors of this one; no row when it has no successor. */
export const findLastSuccessor = statement<FamilyRow, [sessionFamilyId: string]>(
  'credentials.find_last_successor',
  `WITH RECURSIVE successors (id, place) AS (
     SELECT $1::uuid, 0
     UNION ALL
     SELECT c.session_family_id, s.place + 1 FROM successors s
     JOIN credentials c ON c.succeeds_family_id = s.id AND c.kind = 'user_refresh')
   SELECT id AS "sessionFamilyId" FROM successors WHERE place > 0 ORDER BY place DESC LIMIT 1`,
);

/** The lock for a revocation of everything that a user holds, the counterpart of {@link lockFamily}. */
export const lockUser = statement<unknown, [userId: string]>(
  'credentials.lock_user',
  `SELECT pg_advisory_xact_lock(${lockOfUser('$1')})`,
);

export interface RevocationRow {
  /** Number of credentials that were active, and their ids. */
  readonly revokedCredentials: number;
  readonly credentialIds: readonly string[];
}

/**
 * Moves `revoked_at` to an instant after the commit, from which on nothing accepted the credentials. It waits for no
 * row: a rotation that waited for the revocation locks its pair's rows one after the other, and each would wait for the
 * other.
 * @returns the number of rows that another transaction holds
 */
export const dateRevocation = statement<{ readonly held: number }, [credentialIds: readonly string[], at: Date]>(
  'credentials.date_revocation',
  `WITH undated AS (
     SELECT id FROM credentials WHERE id = ANY ($1::uuid[]) AND revoked_at IS DISTINCT FROM $2),
   free AS (
     SELECT id FROM credentials WHERE id = ANY ($1::uuid[]) AND revoked_at IS DISTINCT FROM $2
     FOR NO KEY UPDATE SKIP LOCKED),
   dated AS (
     UPDATE credentials c SET revoked_at = $2 FROM free WHERE c.id = free.id)
   SELECT ((SELECT count(*) FROM undated) - (SELECT count(*) FROM free))::integer AS held`,
);

/** The instant at which the last credential of a family or of a user was revoked; null when none was. */
export const findRevocationTime = statement<
  { readonly at: Date | null },
  [sessionFamilyId: string | null, userId: string | null]
>(
  'credentials.find_revocation_time',
  'SELECT max(revoked_at) AS at FROM credentials WHERE session_family_id = $1 OR user_id = $2',
);

/** Also with the tokens of machines that ended, and the families of grants that are bound to an organization. */
interface EndedRow extends RevocationRow {
  readonly tokenIds: readonly string[];
  readonly grantIds: readonly string[];
}

const familiesWith = (condition: string): string =>
  `coalesce(array_agg(DISTINCT session_family_id::text) FILTER (WHERE ${condition}), '{}')`;

const revocation = (wasActive: string): string =>
  `WITH revoked AS (
     UPDATE credentials c SET revoked_at = now(), revocation_reason = $2
     WHERE c.session_family_id = ANY ($1::uuid[]) AND c.revoked_at IS NULL
     RETURNING c.id, c.kind, c.session_family_id, c.redirect_host, c.expires_at > now() AND ${wasActive} AS was_active)
   SELECT count(*)::integer AS "revokedCredentials", coalesce(array_agg(id::text), '{}') AS "credentialIds",
     ${familiesWith("kind = 'machine'")} AS "tokenIds", ${familiesWith('redirect_host IS NOT NULL')} AS "grantIds"
   FROM revoked WHERE was_active`;

type Revocation = [sessionFamilyIds: readonly string[], reason: RevocationReason];

/** Counts the credentials that were active: neither expired nor already refused by the user's credentials_revision. */
export const revokeFamilies = statement<EndedRow, Revocation>('credentials.revoke_families', revocation(isOfRevision));

/** {@link revokeFamilies} after the bump of credentials_revision: those of the previous revision count as active. */
export const revokeRefusedFamilies = statement<EndedRow, Revocation>(
  'credentials.revoke_refused_families',
  revocation(wasOfRevision),
);

/** The number of a user's live personal tokens. */
export const countPersonalTokens = statement<{ readonly total: number }, [userId: string]>(
  'credentials.count_personal_tokens',
  `SELECT count(DISTINCT c.session_family_id)::integer AS total FROM credentials c
   WHERE c.user_id = $1 AND c.kind = 'machine' AND c.revoked_at IS NULL AND c.expires_at > now() AND ${isOfRevision}`,
);

/** Expires the user's unredeemed authorization codes: consent given in a session that ends now yields no pair. */
export const endUnredeemedCodes = statement<unknown, [userId: string]>(
  'credentials.end_unredeemed_codes',
  'UPDATE oauth_codes SET expires_at = now() WHERE user_id = $1 AND consumed_at IS NULL AND expires_at > now()',
);

interface FamilyRow {
  readonly sessionFamilyId: string;
}

/** The families that these tokens belong to, live or not, in the order in which all code locks several families. */
export const listFamiliesOfTokens = statement<FamilyRow, [tokenHashes: readonly string[]]>(
  'credentials.list_families_of_tokens',
  `SELECT DISTINCT session_family_id AS "sessionFamilyId" FROM credentials
   WHERE token_hash = ANY ($1::bytea[]) ORDER BY 1`,
);

/** The live families of a user, but for one that is kept, and the tokens of machines where these are. */
export const listFamiliesOfUser = statement<
  FamilyRow,
  [userId: string, keptFamilyId: string | null, keepsTokens: boolean]
>(
  'credentials.list_families_of_user',
  `SELECT DISTINCT session_family_id AS "sessionFamilyId" FROM credentials
   WHERE user_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR session_family_id <> $2)
     AND NOT ($3::boolean AND kind = 'machine')`,
);

/** Live families of a user issued in an organization, personal tokens too, in lock order. */
export const listFamiliesInOrganization = statement<FamilyRow, [userId: string, organizationId: string]>(
  'credentials.list_families_in_organization',
  `SELECT DISTINCT session_family_id AS "sessionFamilyId" FROM credentials
   WHERE user_id = $1 AND organization_id = $2 AND revoked_at IS NULL ORDER BY 1`,
);

/** The family of any user's credential, live or not. */
export const findFamilyOfCredential = statement<FamilyRow, [credentialId: string]>(
  'credentials.find_family_of_credential',
  'SELECT session_family_id AS "sessionFamilyId" FROM credentials WHERE id = $1',
);

/** Finds a family of this user's devices, live or not: not the token of a machine. */
export const findFamilyOfUser = statement<FamilyRow, [sessionFamilyId: string, userId: string]>(
  'credentials.find_family_of_user',
  `SELECT session_family_id AS "sessionFamilyId" FROM credentials
   WHERE id = $1 AND session_family_id = id AND user_id = $2 AND kind <> 'machine'`,
);

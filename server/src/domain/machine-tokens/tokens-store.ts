/** SQL of the table `machine_tokens`: a token, its secrets in `credentials`, and the lists of both. */
import { statement } from '../../platform/database/database.ts';
import { countingText, type FilteredList, microsOf, newestFirst } from '../../platform/database/filtered-list.ts';
import { shareUser } from '../credentials/credentials-store.ts';
import { keptDays, withheldSql } from '../credentials/machine-actor-store.ts';
import { type MachineTokenKind, machineAudience } from '../credentials/token.ts';
import { addressForOrganization } from '../users/users-store.ts';

export const machineTokenStatuses = ['ACTIVE', 'BLOCKED', 'EXPIRED', 'PENDING', 'REVOKED'] as const;
export type MachineTokenStatus = (typeof machineTokenStatuses)[number];

/** A token as its owner and those who manage tokens see it. It stays the same when it is rotated. */
export interface MachineTokenRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly status: MachineTokenStatus;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Null for a service token. */
  readonly userId: string | null;
  /** Null for a service token, and once the person left the organization and has another address. */
  readonly userEmail: string | null;
  /** Null for a personal token. */
  readonly serviceAccountId: string | null;
  readonly credentialId: string;
  readonly lastCharacters: string;
  readonly createdAt: Date;
  readonly createdAtMicros: string;
  readonly expiresAt: Date;
  readonly rotatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly previousSecretEndsAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastUsedIp: string | null;
  readonly isPending: boolean;
  /** How long the newest secret was given. */
  readonly lifetimeSeconds: number;
}

/** A token that ended is listed for so long. */
export const listedDays = keptDays + 7;

/** A token that has expired stays so, whatever revokes it afterwards. */
const status = `CASE WHEN c.revoked_at < c.expires_at THEN 'REVOKED' WHEN c.expires_at <= now() THEN 'EXPIRED'
    ELSE coalesce(${withheldSql}, 'ACTIVE') END`;

/** The instants of use of the secrets that are live and of those that were replaced, the last one first. */
const lastUse = `LEFT JOIN LATERAL (
     SELECT use.at, use.ip FROM (VALUES (c.last_seen_at, c.last_seen_ip), (p.last_seen_at, p.last_seen_ip),
       (t.last_used_at, t.last_used_ip)) AS use (at, ip)
     WHERE use.at IS NOT NULL ORDER BY use.at DESC LIMIT 1) AS use ON true`;

/** The secret of before the last rotation, while it is accepted. */
const previous = `LEFT JOIN LATERAL (
     SELECT x.expires_at, x.last_seen_at, x.last_seen_ip FROM credentials x
     WHERE x.session_family_id = t.id AND x.kind = 'machine' AND x.revoked_at IS NULL AND x.expires_at > now()
       AND x.id <> t.credential_id
     ORDER BY x.slot LIMIT 1) AS p ON true`;

/** @param address of the person `u` */
const columnsWith = (
  address: string,
): string => `t.id, coalesce(t.name, a.name) AS name, coalesce(t.scopes, a.scopes) AS scopes, ${status} AS status,
   o.id AS "organizationId", o.name AS "organizationName", t.user_id AS "userId", ${address} AS "userEmail",
   t.service_account_id AS "serviceAccountId", t.credential_id AS "credentialId", t.last_characters AS "lastCharacters",
   t.created_at AS "createdAt", ${microsOf('t.created_at')} AS "createdAtMicros", c.expires_at AS "expiresAt",
   t.rotated_at AS "rotatedAt", c.revoked_at AS "revokedAt", p.expires_at AS "previousSecretEndsAt",
   use.at AS "lastUsedAt", use.ip AS "lastUsedIp", t.is_pending AS "isPending", t.lifetime_seconds AS "lifetimeSeconds"`;

const columns = columnsWith(addressForOrganization('t.organization_id', 't.created_at'));

const named = `JOIN organizations o ON o.id = t.organization_id
   LEFT JOIN users u ON u.id = t.user_id
   LEFT JOIN service_accounts a ON a.id = t.service_account_id`;

const withSecret = 'JOIN credentials c ON c.id = t.credential_id';

const isListed = `coalesce(c.revoked_at, CASE WHEN c.expires_at <= now() THEN c.expires_at END, 'infinity')
     > now() - interval '${listedDays} days'`;

const joins = `FROM machine_tokens t ${withSecret} ${named} ${previous} ${lastUse}`;
/** For the person and for operators: with the address now. */
const selectTokens = `SELECT ${columnsWith('u.email')} ${joins}`;

export const findToken = statement<MachineTokenRow, [tokenId: string]>(
  'machine_tokens.find',
  `SELECT ${columns} ${joins} WHERE t.id = $1 AND ${isListed}`,
);

/** The personal tokens of a user in every organization, newest first. */
export const listTokensOfUser = statement<MachineTokenRow, [userId: string, limit: number]>(
  'machine_tokens.list_of_user',
  `${selectTokens} WHERE t.user_id = $1 AND ${isListed} ORDER BY t.created_at DESC, t.id DESC LIMIT $2`,
);

/** The newest tokens of every organization; null matches any. */
export const listTokensOfInstance = statement<
  MachineTokenRow,
  [organizationId: string | null, userId: string | null, status: MachineTokenStatus | null, limit: number]
>(
  'machine_tokens.list_of_instance',
  `${selectTokens} WHERE ${isListed} AND ($1::uuid IS NULL OR t.organization_id = $1) AND ($2::uuid IS NULL OR t.user_id = $2)
     AND ($3::text IS NULL OR ${status} = $3)
   ORDER BY t.created_at DESC, t.id DESC LIMIT $4`,
);

/** Filter of an organization's tokens; null matches any. Short names: that of a statement lists them all. */
interface TokenCriteria {
  readonly org: string;
  readonly personal: boolean | null;
  readonly account: string | null;
  readonly user: string | null;
  readonly status: MachineTokenStatus | null;
  /** Expires before this instant. */
  readonly expires: Date | null;
  /** Not used for so many days. */
  readonly unused: number | null;
}

/** A page is found by the index of the organization; what only a row's description needs is read for its rows alone. */
const conditionsOfTokens: FilteredList<MachineTokenRow, TokenCriteria>['conditions'] = [
  ['org', (id) => `t.organization_id = ${id}`],
  ['personal', (flag) => `(t.user_id IS NOT NULL) = ${flag}`],
  ['account', (id) => `t.service_account_id = ${id}`],
  ['user', (id) => `t.user_id = ${id}`],
  ['status', (value) => `${status} = ${value}`],
  ['expires', (instant) => `c.expires_at < ${instant}`],
  ['unused', (days) => `coalesce(use.at, t.created_at) < now() - ${days}::integer * interval '24 hours'`],
];

const order = newestFirst<MachineTokenRow>('t.created_at', 't.id', (row) => row.createdAtMicros);

/** The tokens of an organization, newest first. */
export const tokensOfOrganization: FilteredList<MachineTokenRow, TokenCriteria> = {
  name: (verb) => `tokens.${verb}`,
  conditions: conditionsOfTokens,
  order,
  texts: ({ fields, conditions, after, limit }) => {
    // By the token alone: one that ended 90 days ago counts until the hour in which it is deleted.
    const counted = fields.some((field) => ['status', 'expires', 'unused'].includes(field))
      ? null
      : `FROM machine_tokens t WHERE ${conditions.join(' AND ')}`;
    const source = `FROM machine_tokens t ${withSecret} JOIN organizations o ON o.id = t.organization_id
   ${fields.includes('unused') ? `${previous} ${lastUse}` : ''}
   WHERE ${[isListed, ...conditions].join(' AND ')}`;
    return {
      listing: `SELECT ${columns} FROM (
     SELECT t.* ${source} AND ${after} ORDER BY ${order.orderBy} LIMIT ${limit}) AS t
   ${withSecret} ${named} ${previous} ${lastUse} ORDER BY ${order.orderBy}`,
      counting: countingText(`SELECT ${counted ?? source}`),
    };
  },
};

// A new token, and a new secret of one.

export const insertPersonalToken = statement<
  unknown,
  [
    id: string,
    organizationId: string,
    userId: string,
    membershipId: string,
    name: string,
    scopes: readonly string[],
    isPending: boolean,
    credentialId: string,
    lastCharacters: string,
    lifetimeSeconds: number,
  ]
>(
  'machine_tokens.insert_personal',
  `INSERT INTO machine_tokens (id, organization_id, user_id, membership_id, name, scopes, is_pending, issued_to,
     credential_id, last_characters, lifetime_seconds)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $3, $8, $9, $10)`,
);

export const insertServiceToken = statement<
  unknown,
  [
    id: string,
    organizationId: string,
    serviceAccountId: string,
    issuedTo: string,
    credentialId: string,
    lastCharacters: string,
    lifetimeSeconds: number,
  ]
>(
  'machine_tokens.insert_service',
  `INSERT INTO machine_tokens (id, organization_id, service_account_id, issued_to, credential_id, last_characters,
     lifetime_seconds)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

/**
 * Inserts a secret of a token, in the slot that is free. It shares the lock of its person, so that signing out
 * everywhere misses no secret that is issued meanwhile. Affects no row when the token is gone.
 */
export const insertSecret = statement<
  unknown,
  [
    id: string,
    tokenHash: Buffer,
    tokenId: string,
    lifetimeSeconds: number,
    authMethod: MachineTokenKind,
    issueIp: string | null,
    issueUserAgent: string | null,
  ]
>(
  'machine_tokens.insert_secret',
  `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, service_account_id,
     credentials_revision, audience, auth_method, scopes, organization_id, membership_id, expires_at, family_expires_at,
     issue_ip, issue_user_agent, slot)
   SELECT $1, $2, 'machine', t.id, $1, t.user_id, t.service_account_id,
     coalesce((SELECT credentials_revision FROM users WHERE id = t.user_id), 0), '${machineAudience}', $5,
     coalesce(t.scopes, '{}'), t.organization_id, t.membership_id, now() + $4::integer * interval '1 second',
     now() + $4::integer * interval '1 second' + interval '${keptDays} days', $6, $7,
     CASE WHEN EXISTS (SELECT FROM credentials x WHERE x.session_family_id = t.id AND x.kind = 'machine'
       AND x.slot = 0 AND x.revoked_at IS NULL) THEN 1 ELSE 0 END
   FROM (SELECT t.*, ${shareUser('coalesce(t.user_id, t.service_account_id)')} AS shared FROM machine_tokens t
     WHERE t.id = $3) AS t
   WHERE t.shared`,
);

/** Live tokens of a membership, or of a service account. Secrets in overlap do not count. */
export const countLiveTokens = statement<
  { readonly live: number },
  [userId: string | null, membershipId: string | null, serviceAccountId: string | null]
>(
  'machine_tokens.count_live',
  `SELECT count(*)::integer AS live FROM machine_tokens t ${withSecret}
   WHERE ((t.user_id = $1 AND t.membership_id = $2) OR t.service_account_id = $3)
     AND c.revoked_at IS NULL AND c.expires_at > now()`,
);

// Rotation.

/** A secret that is neither revoked nor expired. */
export interface LiveSecretRow {
  readonly id: string;
  readonly isNewest: boolean;
  readonly wasUsed: boolean;
}

/** The live secrets of a token, locked until the transaction ends. Runs after the lock of the token's family. */
export const lockLiveSecrets = statement<LiveSecretRow, [tokenId: string]>(
  'machine_tokens.lock_live_secrets',
  `SELECT c.id, c.id = t.credential_id AS "isNewest", c.last_seen_at IS NOT NULL AS "wasUsed"
   FROM credentials c JOIN machine_tokens t ON t.id = c.session_family_id
   WHERE c.session_family_id = $1 AND c.kind = 'machine' AND c.revoked_at IS NULL AND c.expires_at > now()
   FOR NO KEY UPDATE OF c`,
);

/** Ends a secret that another one replaces, and every one of the token that has expired: its slot is free then. */
export const endSecrets = statement<unknown, [tokenId: string, credentialId: string | null]>(
  'machine_tokens.end_secrets',
  `UPDATE credentials SET revoked_at = now(), revocation_reason = 'rotated'
   WHERE session_family_id = $1 AND kind = 'machine' AND revoked_at IS NULL AND (id = $2 OR expires_at <= now())`,
);

/** Lets a secret live until the end of the overlap, or its own expiry if that is earlier. */
export const limitSecret = statement<unknown, [credentialId: string, seconds: number]>(
  'machine_tokens.limit_secret',
  `UPDATE credentials SET expires_at = least(expires_at, now() + $2::integer * interval '1 second') WHERE id = $1`,
);

/**
 * Makes a secret the newest of its token. The last use of those of before is kept, and whom the one that lives on was
 * shown to: the former newest one, or the one of before it, whose receiver is noted already.
 */
export const replaceSecret = statement<
  unknown,
  [
    tokenId: string,
    credentialId: string,
    lastCharacters: string,
    lifetimeSeconds: number,
    issuedTo: string,
    keptCredentialId: string | null,
  ]
>(
  'machine_tokens.replace_secret',
  `UPDATE machine_tokens t SET credential_id = $2, last_characters = $3, lifetime_seconds = $4, issued_to = $5,
     previous_issued_to = CASE WHEN $6::uuid = t.credential_id THEN t.issued_to
       WHEN $6::uuid IS NOT NULL THEN t.previous_issued_to END,
     rotated_at = now(), reminded_days = NULL, last_used_at = coalesce(used.at, t.last_used_at),
     last_used_ip = CASE WHEN used.at IS NULL THEN t.last_used_ip ELSE used.ip END
   FROM (SELECT 1) AS one
   LEFT JOIN LATERAL (
     SELECT x.last_seen_at AS at, x.last_seen_ip AS ip FROM machine_tokens y JOIN credentials x ON x.id = y.credential_id
     WHERE y.id = $1 AND x.last_seen_at IS NOT NULL AND x.last_seen_at > coalesce(y.last_used_at, '-infinity')) AS used
     ON true
   WHERE t.id = $1`,
);

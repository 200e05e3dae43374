/**
 * SQL of the actor of a machine's token: the columns that it is built from; for people, see `actor-store.ts`.
 *
 * A token is bound to its organization: the person's active membership plays no part. A personal token needs the
 * membership that it was created in, a service token its account.
 */
import { statement } from '../../platform/database/database.ts';
import type { OrganizationColumns } from '../organizations/organizations-store.ts';
import type { Role } from '../scopes/scopes.ts';
import type { RecheckRow } from './actor-store.ts';

/** As for a session, with the columns of the token and of its account. */
export interface MachineRecheckRow extends RecheckRow {
  /** Null for a personal token. */
  readonly serviceAccountVersion: number | null;
  readonly isPending: boolean;
  /** The token, where another secret of it has replaced this one; else null. */
  readonly replacedOf: string | null;
  /** Seconds since 1970: an overlap shortens the life of a secret. */
  readonly expiresAtSeconds: number;
}

/** The token, its person or account, and their organization. */
export interface MachineActorRow extends MachineRecheckRow, OrganizationColumns {
  readonly credentialId: string;
  /** Also the session family of its credentials. */
  readonly tokenId: string;
  readonly tokenName: string;
  readonly audience: string;
  readonly authMethod: string;
  /** The token's own, or those of its account now. */
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Null for a service token, like all that only a person has. */
  readonly userId: string | null;
  readonly email: string | null;
  readonly userName: string | null;
  readonly language: string | null;
  readonly emailValidatedAt: Date | null;
  readonly membershipId: string | null;
  readonly role: Role | null;
  /** Null for a personal token. */
  readonly serviceAccountId: string | null;
  /** Why the organization does not accept the token now, whatever the address; null where it does. */
  readonly withheld: Withheld | null;
  /** CIDRs that the organization accepts its tokens from; none is any. */
  readonly networks: readonly string[];
}

export const personalTokenPolicies = ['ALLOWED', 'APPROVAL', 'FORBIDDEN'] as const;
export type PersonalTokenPolicy = (typeof personalTokenPolicies)[number];

/**
 * From the expiry that a secret was given to the `family_expires_at` of its row. With the week that every credential is
 * kept after that, the row stays for 90 days: as long as its token is listed.
 */
export const keptDays = 83;

/**
 * Why an organization does not accept a token: its deletion waits, its policy forbids the kind, the token was given a
 * longer life than the policy allows, or a person has to approve it first. The first that applies.
 */
export type Withheld = 'DELETED' | 'KIND_FORBIDDEN' | 'LIFE_TOO_LONG' | 'PENDING';

// SQL of a token `t` with a secret `c` in an organization `o`; the one rule for requests and lists.

const isDeleted = 'o.deletes_at IS NOT NULL';
const isForbidden = `(t.user_id IS NOT NULL AND o.personal_tokens = 'FORBIDDEN')`;
/** By the life that its secret was given, not by what is left of it or of an overlap. */
const isTooLong = `c.family_expires_at - interval '${keptDays} days' - c.issued_at
      > o.max_token_lifetime_days * interval '24 hours'`;
/** It waits for a decision only while the policy asks for one. */
const isWaiting = `(t.is_pending AND o.personal_tokens = 'APPROVAL')`;

/** {@link Withheld}, or null. */
const withheldReasonSql = `CASE WHEN ${isDeleted} THEN 'DELETED' WHEN ${isForbidden} THEN 'KIND_FORBIDDEN'
    WHEN ${isTooLong} THEN 'LIFE_TOO_LONG' WHEN ${isWaiting} THEN 'PENDING' END`;

/** The status of a token that is not accepted: `PENDING` for one that waits, else `BLOCKED`; null if accepted. */
export const withheldSql = `CASE WHEN ${isDeleted} OR ${isForbidden} OR ${isTooLong} THEN 'BLOCKED'
    WHEN ${isWaiting} THEN 'PENDING' END`;

/** Whether the person of a personal token has a second factor now; no service account is asked for one. */
const hasSecondFactor = `c.user_id IS NULL OR (o.require_second_factor AND (
    EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = c.user_id)
    OR EXISTS (SELECT 1 FROM totp_secrets x WHERE x.user_id = c.user_id)))`;

const columns = `encode(c.token_hash, 'hex') AS "tokenHash",
  c.revoked_at IS NOT NULL OR CASE WHEN c.user_id IS NULL THEN a.id IS NULL
    ELSE m.id IS NULL OR c.credentials_revision <> u.credentials_revision OR u.suspended_at IS NOT NULL END AS revoked,
  c.expires_at <= now() AS expired, false AS "isUnused",
  ${hasSecondFactor} AS "hasSecondFactor",
  u.version AS "userVersion", m.version AS "membershipVersion", o.version AS "organizationVersion",
  a.version AS "serviceAccountVersion", t.is_pending AS "isPending",
  CASE WHEN c.id <> t.credential_id THEN t.id END AS "replacedOf",
  extract(epoch FROM c.expires_at)::integer AS "expiresAtSeconds"`;

const joins = `FROM credentials c
  JOIN machine_tokens t ON t.id = c.session_family_id
  JOIN organizations o ON o.id = t.organization_id
  LEFT JOIN users u ON u.id = c.user_id
  LEFT JOIN organization_members m ON m.id = c.membership_id AND m.user_id = c.user_id AND m.joined_at IS NOT NULL
  LEFT JOIN service_accounts a ON a.id = c.service_account_id AND a.deleted_at IS NULL`;

const actorColumns = `${columns}, c.id AS "credentialId", t.id AS "tokenId", coalesce(t.name, a.name) AS "tokenName",
  c.audience, c.auth_method AS "authMethod", coalesce(t.scopes, a.scopes) AS scopes,
  c.issued_at AS "issuedAt", c.expires_at AS "expiresAt", u.id AS "userId", u.email, u.name AS "userName", u.language,
  u.email_validated_at AS "emailValidatedAt", m.id AS "membershipId", m.role, a.id AS "serviceAccountId",
  o.id AS "organizationId", o.name AS "organizationName", o.deletes_at AS "deletesAt",
  o.require_second_factor AS "requireSecondFactor", s.status AS "subscriptionStatus", s.product,
  s.current_period_ends_at AS "currentPeriodEndsAt", ${withheldReasonSql} AS withheld,
  o.token_networks AS networks`;

const actorJoins = `${joins} LEFT JOIN subscriptions s ON s.organization_id = o.id`;

const byHash = `WHERE c.token_hash = ANY ($1::bytea[]) AND c.kind = 'machine'`;

/** @param hashes an array literal of hex bytea, as for sessions */
export const recheckMachines = statement<MachineRecheckRow, [hashes: string]>(
  'access.recheck_machines',
  `SELECT ${columns} ${joins} ${byHash}`,
);

/** As {@link recheckMachines}. */
export const loadMachines = statement<MachineActorRow, [hashes: string]>(
  'access.load_machines',
  `SELECT ${actorColumns} ${actorJoins} ${byHash}`,
);

/** The machine now, read within the transaction of an operation. */
export const findMachine = statement<MachineActorRow, [credentialId: string]>(
  'access.find_machine',
  `SELECT ${actorColumns} ${actorJoins} WHERE c.id = $1 AND c.kind = 'machine'`,
);

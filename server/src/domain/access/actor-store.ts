/**
 * SQL of authentication: the actor behind a token hash, and the re-check that every request makes.
 *
 * Both take their hashes as one array (an array literal of bytea in hex, see `hashArray`), so that the requests of one
 * turn of the event loop share one statement.
 */
import { statement } from '../../platform/database/statement.ts';
import type { Role, SubscriptionStatus } from '../scopes/scopes.ts';

/** What may change from one request to the next, read from durable storage every time. */
export interface RecheckRow {
  /** SHA-256 in hex. */
  readonly tokenHash: string;
  readonly revoked: boolean;
  readonly expired: boolean;
  /** Versions of the rows that the actor was built from; null where there is no such row. */
  readonly userVersion: number;
  readonly membershipVersion: number | null;
  readonly organizationVersion: number | null;
}

export interface ActorRow extends RecheckRow {
  readonly credentialId: string;
  readonly sessionFamilyId: string;
  readonly audience: string;
  readonly authMethod: string;
  readonly scopes: readonly string[];
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly expiresAt: Date;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly emailValidatedAt: Date | null;
  readonly isSuperAdmin: boolean;
  readonly platformScopes: readonly string[];
  readonly hasPassword: boolean;
  readonly hasExternalIdentity: boolean;
  readonly membershipId: string | null;
  readonly role: Role | null;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
}

const recheckColumns = `encode(c.token_hash, 'hex') AS "tokenHash",
  c.revoked_at IS NOT NULL OR c.credentials_revision <> u.credentials_revision AS revoked,
  c.expires_at <= now() AS expired,
  u.version AS "userVersion", m.version AS "membershipVersion", o.version AS "organizationVersion"`;

const joins = `FROM credentials c
  JOIN users u ON u.id = c.user_id
  LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id AND m.joined_at IS NOT NULL
  LEFT JOIN organizations o ON o.id = m.organization_id`;

const condition = `WHERE c.token_hash = ANY ($1::bytea[]) AND c.kind = 'user_session'`;

export const recheckCredentials = statement<RecheckRow, [hashes: string]>(
  'access.recheck_credentials',
  `SELECT ${recheckColumns} ${joins} ${condition}`,
);

export const loadActors = statement<ActorRow, [hashes: string]>(
  'access.load_actors',
  `SELECT ${recheckColumns}, c.id AS "credentialId", c.session_family_id AS "sessionFamilyId", c.audience,
     c.auth_method AS "authMethod", c.scopes, c.client_id AS "clientId", k.name AS "clientName",
     c.expires_at AS "expiresAt", u.id AS "userId", u.email, u.name,
     u.email_validated_at AS "emailValidatedAt", u.is_super_admin AS "isSuperAdmin",
     u.platform_scopes AS "platformScopes", u.password_hash IS NOT NULL AS "hasPassword",
     EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id) AS "hasExternalIdentity",
     m.id AS "membershipId", m.role, o.id AS "organizationId", o.name AS "organizationName",
     s.status AS "subscriptionStatus", s.product, s.current_period_ends_at AS "currentPeriodEndsAt"
   ${joins}
   LEFT JOIN subscriptions s ON s.organization_id = o.id
   LEFT JOIN oauth_clients k ON k.id = c.client_id
   ${condition}`,
);

/** A PostgreSQL array literal of bytea values given in hex. */
export const hashArray = (hashes: readonly string[]): string => `{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`;

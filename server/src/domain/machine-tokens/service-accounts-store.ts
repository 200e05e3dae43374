/** SQL of the table `service_accounts`. */
import { statement } from '../../platform/database/database.ts';
import { addressForOrganization } from '../users/users-store.ts';

/** A service account as those who manage tokens see it. */
export interface ServiceAccountRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** Null once that person is gone, or left and has another address. */
  readonly createdByEmail: string | null;
  readonly lastUsedAt: Date | null;
  readonly liveTokens: number;
}

const columns = `a.id, a.organization_id AS "organizationId", a.name, a.description, a.scopes, a.created_at AS "createdAt",
   ${addressForOrganization('a.organization_id', 'a.created_at')} AS "createdByEmail", tokens."lastUsedAt", coalesce(tokens.live, 0) AS "liveTokens"`;

const joins = `FROM service_accounts a
   LEFT JOIN users u ON u.id = a.created_by
   LEFT JOIN LATERAL (
     SELECT max(greatest(c.last_seen_at, t.last_used_at, p.last_seen_at)) AS "lastUsedAt",
       (count(*) FILTER (WHERE c.revoked_at IS NULL AND c.expires_at > now()))::integer AS live
     FROM machine_tokens t
     JOIN credentials c ON c.id = t.credential_id
     LEFT JOIN credentials p ON p.session_family_id = t.id AND p.kind = 'machine' AND p.revoked_at IS NULL
       AND p.id <> t.credential_id
     WHERE t.service_account_id = a.id) AS tokens ON true`;

/** The accounts of an organization that are not deleted, by name. */
export const listServiceAccounts = statement<ServiceAccountRow, [organizationId: string]>(
  'service_accounts.list',
  `SELECT ${columns} ${joins} WHERE a.organization_id = $1 AND a.deleted_at IS NULL ORDER BY lower(a.name), a.id`,
);

/** An account of this organization that is not deleted. */
export const findServiceAccount = statement<ServiceAccountRow, [id: string, organizationId: string]>(
  'service_accounts.find',
  `SELECT ${columns} ${joins} WHERE a.id = $1 AND a.organization_id = $2 AND a.deleted_at IS NULL`,
);

/** Accounts by their ids, deleted ones too. */
export const listServiceAccountsByIds = statement<ServiceAccountRow, [ids: readonly string[]]>(
  'service_accounts.list_by_ids',
  `SELECT ${columns} ${joins} WHERE a.id = ANY ($1::uuid[])`,
);

export const countServiceAccounts = statement<{ readonly total: number }, [organizationId: string]>(
  'service_accounts.count',
  'SELECT count(*)::integer AS total FROM service_accounts WHERE organization_id = $1 AND deleted_at IS NULL',
);

export const insertServiceAccount = statement<
  unknown,
  [id: string, organizationId: string, name: string, description: string, scopes: readonly string[], createdBy: string]
>(
  'service_accounts.insert',
  `INSERT INTO service_accounts (id, organization_id, name, description, scopes, created_by)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);

export const updateServiceAccountRow = statement<
  unknown,
  [id: string, name: string, description: string, scopes: readonly string[]]
>(
  'service_accounts.update',
  `UPDATE service_accounts SET name = $2, description = $3, scopes = $4
   WHERE id = $1 AND (name, description, scopes) IS DISTINCT FROM ($2, $3, $4::text[])`,
);

export const markServiceAccountDeleted = statement<unknown, [id: string]>(
  'service_accounts.mark_deleted',
  'UPDATE service_accounts SET deleted_at = now() WHERE id = $1 AND deleted_at IS NULL',
);

/** The tokens of an account that are live, in the order in which all code locks several families. */
export const listLiveTokensOfAccount = statement<{ readonly tokenId: string }, [serviceAccountId: string]>(
  'service_accounts.list_live_tokens',
  `SELECT t.id AS "tokenId" FROM machine_tokens t JOIN credentials c ON c.id = t.credential_id
   WHERE t.service_account_id = $1 AND c.revoked_at IS NULL ORDER BY 1`,
);

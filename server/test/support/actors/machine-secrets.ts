/** Tokens of machines as rows, for tests of what lists and ends them: no operation creates them here. */
import { hashToken, newToken } from '../../../src/domain/credentials/token.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Stored, Tenant } from './tenants.ts';

export interface StoredMachine {
  /** Also the session family of its secrets. */
  readonly tokenId: string;
  readonly name: string;
  /** The person's id, or the service account's. */
  readonly ownerId: string;
  readonly email: string;
  readonly secret: string;
  readonly credentialId: string;
}

interface Options {
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly days?: number;
}

type Owned = Pick<Tenant, 'userId' | 'organizationId' | 'memberId' | 'email'>;

const lastOf = (secret: string): string => secret.slice(-4);

const insertSecret = `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, service_account_id,
   credentials_revision, audience, auth_method, scopes, organization_id, membership_id, issue_ip, issue_user_agent, slot,
   issued_at, expires_at, family_expires_at)
 SELECT $2, $3, 'machine', t.id, t.id, t.user_id, t.service_account_id,
   coalesce((SELECT credentials_revision FROM users WHERE id = t.user_id), 0), 'api',
   CASE WHEN t.user_id IS NULL THEN 'service_token' ELSE 'personal_token' END, coalesce(t.scopes, '{}'),
   t.organization_id, t.membership_id, '192.0.2.77', 'machine-tests/1', $4, now(), now() + $5 * interval '1 day',
   now() + ($5 + 83) * interval '1 day' FROM machine_tokens t WHERE t.id = $1`;

/** A personal token of a membership. */
export const storePersonalToken = async (
  service: Stored,
  { userId, organizationId, memberId, email }: Owned,
  { name = 'Backup of the wiki', scopes = ['MEMBERS_VIEW'], days = 90 }: Options = {},
): Promise<StoredMachine> => {
  const [tokenId, credentialId, secret] = [newId(), newId(), newToken('personal_token')];
  await service.sql(
    `INSERT INTO machine_tokens (id, organization_id, user_id, membership_id, name, scopes, issued_to, credential_id,
       last_characters, lifetime_seconds)
     VALUES ($1, $2, $3, $4, $5, $6, $3, $7, $8, $9)`,
    [tokenId, organizationId, userId, memberId, name, scopes, credentialId, lastOf(secret), days * 86_400],
  );
  await service.sql(insertSecret, [tokenId, credentialId, hashToken(secret), 0, days]);
  return { tokenId, name, ownerId: userId, email, secret, credentialId };
};

/** A service account of an organization with a token. */
export const storeServiceToken = async (
  service: Stored,
  { userId, organizationId }: Owned,
  { name = 'Deployment', scopes = ['MEMBERS_VIEW'], days = 366 }: Options = {},
): Promise<StoredMachine> => {
  const [accountId, tokenId, credentialId, secret] = [newId(), newId(), newId(), newToken('service_token')];
  await service.sql(
    `INSERT INTO service_accounts (id, organization_id, name, description, scopes, created_by)
     VALUES ($1, $2, $3, '', $4, $5)`,
    [accountId, organizationId, name, scopes, userId],
  );
  await service.sql(
    `INSERT INTO machine_tokens (id, organization_id, service_account_id, issued_to, credential_id, last_characters,
       lifetime_seconds)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [tokenId, organizationId, accountId, userId, credentialId, lastOf(secret), days * 86_400],
  );
  await service.sql(insertSecret, [tokenId, credentialId, hashToken(secret), 0, days]);
  const email = `${accountId}@service-account.invalid`;
  return { tokenId, name, ownerId: accountId, email, secret, credentialId };
};

/** A second secret, as a rotation issues it: the first one lives on. Returns the token with the newer secret. */
export const storeNextSecret = async (service: Stored, machine: StoredMachine): Promise<StoredMachine> => {
  const kind = machine.email.endsWith('.invalid') ? 'service_token' : 'personal_token';
  const [credentialId, secret] = [newId(), newToken(kind)];
  await service.sql(insertSecret, [machine.tokenId, credentialId, hashToken(secret), 1, 90]);
  await service.sql(
    'UPDATE machine_tokens SET credential_id = $2, last_characters = $3, rotated_at = now() WHERE id = $1',
    [machine.tokenId, credentialId, lastOf(secret)],
  );
  return { ...machine, credentialId, secret };
};

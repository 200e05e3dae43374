/** Tokens of machines as their operations store them, by SQL alone: any state that a test needs, without a sign-in. */
import { newToken } from '../../../../src/domain/credentials/token.ts';
import { newId } from '../../../../src/kernel/ids.ts';
import { sha256 } from '../../../../src/kernel/secrets.ts';
import { type Answer, operations, post, type Variables } from '../../clients/clients.ts';
import type { Service } from '../../gatehouse/gatehouse.ts';
import type { Tenant } from '../tenants.ts';

/** A token with one secret. */
export interface Machine {
  readonly token: string;
  /** Also the session family of its secrets. */
  readonly tokenId: string;
  readonly credentialId: string;
}

export interface ServiceMachine extends Machine {
  readonly accountId: string;
}

type Stored = Pick<Service, 'sql'>;

const day = 86_400;

interface TokenOptions {
  readonly scopes?: readonly string[];
  readonly lifetimeSeconds?: number;
  readonly isPending?: boolean;
}

const insertSecret = `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, service_account_id,
    credentials_revision, audience, auth_method, organization_id, membership_id, expires_at, family_expires_at)
  SELECT t.credential_id, $2, 'machine', t.id, t.credential_id, t.user_id, t.service_account_id,
    coalesce(u.credentials_revision, 0), 'api', $3, t.organization_id, t.membership_id,
    now() + t.lifetime_seconds * interval '1 second', now() + t.lifetime_seconds * interval '1 second' + interval '83 days'
  FROM machine_tokens t LEFT JOIN users u ON u.id = t.user_id WHERE t.id = $1`;

/** A personal token of this membership. */
export const newPersonalToken = async (
  { sql }: Stored,
  { userId, organizationId, memberId }: Pick<Tenant, 'userId' | 'organizationId' | 'memberId'>,
  { scopes = ['MEMBERS_VIEW'], lifetimeSeconds = 30 * day, isPending = false }: TokenOptions = {},
): Promise<Machine> => {
  const machine = { token: newToken('personal_token'), tokenId: newId(), credentialId: newId() };
  // It waits only while the organization asks for a decision.
  if (isPending) await sql(`UPDATE organizations SET personal_tokens = 'APPROVAL' WHERE id = $1`, [organizationId]);
  await sql(
    `INSERT INTO machine_tokens (id, organization_id, user_id, membership_id, name, scopes, is_pending, issued_to,
       credential_id, last_characters, lifetime_seconds)
     VALUES ($1, $2, $3, $4, 'Nightly report', $5, $6, $3, $7, $8, $9)`,
    [
      machine.tokenId,
      organizationId,
      userId,
      memberId,
      scopes,
      isPending,
      machine.credentialId,
      machine.token.slice(-4),
      lifetimeSeconds,
    ],
  );
  await sql(insertSecret, [machine.tokenId, sha256(machine.token), 'personal_token']);
  return machine;
};

/** A service account of this person's organization, with one token. */
export const newServiceToken = async (
  { sql }: Stored,
  { userId, organizationId }: Pick<Tenant, 'userId' | 'organizationId'>,
  { scopes = ['MEMBERS_VIEW'], lifetimeSeconds = 30 * day }: TokenOptions = {},
): Promise<ServiceMachine> => {
  const accountId = newId();
  const machine = { token: newToken('service_token'), tokenId: newId(), credentialId: newId(), accountId };
  await sql(
    `INSERT INTO service_accounts (id, organization_id, name, description, scopes, created_by)
     VALUES ($1, $2, 'Importer', 'Imports contacts', $3, $4)`,
    [accountId, organizationId, scopes, userId],
  );
  await sql(
    `INSERT INTO machine_tokens (id, organization_id, service_account_id, issued_to, credential_id, last_characters,
       lifetime_seconds)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      machine.tokenId,
      organizationId,
      accountId,
      userId,
      machine.credentialId,
      machine.token.slice(-4),
      lifetimeSeconds,
    ],
  );
  await sql(insertSecret, [machine.tokenId, sha256(machine.token), 'service_token']);
  return machine;
};

/** A request with the token of a machine; by default it asks who acts. */
export const runByToken = (
  { url }: Pick<Service, 'url'>,
  { token }: Pick<Machine, 'token'>,
  query: string = operations.actor,
  variables: Variables = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => post(url, query, variables, { ...headers, authorization: `Bearer ${token}` });

export interface ShownActor {
  readonly credentialId: string;
  readonly email: string | null;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly organization: { readonly id: string; readonly name: string } | null;
  readonly role: string | null;
  readonly scopes: readonly string[];
}

/** @throws Error: the answer is a refusal */
export const actorIn = ({ text }: Pick<Answer, 'text'>): ShownActor => {
  const { data } = JSON.parse(text) as { readonly data: { readonly actor: ShownActor } | null };
  if (data === null || data.actor === null) throw new Error(`No actor: ${text}`);
  return data.actor;
};

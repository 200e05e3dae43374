/**
 * Tokens of machines with what lists show of them: whose they are, a name, a network, and a secret that replaces
 * another.
 */
import { hashToken, newToken } from '../../../../src/domain/credentials/token.ts';
import { newId } from '../../../../src/kernel/ids.ts';
import type { Stored, Tenant } from '../tenants.ts';
import { type Machine, newPersonalToken, newServiceToken } from './machines.ts';

export interface StoredMachine {
  /** Also the session family of its secrets. */
  readonly tokenId: string;
  /** The person's id, or the service account's. */
  readonly ownerId: string;
  readonly email: string;
  readonly secret: string;
  readonly credentialId: string;
}

interface Options {
  readonly name?: string;
}

const asIssued = async (service: Stored, { token, tokenId, credentialId }: Machine) => {
  await service.sql(
    `UPDATE credentials SET issue_ip = '192.0.2.77', issue_user_agent = 'machine-tests/1',
       scopes = coalesce((SELECT scopes FROM machine_tokens t WHERE t.id = session_family_id), '{}') WHERE id = $1`,
    [credentialId],
  );
  return { secret: token, tokenId, credentialId };
};

/** A personal token of a membership. */
export const storePersonalToken = async (
  service: Stored,
  person: Pick<Tenant, 'userId' | 'organizationId' | 'memberId' | 'email'>,
  { name = 'Backup of the wiki' }: Options = {},
): Promise<StoredMachine> => {
  const machine = await newPersonalToken(service, person);
  await service.sql('UPDATE machine_tokens SET name = $2 WHERE id = $1', [machine.tokenId, name]);
  return { ...(await asIssued(service, machine)), ownerId: person.userId, email: person.email };
};

/** A service account of an organization with a token. */
export const storeServiceToken = async (
  service: Stored,
  person: Pick<Tenant, 'userId' | 'organizationId'>,
  { name = 'Deployment' }: Options = {},
): Promise<StoredMachine> => {
  const machine = await newServiceToken(service, person);
  const { accountId } = machine;
  await service.sql('UPDATE service_accounts SET name = $2 WHERE id = $1', [accountId, name]);
  const email = `${accountId}@service-account.invalid`;
  return { ...(await asIssued(service, machine)), ownerId: accountId, email };
};

/** A second secret, as a rotation issues it: the first one lives on. Returns the token with the newer secret. */
export const storeNextSecret = async (service: Stored, machine: StoredMachine): Promise<StoredMachine> => {
  const kind = machine.email.endsWith('.invalid') ? 'service_token' : 'personal_token';
  const [credentialId, secret] = [newId(), newToken(kind)];
  await service.sql(
    `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, service_account_id,
       credentials_revision, audience, auth_method, scopes, organization_id, membership_id, issue_ip, issue_user_agent,
       slot, expires_at, family_expires_at)
     SELECT $2, $3, kind, session_family_id, $2, user_id, service_account_id, credentials_revision, audience, auth_method,
       scopes, organization_id, membership_id, issue_ip, issue_user_agent, 1, expires_at + interval '1 day',
       family_expires_at + interval '1 day'
     FROM credentials WHERE id = $1`,
    [machine.credentialId, credentialId, hashToken(secret)],
  );
  await service.sql(
    'UPDATE machine_tokens SET credential_id = $2, last_characters = $3, rotated_at = now() WHERE id = $1',
    [machine.tokenId, credentialId, secret.slice(-4)],
  );
  return { ...machine, credentialId, secret };
};

/** Initial state of the random tests: a service with secrets, and people of every kind with data to lose. */
import { vTokenOf } from '../../../src/domain/invitations/invite-member.ts';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import type { AddedRoutes } from '../../../src/gatehouse.d.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Keyring, randomHex, sha256 } from '../../../src/kernel/secrets.ts';
import { addTo, newOwner, newSuperAdmin, type Tenant } from '../actors/tenants.ts';
import { type McpClient, newMcpClient } from '../clients/mcp.ts';
import { connectToOrganization } from '../clients/organization-mcp.ts';
import { type Service, startService } from '../gatehouse/gatehouse.ts';
import { secretSettings } from './fuzz.ts';

export interface FuzzWorld {
  readonly service: Service;
  readonly owner: Tenant;
  /** Of the owner's organization too. */
  readonly member: Tenant;
  /** Invited to the owner's organization after each `refill`. */
  readonly outsider: Tenant;
  /** The same, without a password; the address is not confirmed. */
  readonly newcomer: Tenant;
  readonly superAdmin: Tenant;
  /** Granted all scopes by the super admin. */
  readonly client: McpClient;
  /** Connected by the owner to their organization, with all scopes of its tools. */
  readonly organizationClient: McpClient;
  /** Existing ids, for arguments that take one. */
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  /** Raw secrets of invitations and confirmations that are open after each `refill`. */
  readonly links: { readonly invitations: readonly string[]; readonly validation: string };
  /** Fields that the preview shows to a person with an invitation link, and to no one else. */
  readonly vTokens: readonly string[];
  /** Working tokens: those of the owner and of the clients. */
  readonly credentials: readonly string[];
  refill(): Promise<void>;
}

/** @param environment on top of the secret settings; @param added routes of the embedding application */
export const startFuzzWorld = async (
  environment: Readonly<Record<string, string>> = {},
  added: AddedRoutes = {},
): Promise<FuzzWorld> => {
  const service = await startService({ ...secretSettings, ...environment }, 'none', added);
  const [owner, member] = [await newOwner(service), await newOwner(service)];
  const [outsider, newcomer] = [await newOwner(service), await newOwner(service)];
  const superAdmin = await newSuperAdmin(service);
  const client = await newMcpClient(service, platformScopes, superAdmin);
  const organizationClient = await connectToOrganization(service, owner);
  const joined = await addTo(service, member.userId, owner.organizationId);
  const invitations = [outsider, newcomer].map(({ userId, email }) => ({
    userId,
    email,
    memberId: newId(),
    token: newId(),
  }));
  const validation = randomHex(32);
  const people = [owner, member, outsider, newcomer, superAdmin];
  const keyring = new Keyring(service.config.secrets);
  const refill = async (): Promise<void> => {
    // An operation may have suspended a person, who would get no session.
    await service.sql(
      `WITH ended AS (UPDATE suspensions SET reinstated_at = now() WHERE reinstated_at IS NULL)
       UPDATE users SET suspended_at = NULL WHERE suspended_at IS NOT NULL`,
    );
    await service.sql(
      `DELETE FROM organization_members WHERE organization_id = $1
       AND user_id IN (SELECT id FROM users WHERE email = ANY ($2))`,
      [owner.organizationId, invitations.map(({ email }) => email)],
    );
    await service.sql(
      `WITH opened AS (
         INSERT INTO organization_members (id, user_id, organization_id, role, invitation_token_hash,
           invitation_expires_at)
         SELECT i.id, u.id, $7::uuid, 'MEMBER', i.hash, now() + interval '7 days'
         FROM (VALUES ($1::uuid, $2::uuid, $3::bytea), ($4, $5, $6)) AS i (id, user_id, hash)
         -- An operation may have deleted the account.
         JOIN users u ON u.id = i.user_id)
       UPDATE users SET password_hash = NULL, email_validated_at = NULL, email_validation_token_hash = $8,
         email_validation_expires_at = now() + interval '1 day' WHERE id = $5`,
      [
        ...invitations.flatMap(({ memberId, userId, token }) => [memberId, userId, sha256(token)]),
        owner.organizationId,
        sha256(validation),
      ],
    );
  };
  await refill();
  const rows = await service.sql.column<string>(
    'SELECT id FROM credentials UNION SELECT session_family_id FROM credentials',
  );
  return {
    service,
    owner,
    member,
    outsider,
    newcomer,
    superAdmin,
    client,
    organizationClient,
    ids: [
      ...people.flatMap(({ userId, organizationId, memberId }) => [userId, organizationId, memberId]),
      ...invitations.map(({ memberId }) => memberId),
      ...rows.toSorted(),
      joined,
      client.clientId,
      organizationClient.clientId,
    ],
    emails: people.map(({ email }) => email),
    links: { invitations: invitations.map(({ token }) => token), validation },
    vTokens: invitations.map(({ token }) => vTokenOf(keyring, token)),
    credentials: [owner, client, organizationClient].flatMap(({ tokens }) => [tokens.accessToken, tokens.refreshToken]),
    refill,
  };
};

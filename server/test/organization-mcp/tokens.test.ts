/** Which tokens POST /mcp/organization takes, and where those of its own are refused: one audience, one place. */
import { describe, expect, it } from 'vitest';
import { newPersonalToken, newServiceToken } from '../support/actors/machines/machines.ts';
import { newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { bearer, operations } from '../support/clients/clients.ts';
import { callTool, errorCodeOf, type McpClient, newMcpClient, send } from '../support/clients/mcp.ts';
import { connectToOrganization, organizationPath } from '../support/clients/organization-mcp.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const resource = 'https://mcp.acme.example/mcp';
const service = serviceFixture({}, 'none', {
  application: { resources: { notes: { url: resource, scopes: ['MEMBERS_VIEW'] } } },
});

const at = ({ tokens }: Pick<McpClient, 'tokens'>, path: string) => ({ tokens, path });

const refusedAt = async (client: Pick<McpClient, 'tokens'>, path: string): Promise<void> => {
  const answer = await expectNothingStored(service, () =>
    send(service, at(client, path), { id: 1, method: 'tools/list' }),
  );
  expect([answer.status, errorCodeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
};

const withToken = (token: string) => ({ tokens: { accessToken: token, refreshToken: '' } });

describe('POST /mcp/organization', () => {
  it('refuses tokens of the portal and the API', async () => {
    await refusedAt(await newOwner(service), organizationPath);
  });

  // Contract: organization-mcp#audiences-of-their-own — A token of Platform MCP is refused at /mcp/organization
  it('refuses those of Platform MCP, of super admins too', async () => {
    await refusedAt(await newMcpClient(service), organizationPath);
  });

  // Contract: organization-mcp#audiences-of-their-own — A token for a resource of the application is refused at both
  //   endpoints of MCP
  it('refuses those of a resource of the application', async () => {
    const client = await connectToOrganization(service, undefined, { scopes: ['MEMBERS_VIEW'], audience: resource });
    await refusedAt(client, organizationPath);
    await refusedAt(client, '/mcp');
  });

  it('refuses those of machines', async () => {
    const owner = await newOwner(service);
    for (const machine of [newPersonalToken, newServiceToken]) {
      await refusedAt(withToken((await machine(service, owner)).token), organizationPath);
    }
  });

  it('refuses its own refresh tokens', async () => {
    const { tokens } = await connectToOrganization(service);
    await refusedAt(withToken(tokens.refreshToken), organizationPath);
  });
});

describe('A token for an organization', () => {
  const connected = async (person?: Tenant) => connectToOrganization(service, person);

  // Contract: organization-mcp#audiences-of-their-own — A token for an organization is refused at Platform MCP
  it('is refused at /mcp, of a super admin too', async () => {
    await refusedAt(await connected(await newSuperAdmin(service)), '/mcp');
  });

  // Contract: organization-mcp#audiences-of-their-own — A token for an organization is refused by GraphQL
  it('is refused by GraphQL', async () => {
    const client = await connected();
    for (const operation of [operations.me, operations.members]) {
      await expectRefusal(service, 'UNAUTHENTICATED', () => runAs(service, client, operation));
    }
  });

  it('is refused at /auth/identity', async () => {
    const { tokens } = await connected();
    for (const query of ['', '?machine=allowed']) {
      const answer = await fetch(`${service.url}/auth/identity${query}`, { headers: bearer(tokens) });
      expect(answer.status).toBe(401);
    }
  });

  it('makes no super admin of its person', async () => {
    const client = await connected(await newSuperAdmin(service));
    const answer = await callTool(service, client, 'sessions_revoke_user', { userId: client.person.userId });
    expect(errorCodeOf(answer)).toBe(-32602);
    const { body } = await callTool(service, client, 'whoami');
    expect(body['result']).toMatchObject({
      structuredContent: { scopes: ['MEMBERS_INVITE', 'MEMBERS_REMOVE', 'MEMBERS_UPDATE', 'MEMBERS_VIEW'] },
    });
  });

  it('stays in its organization when its person switches to another', async () => {
    const { organizationId } = await newOwner(service);
    const person = await newMember(service, organizationId, 'ADMIN');
    const client = await connected(person);
    await service.sql(
      `UPDATE users SET current_membership = (SELECT id FROM organization_members
         WHERE user_id = $1 AND organization_id <> $2) WHERE id = $1`,
      [person.userId, organizationId],
    );
    const { body } = await callTool(service, client, 'whoami');
    expect(body['result']).toMatchObject({
      structuredContent: { organization: { id: organizationId }, role: 'ADMIN' },
    });
  });
});

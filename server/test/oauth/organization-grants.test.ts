/** Pairs for one organization: redemption, refresh, what they are bound to, and what ends them. */
import { describe, expect, it } from 'vitest';
import { notes, resourceUrl } from '../back-ends/notes.ts';
import { familyOf } from '../support/actors/credentials.ts';
import { addTo, newMember, newOwner, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { callTool, type McpAnswer, type McpClient } from '../support/clients/mcp.ts';
import {
  type CodeInHand,
  type Connection,
  clientTokensOf,
  expectErrorAnswer,
  newClient,
  newCode,
  type OAuthAnswer,
  postForm,
  redemptionOf,
  refreshAs,
} from '../support/clients/oauth.ts';
import { connectToOrganization, organizationPath, wordsOf } from '../support/clients/organization-mcp.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const secret = 'a secret of the notes: 32 bytes or more and as it stands';
const service = serviceFixture({ RESOURCE_SECRET_NOTES: secret }, 'none', { application: notes });

const organizationUrl = (): string => `${service.config.baseUrl}/mcp/organization`;

/** A code that a member gave for their organization. */
const codeOf = async (
  { userId, organizationId, memberId: membershipId }: Tenant,
  { audience = 'mcp_organization', scopes = ['MEMBERS_VIEW'] }: { audience?: string; scopes?: readonly string[] } = {},
): Promise<CodeInHand> =>
  newCode(service, { clientId: await newClient(service), userId, scopes, audience, organizationId, membershipId });

const redeemFor = (code: CodeInHand, resource?: string): Promise<OAuthAnswer> =>
  postForm(service, 'token', { ...redemptionOf(code), ...(resource === undefined ? {} : { resource }) });

const connected = async (person: Tenant, options?: Parameters<typeof codeOf>[1]): Promise<Connection> => {
  const code = await codeOf(person, options);
  return { clientId: code.clientId, person, tokens: clientTokensOf(await redeemFor(code)) };
};

const asMcp = ({ clientId, person, tokens }: Connection): McpClient => ({
  clientId,
  person,
  tokens,
  path: organizationPath,
});

const whoami = (connection: Connection): Promise<McpAnswer> => callTool(service, asMcp(connection), 'whoami');

const expectOver = async (connection: Connection): Promise<void> => {
  expect((await whoami(connection)).status).toBe(401);
  expectErrorAnswer(await refreshAs(service, connection), 400, 'invalid_grant');
};

const expectRefused = async (act: () => Promise<OAuthAnswer>, error: string): Promise<void> =>
  expectErrorAnswer(await expectNothingStored(service, act), 400, error);

const introspect = async (token: string, { url } = service): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(`${url}/auth/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`notes:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token }),
  });
  return response.json() as Promise<Readonly<Record<string, unknown>>>;
};

describe('A code for an organization', () => {
  it('is redeemed for a pair that is bound to the membership', async () => {
    const owner = await newOwner(service);
    const code = await codeOf(owner);
    const answer = await redeemFor(code, organizationUrl());
    expect(answer).toMatchObject({ status: 200, body: { scope: 'MEMBERS_VIEW', token_type: 'Bearer' } });
    const rows = await service.sql(
      `SELECT DISTINCT audience, auth_method AS method, organization_id AS organization, membership_id AS membership,
         redirect_host AS host, scopes FROM credentials WHERE client_id = $1`,
      [code.clientId],
    );
    expect(rows).toEqual([
      {
        audience: 'mcp_organization',
        method: 'mcp_oauth',
        organization: owner.organizationId,
        membership: owner.memberId,
        host: '127.0.0.1',
        scopes: ['MEMBERS_VIEW'],
      },
    ]);
  });

  it.each([
    ['Platform MCP', () => `${service.config.baseUrl}/mcp`],
    ['a resource of the application', () => resourceUrl],
  ])('is not redeemed for %s; the code still works', async (_what, resource) => {
    const code = await codeOf(await newOwner(service));
    await expectRefused(() => redeemFor(code, resource()), 'invalid_target');
    expect((await redeemFor(code, organizationUrl())).status).toBe(200);
  });

  it.each([
    ['the person was removed', 'DELETE FROM organization_members WHERE id = $1', 'memberId'],
    [
      'the organization was deleted',
      "UPDATE organizations SET deletes_at = now() + interval '7 days' WHERE id = $1",
      'organizationId',
    ],
    ['the plan lapsed', "UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1", 'organizationId'],
  ] as const)('is not redeemed once %s', async (_what, change, of) => {
    const owner = await newOwner(service);
    const code = await codeOf(owner);
    await service.sql(change, [owner[of]]);
    await expectRefused(() => redeemFor(code), 'invalid_grant');
  });
});

describe('A refresh', () => {
  // Contract: organization-mcp#resources-of-organizations — Every refresh keeps the resource
  it('keeps resource, membership and host, also where the request names the resource', async () => {
    const connection = await connected(await newOwner(service));
    const first = clientTokensOf(await refreshAs(service, connection));
    const second = await refreshAs(service, { ...connection, tokens: first }, { resource: `${organizationUrl()}/` });
    const next = { ...connection, tokens: clientTokensOf(second) };
    expect((await whoami(next)).status).toBe(200);
    const [row] = await service.sql(
      `SELECT audience, membership_id AS membership, redirect_host AS host FROM credentials
       WHERE client_id = $1 AND revoked_at IS NULL LIMIT 1`,
      [connection.clientId],
    );
    expect(row).toEqual({ audience: 'mcp_organization', membership: connection.person.memberId, host: '127.0.0.1' });
  });

  it('for another resource is invalid_target, and changes nothing', async () => {
    const connection = await connected(await newOwner(service));
    await expectRefused(() => refreshAs(service, connection, { resource: resourceUrl }), 'invalid_target');
    await expectRefused(() => refreshAs(service, connection, { resource: 'https://evil.example' }), 'invalid_target');
    expect((await refreshAs(service, connection)).status).toBe(200);
  });

  it('works while the plan has lapsed and while the policy refuses the client', async () => {
    const owner = await newOwner(service);
    const connection = await connected(owner);
    await service.sql("UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1", [
      owner.organizationId,
    ]);
    await service.sql("UPDATE organizations SET mcp_clients = 'NONE' WHERE id = $1", [owner.organizationId]);
    const tokens = clientTokensOf(await refreshAs(service, connection));
    await service.sql("UPDATE subscriptions SET status = 'ACTIVE' WHERE organization_id = $1", [owner.organizationId]);
    expect((await whoami({ ...connection, tokens })).status).toBe(403);
    await service.sql("UPDATE organizations SET mcp_clients = 'ANY' WHERE id = $1", [owner.organizationId]);
    expect((await whoami({ ...connection, tokens })).status).toBe(200);
  });
});

describe('A pair for an organization', () => {
  it('stays with its organization when the person switches', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    const connection = await connected(owner);
    await setActive(service, owner.userId, await addTo(service, owner.userId, other.organizationId));
    const answer = await whoami(connection);
    expect(answer.text).toContain(owner.organizationId);
    expect(answer.text).not.toContain(other.organizationId);
  });

  it('ends for good with the removal of its person, who may be invited again', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const connection = await connected(member);
    expect((await whoami(connection)).status).toBe(200);
    const removed = await runAs(service, owner, operations.removeMember, { id: member.memberId });
    expect(removed.code, removed.text).toBeNull();
    await expectOver(connection);
    await addTo(service, member.userId, owner.organizationId);
    await expectOver(connection);
  });

  it('ends where only the membership is gone', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const connection = await connected(member);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [member.memberId]);
    await expectOver(connection);
  });

  it('ends with a sign-out everywhere', async () => {
    const owner = await newOwner(service);
    const connection = await connected(owner);
    await service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1', [owner.userId]);
    await expectOver(connection);
  });

  it('never ends another one, of another person or of the same, though they share the client', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const clientId = await newClient(service);
    const of = ({ userId, organizationId, memberId: membershipId }: Tenant) =>
      newCode(service, {
        clientId,
        userId,
        scopes: ['MEMBERS_VIEW'],
        audience: 'mcp_organization',
        organizationId,
        membershipId,
      });
    const connections: Connection[] = [];
    for (const person of [owner, member, owner]) {
      connections.push({ clientId, person, tokens: clientTokensOf(await redeemFor(await of(person))) });
    }
    for (const connection of connections) expect((await whoami(connection)).status).toBe(200);
    const families = await Promise.all(connections.map(({ tokens }) => familyOf(service, tokens.accessToken)));
    expect(new Set(families).size).toBe(3);
  });

  it('of a client that is refused has no scopes, and of a member who lost a role those that are left', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId, 'ADMIN');
    const connection = await connected(member, { scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'] });
    await service.sql("UPDATE organization_members SET role = 'MEMBER' WHERE id = $1", [member.memberId]);
    const answer = await callTool(service, asMcp(connection), 'member_invite', {
      email: 'x@example.com',
      role: 'MEMBER',
    });
    expect(wordsOf(answer)).toMatch(/Your role here is MEMBER, which does not grant MEMBERS_INVITE/);
    expect((await whoami(connection)).status).toBe(200);
  });
});

describe('A pair for a resource of the application', () => {
  it('is active at its resource alone, in the organization that it is bound to', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    const connection = await connected(owner, { audience: resourceUrl, scopes: ['notes:read', 'notes:write'] });
    await setActive(service, owner.userId, await addTo(service, owner.userId, other.organizationId));
    expect(await introspect(connection.tokens.accessToken)).toMatchObject({
      active: true,
      aud: resourceUrl,
      client_id: connection.clientId,
      organization_id: owner.organizationId,
      membership_id: owner.memberId,
      scope: 'notes:read notes:write',
    });
    expect((await whoami(connection)).status).toBe(401);
  });

  // Contract: organization-mcp#refused-client — introspection shows no authority of a client that the policy refuses
  it('has no scopes, no role and no organization while the organization does not accept the client', async () => {
    const owner = await newOwner(service);
    const connection = await connected(owner, { audience: resourceUrl, scopes: ['notes:read'] });
    const before = await introspect(connection.tokens.accessToken);
    const authority = { organization_id: owner.organizationId, membership_id: owner.memberId, role: 'OWNER' };
    expect(before).toMatchObject({ active: true, scope: 'notes:read', ...authority });
    await service.sql("UPDATE organizations SET mcp_clients = 'NONE' WHERE id = $1", [owner.organizationId]);
    const { organization_id: _organization, membership_id: _membership, role: _role, ...rest } = before;
    expect(await introspect(connection.tokens.accessToken)).toEqual({ ...rest, scope: '' });
    // Nothing was revoked.
    await service.sql("UPDATE organizations SET mcp_clients = 'ANY' WHERE id = $1", [owner.organizationId]);
    expect(await introspect(connection.tokens.accessToken)).toEqual(before);
  });

  it('of MCP of an organization is inactive there', async () => {
    const connection = await connected(await newOwner(service), { scopes: ['notes:read'] });
    expect(await introspect(connection.tokens.accessToken)).toEqual({ active: false });
  });
});

describe('While MCP of organizations is off', () => {
  const off = serviceFixture({ ORGANIZATION_MCP_ENABLED: 'false', RESOURCE_SECRET_NOTES: secret }, 'none', {
    application: notes,
  });

  it('its pairs and codes are kept, and neither accepted nor refreshed; its endpoint and metadata do not exist', async () => {
    const owner = await newOwner(off);
    const { clientId, tokens } = await connectToOrganization(off, owner);
    const refresh = () => refreshAs(off, { clientId, tokens });
    expectErrorAnswer(await expectNothingStored(off, refresh), 400, 'invalid_grant');
    const { userId, organizationId, memberId: membershipId } = owner;
    const bound = { audience: 'mcp_organization', organizationId, membershipId };
    const code = await newCode(off, { clientId, userId, scopes: ['MEMBERS_VIEW'], ...bound });
    const redemption = () => postForm(off, 'token', redemptionOf(code));
    expectErrorAnswer(await expectNothingStored(off, redemption), 400, 'invalid_grant');
    const named = () =>
      postForm(off, 'token', { ...redemptionOf(code), resource: `${off.config.baseUrl}/mcp/organization` });
    expectErrorAnswer(await expectNothingStored(off, named), 400, 'invalid_target');
    for (const path of [organizationPath, '/.well-known/oauth-protected-resource/mcp/organization']) {
      expect((await fetch(`${off.url}${path}`)).status).toBe(404);
    }
  });

  it('its tokens are inactive at the resources of the application', async () => {
    const { tokens } = await connectToOrganization(off, await newOwner(off), {
      audience: resourceUrl,
      scopes: ['notes:read'],
    });
    expect(await introspect(tokens.accessToken, off)).toEqual({ active: false });
  });
});

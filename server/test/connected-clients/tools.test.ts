/** The tools of Platform MCP reach the connections of MCP clients with an organization, as GraphQL does. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Connected, connect } from '../support/actors/connected-clients.ts';
import { isAccepted } from '../support/actors/grants.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { callTool, newToolCaller } from '../tools/tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

let owner: Tenant;
let connected: Connected;
beforeEach(async () => {
  owner = await newOwner(service);
  connected = await connect(service, owner, { clientName: 'Editor' });
  expect(await isAccepted(service, connected)).toBe(true);
});

/** Calls a tool that ends sessions: first as a dry run, which ends nothing. */
const end = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<number> => {
  const dry = await callTool(service, root, tool, { ...args, dryRun: true });
  expect(await isAccepted(service, connected)).toBe(true);
  const { structured } = await callTool(service, root, tool, args);
  expect(structured.revokedCredentials).toBe(dry.structured.revokedCredentials);
  expect(await isAccepted(service, connected)).toBe(false);
  return structured.revokedCredentials;
};

describe('The connection of a client with an organization', () => {
  // Contract: organization-mcp#reach-of-super-admins — the tools of super admins reach these pairs too
  it('is listed by sessions_list, by its audience, client and organization', async () => {
    const { organizationId } = owner;
    for (const filter of [{ audience: 'mcp_organization', organizationId }, { clientId: connected.clientId }]) {
      const { structured } = await callTool(service, root, 'sessions_list', filter);
      expect(structured.nodes).toMatchObject([{ clientName: 'Editor' }, { clientName: 'Editor' }]);
    }
    const platform = await callTool(service, root, 'sessions_list', { audience: 'mcp', organizationId });
    expect(platform.structured.nodes).toEqual([]);
  });

  it('is ended by sessions_revoke', async () => {
    const credentialId = await service.sql.value<string>(
      "SELECT id FROM credentials WHERE session_family_id = $1 AND kind = 'user_session'",
      [connected.id],
    );
    expect(await end('sessions_revoke', { credentialId })).toBe(2);
  });

  it('is ended by client_revoke', async () => {
    expect(await end('client_revoke', { clientId: connected.clientId })).toBe(2);
  });

  it('is ended by sessions_revoke_user, with the session of the portal', async () => {
    expect(await end('sessions_revoke_user', { userId: owner.userId })).toBe(4);
  });

  it('is ended by organization_revoke', async () => {
    expect(await end('organization_revoke', { organizationId: owner.organizationId })).toBe(4);
  });
});

/** Every tool over POST /mcp: the same answer as the call itself. */
import { expect, it } from 'vitest';
import { seedConnection } from '../support/actors/seeding.ts';
import { inviteTo, newOwner } from '../support/actors/tenants.ts';
import { callTool as callOverHttp } from '../support/clients/mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { callTool, newToolCaller } from './tool-caller.ts';

const service = serviceFixture({ MCP_ENABLED: 'true' });
const root = fixture(() => newToolCaller(service));

// Contract: platform-mcp#table-of-tools — tools/call runs the same finalizer and answers over POST /mcp
it('answers over POST /mcp like each tool itself, a real change after its dry run', async () => {
  const person = await newOwner(service);
  const invited = await newOwner(service);
  const memberId = await inviteTo(service, invited.userId, person.organizationId);
  const { userId, organizationId } = person;
  // A client that this test does not use: instants of use are written late.
  await seedConnection(service.database, invited.userId, 'Unused client', ['mcp:whoami']);
  const credentialId = (await callTool(service, root, 'sessions_list', { userId })).structured.nodes[0]?.id;
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['mcp_whoami', {}],
    ['sessions_list', { userId }],
    ['users_search', { query: person.email }],
    ['user_get', { userId }],
    ['organizations_list', { query: 'Test' }],
    ['organization_get', { organizationId }],
    ['sessions_revoke', { credentialId, dryRun: true }],
    ['sessions_revoke_user', { userId, dryRun: true }],
    ['sessions_list', { userId, groupBySession: true, network: '0.0.0.0/0' }],
    ['sessions_revoke_many', { userId, dryRun: true }],
    ['organization_revoke', { organizationId, dryRun: true }],
    ['clients_list', { query: 'unused' }],
    ['client_revoke', { clientId: root.clientId, dryRun: true }],
    ['invitation_cancel', { memberId, dryRun: true }],
  ];
  for (const [name, args] of calls) {
    const { structured, text } = await callTool(service, root, name, args);
    expect(await overHttp(name, args)).toMatchObject({ content: [{ text }], structuredContent: structured });
  }
  const reset = await overHttp('invitation_reset', { memberId });
  expect(reset).toMatchObject({ structuredContent: { dryRun: false, mail: { to: invited.email } } });
  expect(await service.mailsTo(invited.email)).toHaveLength(1);
  const revoked = await overHttp('sessions_revoke', { credentialId });
  expect(revoked).toMatchObject({ structuredContent: { dryRun: false, revokedCredentials: 2 } });
});

const overHttp = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
  (await callOverHttp(service, { tokens: root.mcpTokens }, name, args)).body['result'];

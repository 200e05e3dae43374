/** The tools sessions_list with its further filters, sessions_revoke_many and organization_revoke, as in GraphQL. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { me } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { expectEnded } from '../support/checks/sessions.ts';
import { operations, type Variables } from '../support/clients/clients.ts';
import { callTool as callOverHttp } from '../support/clients/mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask, expectArgumentRefused, expectIdsRefused } from './tool-and-graphql.ts';
import { actorOf, callTool, clientName, connect, newToolCaller } from './tool-caller.ts';

const service = serviceFixture({ MCP_ENABLED: 'true' });
const root = fixture(() => newToolCaller(service));

const asked = (query: string, variables: Variables = {}): Promise<unknown> => ask(service, root, query, variables);

describe('sessions_list', () => {
  // Contract: incidents#filters-of-sessions — sessions_list: the filters of activeSessions, flat; groupBySession
  it('lists what activeSessions and sessionFamilies list, by the same filters', async () => {
    const person = await newOwner(service);
    const { clientId } = await connect(service.database, person.userId);
    await seedSession(service.database, person.userId);
    for (const filter of [
      { userId: person.userId, network: '127.0.0.0/8' },
      { clientId },
      { clientId: clientId.toUpperCase(), authMethod: 'mcp_oauth', userAgent: 'TEST' },
      { userId: person.userId, issuedAfter: '2026-01-01T00:00:00Z', issuedBefore: '2100-01-01T00:00:00.000Z' },
      { userId: person.userId, seenBefore: '2020-01-01T00:00:00+02:00' },
    ]) {
      const { structured } = await callTool(service, root, 'sessions_list', filter);
      expect(structured).toEqual(await asked(operations.activeSessions, { filter }));
      const grouped = await callTool(service, root, 'sessions_list', { ...filter, groupBySession: true });
      expect(grouped.structured).toEqual(await asked(operations.sessionFamilies, { filter }));
      expect(grouped.text).toMatch(/session|credential/);
    }
    const own = await callTool(service, root, 'sessions_list', { userId: root.userId, groupBySession: true });
    expect(own.text).toContain('2 sessions');
    expect(own.structured.nodes.filter((row) => row.isCurrent)).toMatchObject([{ clientName, audience: 'mcp' }]);
  });

  it.each([
    ['clientId', { clientId: 'x' }],
    ['clientId', { clientId: newId() }],
    ['authMethod', { authMethod: 'telepathy' }],
    ['network', { network: '1.2.3.4/33' }],
    ['network', { network: '' }],
    ['userAgent', { userAgent: 'x'.repeat(10_000) }],
    ['issuedAfter', { issuedAfter: 'yesterday' }],
    ['issuedBefore', { issuedBefore: '2026-13-01T00:00:00Z' }],
    ['seenAfter', { seenAfter: '' }],
    ['seenBefore', { seenBefore: 5 }],
  ])('refuses an invalid %s, as sessions_revoke_many does', async (field, args) => {
    await expectArgumentRefused(service, root, 'sessions_list', args, field);
    await expectArgumentRefused(service, root, 'sessions_list', { ...args, groupBySession: true }, field);
    await expectArgumentRefused(service, root, 'sessions_revoke_many', { ...args, expectedCount: 0 }, field);
    await expectArgumentRefused(service, root, 'sessions_revoke_many', { ...args, dryRun: true }, field);
  });
});

describe('sessions_revoke_many', () => {
  // Contract: incidents#same-operation-by-tool-and-graphql — sessions_revoke_many: the same finalizer and receipt as
  //   revokeSessions
  it('ends what a dry run with the same arguments counts, and nothing before', async () => {
    const person = await newOwner(service);
    const others = [
      await seedSession(service.database, person.userId),
      await seedSession(service.database, person.userId),
    ];
    const filter = { userId: person.userId, network: '127.0.0.1', audience: 'api' };
    const dry = await expectNothingStored(service, () =>
      callTool(service, root, 'sessions_revoke_many', { ...filter, dryRun: true }),
    );
    const sessions = Number(dry.structured['sessions']);
    expect(dry.structured).toEqual(await asked(operations.revokeSessions, { filter, dryRun: true }));
    expect(dry.text).toMatch(/^Dry run, nothing was changed/);
    await expectNothingStored(service, () =>
      expect(
        callTool(service, root, 'sessions_revoke_many', { ...filter, expectedCount: sessions + 1 }),
      ).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { count: sessions },
      }),
    );
    const { structured, text } = await callTool(service, root, 'sessions_revoke_many', {
      ...filter,
      expectedCount: sessions,
    });
    expect(structured).toMatchObject({
      dryRun: false,
      sessions,
      revokedCredentials: 2 * sessions,
      endsOwnSession: false,
    });
    expect(text).toContain('ended on');
    for (const tokens of others) await expectEnded(service, tokens);
  });

  it('names a missing filter and a missing number', async () => {
    await expectArgumentRefused(service, root, 'sessions_revoke_many', { dryRun: true }, 'filter');
    await expectArgumentRefused(service, root, 'sessions_revoke_many', { userId: root.userId }, 'expectedCount');
    await expectArgumentRefused(
      service,
      root,
      'sessions_revoke_many',
      { userId: root.userId, expectedCount: -1 },
      'expectedCount',
    );
  });

  // Contract: incidents#many-sessions-at-once — CONFLICT over POST /mcp, with the number as count
  it('tells a client of another number over POST /mcp, and records each call', async () => {
    const person = await newOwner(service);
    const call = (args: object) =>
      callOverHttp(service, { tokens: root.mcpTokens }, 'sessions_revoke_many', { userId: person.userId, ...args });
    const refused = JSON.stringify((await call({ expectedCount: 4 })).body);
    expect(refused).toContain('CONFLICT');
    expect(refused).toContain('count: 1');
    expect((await me(service, person.tokens.accessToken)).code).toBeNull();
    expect((await call({ expectedCount: 1 })).body['result']).toMatchObject({ structuredContent: { sessions: 1 } });
    const outcomes = await service.sql.column<string>(
      `SELECT outcome FROM mcp_tool_audits WHERE tool = 'sessions_revoke_many' ORDER BY position DESC LIMIT 2`,
    );
    expect(outcomes).toEqual(['success', 'error']);
  });

  it('ends the session of the call itself, and reports that', async () => {
    const caller = await newToolCaller(service);
    const filter = { userId: caller.userId, audience: 'mcp' };
    const dry = await callTool(service, caller, 'sessions_revoke_many', { ...filter, dryRun: true });
    expect(dry.structured).toMatchObject({ sessions: 1, endsOwnSession: true });
    const { structured } = await callTool(service, caller, 'sessions_revoke_many', { ...filter, expectedCount: 1 });
    expect(structured).toMatchObject({ sessions: 1, endsOwnSession: true });
    await expect(actorOf(service, caller)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('organization_revoke', () => {
  // Contract: incidents#same-operation-by-tool-and-graphql — organization_revoke, as revokeOrganizationSessions
  it('ends every session in an organization like revokeOrganizationSessions', async () => {
    const person = await newOwner(service);
    await connect(service.database, person.userId);
    const { organizationId } = person;
    const dry = await expectNothingStored(service, () =>
      callTool(service, root, 'organization_revoke', { organizationId, dryRun: true }),
    );
    expect(dry.structured).toMatchObject({ dryRun: true, sessions: 2, revokedCredentials: 4, revokedAt: null });
    const { structured } = await callTool(service, root, 'organization_revoke', { organizationId });
    expect(structured).toMatchObject({ dryRun: false, sessions: 2, revokedCredentials: 4 });
    await expectEnded(service, person.tokens);
  });

  it('names the argument for every unknown id, where revokeOrganizationSessions answers NOT_FOUND', async () => {
    await expectIdsRefused(service, root, 'organization_revoke', 'organizationId', (id) =>
      runAs(service, root, operations.revokeOrganizationSessions, { id }),
    );
  });
});

describe('clients_list and client_revoke', () => {
  // Contract: incidents#same-operation-by-tool-and-graphql — clients_list and client_revoke, as mcpClients and
  //   revokeMcpClient
  it('list clients as mcpClients does, and revoke one with its credentials', async () => {
    const person = await newOwner(service);
    const { clientId, mcpTokens } = await connect(service.database, person.userId);
    const { structured } = await callTool(service, root, 'clients_list', {
      query: clientName.toUpperCase(),
      first: 100,
    });
    expect(structured).toEqual(await asked(operations.mcpClients, { search: clientName, first: 100 }));
    const dry = await expectNothingStored(service, () =>
      callTool(service, root, 'client_revoke', { clientId, dryRun: true }),
    );
    expect(dry.structured).toEqual({ dryRun: true, revokedCredentials: 2, revokedAt: null, endsOwnSession: false });
    const dryRun = await expectNothingStored(service, () =>
      asked('mutation ($id: ID!) { revokeMcpClient(clientId: $id, dryRun: true) { revokedCredentials } }', {
        id: clientId,
      }),
    );
    expect(dryRun).toEqual({ revokedCredentials: 2 });
    const ended = await callTool(service, root, 'client_revoke', { clientId: clientId.toUpperCase() });
    expect(ended.structured).toMatchObject({ dryRun: false, revokedCredentials: 2, endsOwnSession: false });
    await expectEnded(service, mcpTokens);
    const again = await callTool(service, root, 'client_revoke', { clientId });
    expect(again.structured).toMatchObject({ revokedCredentials: 0 });
  });

  it('report that the client of the call itself is revoked', async () => {
    const caller = await newToolCaller(service);
    const { structured } = await callTool(service, caller, 'client_revoke', { clientId: caller.clientId });
    expect(structured).toMatchObject({ endsOwnSession: true, revokedCredentials: 2 });
    await expect(actorOf(service, caller)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('name the argument for every unknown id and a text that is too long', async () => {
    await expectIdsRefused(service, root, 'client_revoke', 'clientId', (id) =>
      runAs(service, root, operations.revokeMcpClient, { id }),
    );
    await expectArgumentRefused(service, root, 'clients_list', { query: 'x'.repeat(101) }, 'query');
  });
});

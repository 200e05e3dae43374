/** Registered clients as super admins see them, and their revocation. */

import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/access/actor.ts';
import { revokeClient } from '../../src/domain/oauth/clients.ts';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { actorWith } from '../support/actors/actor.ts';
import { familyOf, me } from '../support/actors/credentials.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import {
  clientTokensOf,
  connect,
  expectOAuthRefusal,
  familiesOfClient,
  loopbackUri,
  newClient,
  newCode,
  redeem,
  refreshAs,
} from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const someText: unknown = expect.any(String);

interface ClientNode {
  readonly id: string;
  readonly name: string;
  readonly activeCredentials: number;
  readonly lastAuthorizedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

interface ClientPage {
  readonly nodes: readonly ClientNode[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const ask = (variables: Record<string, unknown> = {}, caller = root): Promise<Answer> =>
  runAs(service, caller, operations.mcpClients, variables);

const pageOf = async (variables: Record<string, unknown> = {}): Promise<ClientPage> =>
  (await ask(variables)).data?.['mcpClients'] as ClientPage;

const revoke = (id: string, caller = root): Promise<Answer> =>
  runAs(service, caller, operations.revokeMcpClient, { id });

describe('mcpClients', () => {
  it('shows a registration, with its origin and time', async () => {
    const id = await newClient(service, { client_name: 'Just Registered' });
    const { nodes } = await pageOf({ search: 'just registered' });
    expect(nodes).toEqual([
      {
        id,
        name: 'Just Registered',
        redirectUris: [loopbackUri],
        registeredAt: matching(/^\d{4}-\d\d-\d\dT/),
        registeredIp: '127.0.0.1',
        lastAuthorizedAt: null,
        lastUsedAt: null,
        activeCredentials: 0,
        revokedAt: null,
        metadataUrl: null,
      },
    ]);
  });

  it('counts active credentials, and shows the last authorization and the last use', async () => {
    const id = await newClient(service, { client_name: 'In Use' });
    const connection = await connect(service, platformScopes, { clientId: id });
    await connect(service, platformScopes, { clientId: id });
    const node = async () => (await pageOf({ search: 'In Use' })).nodes[0];
    expect(await node()).toMatchObject({ activeCredentials: 4, lastUsedAt: null });
    expect((await node())?.lastAuthorizedAt).not.toBeNull();
    await refreshAs(service, connection);
    expect(await node()).toMatchObject({ activeCredentials: 4, lastUsedAt: someText });
    await runAs(service, connection.person, operations.signOutEverywhere);
    expect(await node()).toMatchObject({ activeCredentials: 2 });
  });

  // Contract: platform-mcp#revocation-of-a-client — mcpClients
  it('lists every client once, page by page, newest first', async () => {
    const ids: string[] = [];
    for (const index of range(7)) ids.unshift(await newClient(service, { client_name: `Paged ${index}` }));
    // At one instant: the cursor has to distinguish them.
    await service.sql("UPDATE oauth_clients SET registered_at = '2026-01-01' WHERE name LIKE 'Paged %'");
    const seen: string[] = [];
    let after: string | null = null;
    for (const hasNext of [true, true, true, false]) {
      const page: ClientPage = await pageOf({ first: 2, after, search: 'paged' });
      expect([page.totalCount, page.pageInfo.hasNextPage]).toEqual([7, hasNext]);
      seen.push(...page.nodes.map(({ id }) => id));
      after = page.pageInfo.endCursor;
    }
    expect(seen).toEqual([...ids].sort().reverse());
  });

  it('searches by a part of the name, with literal special characters', async () => {
    const id = await newClient(service, { client_name: '100% Ünïque_Name' });
    for (const search of ['100%', 'ünïque', 'E_N', ' Name ']) {
      expect((await pageOf({ search })).nodes.map((node) => node.id)).toContain(id);
    }
    expect((await pageOf({ search: '1_0%' })).nodes).toEqual([]);
  });

  it.each([
    ['first', { first: 0 }],
    ['first', { first: 101 }],
    ['after', { after: 'no cursor' }],
    ['after', { after: Buffer.from(JSON.stringify(['x', newId()])).toString('base64url') }],
    ['search', { search: 'x'.repeat(101) }],
    ['search', { search: '\u0000' }],
  ])('refuses a wrong %s by its name', async (field, variables) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => ask(variables));
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual([field]);
  });

  it('requires a super admin with mcp:access:view', async () => {
    const lacking = await newSuperAdmin(
      service,
      platformScopes.filter((scope) => scope !== 'mcp:access:view'),
    );
    const answer = await expectRefusal(service, 'FORBIDDEN', () => ask({}, lacking));
    expect(answer.extensions['missingScopes']).toEqual(['mcp:access:view']);
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => ask({}, owner));
  });
});

describe('revokeMcpClient', () => {
  // Contract: platform-mcp#revocation-of-a-client — revokeMcpClient
  it('refuses the client and revokes everything issued to it, and nothing else', async () => {
    const connection = await connect(service);
    const other = await connect(service, platformScopes, { clientId: connection.clientId });
    const outsider = await connect(service, platformScopes, { person: connection.person });
    const code = await newCode(service, { clientId: connection.clientId, userId: root.userId });
    const answer = await revoke(connection.clientId);
    expect(answer.data).toMatchObject({ revokeMcpClient: { success: true, revokedCredentials: 4 } });
    const rows = await familiesOfClient(service, connection.clientId);
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(['client_revoked']));
    for (const { tokens } of [connection, other]) {
      await expectOAuthRefusal(service, 'invalid_client', () => refreshAs(service, { ...connection, tokens }));
    }
    await expectOAuthRefusal(service, 'invalid_client', () => redeem(service, code));
    expect((await refreshAs(service, outsider)).status).toBe(200);
    expect((await me(service, connection.person.tokens.accessToken)).code).toBeNull();
    const { nodes } = await pageOf();
    expect(nodes.find(({ id }) => id === connection.clientId)).toMatchObject({
      activeCredentials: 0,
      revokedAt: someText,
    });
  });

  it('revokes the current pair of a family', async () => {
    const connection = await connect(service);
    clientTokensOf(await refreshAs(service, connection));
    expect((await revoke(connection.clientId)).data).toMatchObject({ revokeMcpClient: { revokedCredentials: 2 } });
    const rows = await familiesOfClient(service, connection.clientId);
    expect(rows.map(({ reason }) => reason)).toEqual(['rotated', 'rotated', 'client_revoked', 'client_revoked']);
  });

  it('reports success with nothing revoked the second time, and keeps the instant', async () => {
    const { clientId } = await connect(service);
    await revoke(clientId);
    const again = await expectNothingStored(service, () => revoke(clientId));
    expect(again.data).toMatchObject({ revokeMcpClient: { success: true, revokedCredentials: 0 } });
  });

  it('answers alike for every unknown id', async () => {
    for (const id of [newId(), 'none', '', '\u0000', root.userId]) {
      await expectRefusal(service, 'NOT_FOUND', () => revoke(id));
    }
  });

  it('requires a super admin with sessions:revoke', async () => {
    const clientId = await newClient(service);
    const lacking = await newSuperAdmin(service, ['mcp:access:view']);
    const answer = await expectRefusal(service, 'FORBIDDEN', () => revoke(clientId, lacking));
    expect(answer.extensions['missingScopes']).toEqual(['sessions:revoke']);
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => revoke(clientId, owner));
  });

  it('logs who revoked which client, after the commit, only by ids', async () => {
    const { clientId } = await connect(service);
    await revoke(clientId);
    const [line = ''] = service.logs.filter((text) => text.includes('oauth.client_revoked')).slice(-1);
    expect(JSON.parse(line)).toMatchObject({ userId: root.userId, clientId, revoked: 2 });
    expect(line).not.toContain('@');
  });
});

describe('The operation itself', () => {
  const actorOf = async ({ userId: id, email, tokens }: Tenant): Promise<Actor> => {
    const sessionFamilyId = await familyOf(service, tokens.accessToken);
    return actorWith({
      user: { id, email, isSuperAdmin: true, platformScopes },
      credential: { id: newId(), sessionFamilyId, audience: 'portal' },
    });
  };
  const deps = () => ({ database: service.database, logger: silentLogger });

  it('has a dry run: the same answer, and no change', async () => {
    const { clientId } = await connect(service);
    const actor = await actorOf(root);
    const dryRun = await expectNothingStored(service, () => revokeClient(deps(), actor, { clientId, dryRun: true }));
    expect(dryRun).toMatchObject({ revokedCredentials: 2 });
    const done = await revokeClient(deps(), actor, { clientId, dryRun: false });
    expect(done.revokedCredentials).toBe(2);
  });

  it('checks the current authority, not that of the request', async () => {
    const { clientId } = await connect(service);
    const former = await newSuperAdmin(service, ['mcp:whoami']);
    for (const dryRun of [true, false]) {
      await expectNothingStored(service, async () => {
        const attempt = revokeClient(deps(), await actorOf(former), { clientId, dryRun });
        await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
      });
    }
  });
});

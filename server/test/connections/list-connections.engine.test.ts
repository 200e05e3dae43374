/** Query mcpConnections: super admins see how clients connect, and how to fix refused steps. */
import { describe, expect, it } from 'vitest';
import { connectionSteps } from '../../src/domain/client-onboarding/steps.ts';
import { insertClient } from '../../src/domain/oauth/clients-store.ts';
import { connectionRules } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { askConnections, listedConnections, record } from '../support/actors/connections.ts';
import { newOwner, newSuperAdmin } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

const empty = {
  totalCount: 0,
  totalCountIsCapped: false,
  nodes: [],
  pageInfo: { hasNextPage: false, endCursor: null },
};

describe('mcpConnections', () => {
  // Contract: platform-mcp#steps-of-a-connection — For super admins with mcp:access:view
  it('requires a super admin with mcp:access:view', async () => {
    const others = [await newOwner(service), await newSuperAdmin(service, ['mcp:audit:view', 'sessions:view'])];
    for (const caller of others) await expectRefusal(service, 'FORBIDDEN', () => askConnections(service, caller));
    expect((await askConnections(service, await newSuperAdmin(service, ['mcp:access:view']))).code).toBeNull();
    const anonymous = (): Promise<Answer> => post(service.url, '{ mcpConnections { totalCount } }');
    await expectRefusal(service, 'UNAUTHENTICATED', anonymous);
  });

  // Contract: platform-mcp#steps-of-a-connection — Each rule is explained, with its fix
  it.each(connectionRules)('explains the refusal of %s and how to fix it', async (rule) => {
    await service.sql('DELETE FROM mcp_connections');
    const origin = { ip: '10.0.0.1', userAgent: rule };
    await record(service, origin, [{ step: 'challenge' }, { step: 'token', rule, detail: 'what it was' }]);
    const { nodes } = await listedConnections(service, root);
    expect(nodes).toMatchObject([{ status: 'REFUSED', firstRefusal: { step: 'token', rule, detail: 'what it was' } }]);
    const [passed, refused] = nodes[0]?.steps ?? [];
    expect(passed).toMatchObject({ step: 'challenge', rule: null, detail: null, explanation: null, mend: null });
    expect(refused).toEqual(nodes[0]?.firstRefusal);
    for (const sentence of [refused?.explanation, refused?.mend]) expect(sentence).toMatch(/^[A-Z][^\n]{20,}\.$/);
  });

  it('names the variable, the page or the command that fixes a refusal', async () => {
    const mends = {
      redirect_uri_not_allowed: 'MCP_REDIRECT_ALLOW_LIST',
      redirect_uri_not_registered: 'MCP_REDIRECT_ALLOW_LIST',
      host_or_origin: 'BASE_URL',
      resource_foreign: 'BASE_URL/mcp',
      not_super_admin: 'gatehouse create-super-admin',
      portal_token: 'Never paste a portal token',
      client_unknown: 'Remove the saved server',
      rate_limited: 'TRUST_PROXY',
    } as const;
    for (const [rule, words] of Object.entries(mends)) {
      const known = connectionRules.find((name) => name === rule) ?? null;
      await service.sql('DELETE FROM mcp_connections');
      await record(service, { ip: '10.0.0.1', userAgent: null }, [{ step: 'authorization', rule: known }]);
      expect((await listedConnections(service, root)).nodes[0]?.firstRefusal?.mend).toContain(words);
    }
  });

  it('has a title for every step', async () => {
    await service.sql('DELETE FROM mcp_connections');
    await record(
      service,
      { ip: '10.0.0.1', userAgent: null },
      connectionSteps.map((step) => ({ step, clientId: newId() })),
    );
    const steps = (await listedConnections(service, root)).nodes.flatMap((connection) => connection.steps);
    expect(new Set(steps.map(({ step }) => step))).toEqual(new Set(connectionSteps));
  });

  it('filters by client, by status and by part of name, address or user agent, and by all of them at once', async () => {
    await service.sql('DELETE FROM mcp_connections');
    const [first, second] = [newId(), newId()];
    await service.database.one(insertClient, [first, 'Käse_Client', ['http://127.0.0.1/'], null]);
    await record(service, { ip: '10.7.0.1', userAgent: 'Agent One' }, [{ step: 'call', clientId: first }]);
    await record(service, { ip: '10.7.0.2', userAgent: 'Agent Two' }, [
      { step: 'token', clientId: second, rule: 'code_expired' },
    ]);
    const idsFor = async (filter: object): Promise<readonly (string | null)[]> => {
      const { nodes, totalCount } = await listedConnections(service, root, filter);
      expect(totalCount).toBe(nodes.length);
      return nodes.map(({ clientId }) => clientId);
    };
    expect(await idsFor({})).toEqual([second, first]);
    expect(await idsFor({ clientId: first })).toEqual([first]);
    expect(await idsFor({ status: 'REFUSED' })).toEqual([second]);
    expect(await idsFor({ search: ' käse_ ' })).toEqual([first]);
    expect(await idsFor({ search: '10.7.0.2' })).toEqual([second]);
    expect(await idsFor({ search: 'aGENT' })).toEqual([second, first]);
    expect(await idsFor({ search: 'agent', status: 'CONNECTED', clientId: first })).toEqual([first]);
    expect(await idsFor({ search: 'agent', status: 'CONNECTED', clientId: second })).toEqual([]);
    for (const search of ['%agent', 'k_se', '\\', `' OR true --`]) expect(await idsFor({ search })).toEqual([]);
    expect(await idsFor({ search: '', status: null, clientId: null })).toEqual([second, first]);
    expect(await idsFor({ clientId: first.toUpperCase() })).toEqual([first]);
    expect(await listedConnections(service, root, { clientId: newId() })).toEqual(empty);
  });

  it('refuses an invalid page size, cursor, id and search', async () => {
    const refuse = async (variables: object, filter: object | null = null): Promise<readonly string[]> => {
      const act = (): Promise<Answer> => askConnections(service, root, filter, variables);
      return Object.keys((await expectRefusal(service, 'BAD_USER_INPUT', act)).extensions['fields'] ?? {});
    };
    for (const first of [0, -1, 101]) expect(await refuse({ first })).toEqual(['first']);
    const cursors = [['1'], ['1', 'x'], ['-1', newId()], ['x', newId()], ['9'.repeat(17), newId()], ['1', newId(), '']];
    for (const cursor of ['hello', ...cursors.map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url'))])
      expect(await refuse({ after: cursor })).toEqual(['after']);
    for (const clientId of ['', 'no identifier', `${newId()}\u0000`])
      expect(await refuse({}, { clientId })).toEqual(['clientId']);
    for (const search of ['x'.repeat(201), 'a\u0000b']) expect(await refuse({}, { search })).toEqual(['search']);
  });

  it('pages through any number by cursor, each once with its own steps, also those of one instant', async () => {
    await service.sql('DELETE FROM mcp_connections');
    for (const index of range(9)) {
      await record(service, { ip: '10.0.0.1', userAgent: `agent ${index}` }, [
        { step: 'challenge' },
        { step: 'token', rule: 'code_expired', detail: `${index}` },
      ]);
    }
    await service.sql(
      `UPDATE mcp_connections SET last_step_at = date_trunc('second', now()) WHERE user_agent < 'agent 7'`,
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await listedConnections(service, root, null, { first: 4, after });
      expect(page.totalCount).toBe(9);
      for (const { userAgent, steps } of page.nodes) {
        expect(steps.map(({ detail }) => detail)).toEqual([null, userAgent?.slice(-1)]);
        seen.push(userAgent ?? '');
      }
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toHaveLength(9);
    expect(new Set(seen).size).toBe(9);
  });
});

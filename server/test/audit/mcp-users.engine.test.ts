/** Query platformMcpUsers: the super admins who may use, or have used, Platform MCP. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { newCall } from '../support/actors/tool-calls.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const clientId = newId();
const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service, ['mcp:access:view'], 'root@mcp-users.example'));
beforeAll(async () => {
  await service.sql(`INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($1, 'Some client', '{}')`, [clientId]);
});

interface Page {
  readonly nodes: readonly { readonly userId: string; readonly email: string; readonly lastUsedAt: string | null }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const list = async (variables: object = {}): Promise<Page> => {
  const answer = await runAs(service, root, operations.platformMcpUsers, { ...variables });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { platformMcpUsers: Page } }).data.platformMcpUsers;
};

const connect = ({ userId }: Tenant, accessTtlSeconds?: number): Promise<unknown> =>
  seedSession(service.database, userId, { clientId, scopes: ['mcp:whoami'], bound: null }, accessTtlSeconds);

const call = (person: Tenant): Promise<unknown> =>
  new ToolAudits(service.database).append(newCall({ actorUserId: person.userId }));

describe('platformMcpUsers', () => {
  it("shows a holder of a tool's scope with their scopes, also before the first use", async () => {
    const person = await newSuperAdmin(service, ['sessions:view', 'mcp:audit:view']);
    expect(await list({ search: person.email })).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          userId: person.userId,
          email: person.email,
          name: 'Test Person',
          scopes: ['sessions:view', 'mcp:audit:view'],
          activeCredentials: 0,
          lastUsedAt: null,
        },
      ],
    });
  });

  it('omits who is suspended, until the end of it', async () => {
    const person = await newSuperAdmin(service, ['sessions:view']);
    await call(person);
    const suspender = await newSuperAdmin(service, ['users:suspend']);
    const totals: number[] = [];
    for (const operation of [operations.suspendUser, operations.reinstateUser]) {
      await runAs(service, suspender, operation, { id: person.userId, reason: 'A test' });
      totals.push((await list({ search: person.email })).totalCount);
    }
    expect(totals).toEqual([0, 1]);
  });

  it('omits users who hold only scopes of the portal and never used it', async () => {
    const person = await newSuperAdmin(service, ['mcp:catalog:view', 'mcp:audit:view']);
    expect((await list({ search: person.email })).totalCount).toBe(0);
    // A tool lists clients by this scope.
    expect((await list({ search: root.email })).totalCount).toBe(1);
  });

  // Contract: incidents#readers-of-the-record — platformMcpUsers: MCP users for the cockpit
  it('shows users without a scope who used it: by a call, or by a credential', async () => {
    const caller = await newSuperAdmin(service, []);
    await call(caller);
    const at = await service.sql.value<Date>(
      'SELECT max(created_at) AS at FROM mcp_tool_audits WHERE actor_user_id = $1',
      [caller.userId],
    );
    expect((await list({ search: caller.email })).nodes).toMatchObject([
      { scopes: [], activeCredentials: 0, lastUsedAt: at?.toISOString() },
    ]);
    const holder = await newSuperAdmin(service, []);
    await connect(holder);
    expect((await list({ search: holder.email })).nodes).toMatchObject([
      { scopes: [], activeCredentials: 2, lastUsedAt: null },
    ]);
  });

  it('counts the usable credentials of MCP clients, and no others', async () => {
    const person = await newSuperAdmin(service);
    const count = async (): Promise<unknown> => (await list({ search: person.email })).nodes[0];
    expect(await count()).toMatchObject({ activeCredentials: 0 });
    await connect(person);
    await connect(person);
    expect(await count()).toMatchObject({ activeCredentials: 4 });
    const oneOf = `id = (SELECT id FROM credentials WHERE user_id = $1 AND audience = 'mcp' AND kind = 'user_session'
      AND revoked_at IS NULL AND expires_at > now() LIMIT 1)`;
    await service.sql(
      `UPDATE credentials SET issued_at = issued_at - interval '1 day', expires_at = now() - interval '1 second' WHERE ${oneOf}`,
      [person.userId],
    );
    expect(await count()).toMatchObject({ activeCredentials: 3 });
    await service.sql(`UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out' WHERE ${oneOf}`, [
      person.userId,
    ]);
    expect(await count()).toMatchObject({ activeCredentials: 2 });
    await service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1', [
      person.userId,
    ]);
    expect(await count()).toMatchObject({ activeCredentials: 0 });
  });

  it('excludes users who are not super admins, whatever their scopes', async () => {
    const person = await newOwner(service);
    await service.sql(`UPDATE users SET platform_scopes = '{mcp:whoami}' WHERE id = $1`, [person.userId]);
    await call(person);
    expect((await list({ search: person.email })).totalCount).toBe(0);
  });

  it('pages through all of them, and searches by a part of name or address in any case', async () => {
    const emails = ['a', 'b', 'c'].map((letter) => `${letter}@paged-mcp-users.example`);
    for (const email of emails) await newSuperAdmin(service, ['mcp:whoami'], email);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await list({ first: 1, after, search: '@PAGED-mcp' });
      expect(page.totalCount).toBe(3);
      seen.push(...page.nodes.map(({ email }) => email));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(emails);
    expect((await list({ search: 'TEST PERS' })).totalCount).toBeGreaterThanOrEqual(3);
    expect((await list({ search: '%' })).totalCount).toBe(0);
  });

  it.each([
    ['zero rows', { first: 0 }, 'first'],
    ['an invalid cursor', { after: 'x' }, 'after'],
    ['a search that is too long', { search: 'x'.repeat(255) }, 'search'],
  ])('refuses %s', async (_what, variables, field) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.platformMcpUsers, variables),
    );
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual([field]);
  });

  // Contract: incidents#readers-of-the-record — platformMcpUsers: mcp:access:view
  it('requires a super admin with mcp:access:view', async () => {
    const other = await newSuperAdmin(service, ['mcp:audit:view', 'mcp:catalog:view', 'mcp:whoami', 'users:view']);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, other, operations.platformMcpUsers));
  });
});

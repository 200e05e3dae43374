/** The tools mcp_whoami and sessions_… against their GraphQL operations. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { credentialIdOf, expire, familyOf, liveOf, me } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations, type Variables } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { type Service, serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask, expectArgumentRefused, expectIdsRefused } from './tool-and-graphql.ts';
import { actorOf, callTool, clientName, connect, newToolCaller } from './tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

/** Many active credentials of one person, each with a long user agent. */
const seedCredentials = (service: Service, userId: string, count: number): Promise<unknown> =>
  service.sql(
    `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, issue_user_agent, issued_at, expires_at, family_expires_at)
     SELECT gen_random_uuid(), sha256(($1 || n)::bytea), 'user_session', gen_random_uuid(), gen_random_uuid(), $1::uuid,
       0, 'api', 'password', repeat('"ü', 50), now() - n * interval '1 second', now() + interval '1 day',
       now() + interval '1 day' FROM generate_series(1, $2) AS n`,
    [userId, count],
  );

const idOf = (token: string): Promise<string> => credentialIdOf(service, token);

const asked = (query: string, variables: Variables = {}): Promise<unknown> => ask(service, root, query, variables);

// Contract: platform-mcp#table-of-tools — mcp_whoami
it('mcp_whoami shows the caller, with the scopes granted and still held', async () => {
  const caller = await newToolCaller(service, ['mcp:whoami', 'users:view', 'sessions:view']);
  await service.sql(`UPDATE users SET platform_scopes = '{mcp:whoami,sessions:view,sessions:revoke}' WHERE id = $1`, [
    caller.userId,
  ]);
  const { structured, text } = await callTool(service, caller, 'mcp_whoami');
  expect(structured).toMatchObject({
    user: { id: caller.userId, email: caller.email, name: 'Test Person' },
    scopes: ['mcp:whoami', 'sessions:view'],
    grantedScopes: ['mcp:whoami', 'users:view', 'sessions:view'],
    client: { id: caller.clientId, name: clientName },
    credentialId: await idOf(caller.mcpTokens.accessToken),
    sessionFamilyId: await familyOf(service, caller.mcpTokens.accessToken),
  });
  expect(text).toContain(caller.email);
});

describe('sessions_list', () => {
  // Contract: platform-mcp#table-of-tools — sessions_list, as activeSessions
  it('lists the same credentials as activeSessions, filtered and paged alike', async () => {
    const person = await newOwner(service);
    await connect(service.database, person.userId);
    await seedSession(service.database, person.userId);
    for (const filter of [
      { userId: person.userId },
      { email: person.email.slice(0, -4).toUpperCase() },
      { organizationId: person.organizationId, kind: 'user_refresh' },
      { userId: person.userId, audience: 'mcp' },
      { userId: person.userId.toUpperCase(), organizationId: person.organizationId.toUpperCase() },
      { userId: person.userId, organizationId: root.organizationId },
    ]) {
      const { structured } = await callTool(service, root, 'sessions_list', filter);
      expect(structured).toEqual(await asked(operations.activeSessions, { filter }));
    }
    const page = { first: 4 };
    const first = await callTool(service, root, 'sessions_list', { userId: person.userId, ...page });
    expect(first.structured).toMatchObject({ totalCount: 6, pageInfo: { hasNextPage: true } });
    const after = first.structured.pageInfo.endCursor ?? '';
    const rest = await callTool(service, root, 'sessions_list', { userId: person.userId, after });
    const { nodes } = (await callTool(service, root, 'sessions_list', { userId: person.userId })).structured;
    expect([...first.structured.nodes, ...rest.structured.nodes]).toEqual(nodes);
    expect(first.text).toContain('6 active credentials, 4 shown; more follow');
    for (const needed of [after, clientName, person.userId]) expect(first.text).toContain(needed);
  });

  // Contract: platform-mcp#size-of-answers — A tool's text holds its structured content, 25 KB at most; pages are sized
  //   so
  it('cuts a page at 25 KB, with a cursor that leads to each of the rest once', async () => {
    const person = await newOwner(service);
    await seedCredentials(service, person.userId, 118);
    const seen: string[] = [];
    const sizes: number[] = [];
    let after: string | null = null;
    do {
      const args: Record<string, unknown> = { userId: person.userId, first: 100, ...(after === null ? {} : { after }) };
      const { structured } = await callTool(service, root, 'sessions_list', args);
      const { nodes, pageInfo, totalCount } = structured;
      expect(totalCount).toBe(120);
      sizes.push(nodes.length);
      seen.push(...nodes.map(({ id }) => id));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    const all = await service.sql.column<string>(
      'SELECT id FROM credentials WHERE user_id = $1 ORDER BY issued_at DESC, id DESC',
      [person.userId],
    );
    expect(seen).toEqual(all);
    expect(sizes[0]).toBeGreaterThan(10);
    expect(sizes[0]).toBeLessThan(100);
  });

  it('marks the credential of the call itself, which for GraphQL is another one', async () => {
    const { structured } = await callTool(service, root, 'sessions_list', { userId: root.userId });
    const current = structured.nodes.filter((row) => row.isCurrent);
    expect(current).toMatchObject([{ id: await idOf(root.mcpTokens.accessToken), clientName, audience: 'mcp' }]);
  });

  it.each([
    ['first', { first: 0 }],
    ['first', { first: 101 }],
    ['after', { after: 'no cursor' }],
    ['email', { email: 'x'.repeat(255) }],
    ['userId', { userId: 'no id' }],
    ['userId', { userId: newId() }],
    ['userId', { userId: '' }],
    ['organizationId', { organizationId: 'nowhere' }],
    ['organizationId', { organizationId: newId() }],
    ['audience', { audience: 'portals' }],
    ['kind', { kind: 'access' }],
  ])('refuses an invalid %s', async (field, args) => {
    await expectArgumentRefused(service, root, 'sessions_list', args, field);
  });
});

/** A revocation in a dry run and for real: the same list, no change by the first. */
const dryRunThenRun = async (name: string, args: Record<string, unknown>) => {
  const dryRun = await expectNothingStored(service, () => callTool(service, root, name, { ...args, dryRun: true }));
  const real = await callTool(service, root, name, args);
  expect(dryRun.structured).toEqual({ ...real.structured, dryRun: true, revokedAt: null });
  expect(real.structured.revokedAt).toMatch(/^20.*Z$/);
  expect(dryRun.text).toMatch(/^Dry run, nothing was changed/);
  expect(real.text).not.toContain('would');
  return real.structured;
};

/** Ids of credentials that were active and are now revoked. */
const endedBy = async <T>(email: string, act: () => Promise<T>): Promise<{ ids: string[]; result: T }> => {
  const active = (): Promise<{ id: string }[]> =>
    service.sql(
      `SELECT c.id FROM credentials c JOIN users u ON u.id = c.user_id AND u.credentials_revision = c.credentials_revision
       WHERE u.email = $1 AND c.revoked_at IS NULL AND c.expires_at > now() ORDER BY c.issued_at DESC, c.id DESC`,
      [email],
    );
  const before = await active();
  const result = await act();
  const left = new Set((await active()).map(({ id }) => id));
  return { ids: before.map(({ id }) => id).filter((id) => !left.has(id)), result };
};

describe('sessions_revoke', () => {
  const revoke = (id: string): Promise<unknown> => asked(operations.revokeSession, { id });

  // Contract: platform-mcp#table-of-tools — sessions_revoke: the same finalizer as revokeSession, the exact list in a
  //   dry run
  it('ends the session of a credential like revokeSession, and names each credential', async () => {
    const person = await newOwner(service);
    const other = await seedSession(service.database, person.userId);
    const credentialId = await idOf(person.tokens.refreshToken);
    const { ids, result } = await endedBy(person.email, () => dryRunThenRun('sessions_revoke', { credentialId }));
    expect(result).toMatchObject({ dryRun: false, revokedCredentials: 2, endsOwnSession: false });
    expect(result.credentials.map(({ id }) => id)).toEqual(ids);
    expect(result).toMatchObject({ userEmail: person.email });
    for (const row of result.credentials) {
      expect(row).toMatchObject({ audience: 'api', clientName: null });
    }
    const graphql = await endedBy(person.email, async () => revoke(await idOf(other.accessToken)));
    expect([graphql.ids.length, graphql.result]).toMatchObject([2, { success: true, revokedCredentials: 2 }]);
    expect(
      new Set(
        (
          await service.sql<{ reason: string }>(
            'SELECT revocation_reason AS reason FROM credentials WHERE user_id = $1',
            [person.userId],
          )
        ).map(({ reason }) => reason),
      ),
    ).toEqual(new Set(['revoked_by_super_admin']));
  });

  it('omits expired credentials from the list', async () => {
    const person = await newOwner(service);
    await expire(service, person.tokens.accessToken);
    const credentialId = await idOf(person.tokens.accessToken);
    const result = await dryRunThenRun('sessions_revoke', { credentialId });
    expect(result).toMatchObject({ revokedCredentials: 1, credentials: [{ kind: 'user_refresh' }] });
  });

  // Contract: platform-mcp#table-of-tools — Revoking a revoked session: 0, with the first time of revocation
  it('returns an empty list for a session that has ended, with the first time of its revocation', async () => {
    const person = await newOwner(service);
    const credentialId = await idOf(person.tokens.accessToken);
    const first = (await revoke(credentialId)) as { readonly revokedAt: string };
    const result = await dryRunThenRun('sessions_revoke', { credentialId: credentialId.toUpperCase() });
    expect(result).toMatchObject({ revokedCredentials: 0, credentials: [], revokedAt: first.revokedAt });
    expect(await revoke(credentialId)).toEqual({ success: true, revokedCredentials: 0, revokedAt: first.revokedAt });
  });

  it('ends the session of the call itself, and reports that', async () => {
    const caller = await newToolCaller(service);
    const credentialId = await idOf(caller.mcpTokens.accessToken);
    const dryRun = await callTool(service, caller, 'sessions_revoke', { credentialId, dryRun: true });
    expect(dryRun.structured).toMatchObject({ endsOwnSession: true });
    expect(dryRun.text).toContain('; the session of this call would end with them.');
    const { structured } = await callTool(service, caller, 'sessions_revoke', { credentialId });
    expect(structured).toMatchObject({ endsOwnSession: true, credentials: [{ clientName }, { clientName }] });
    await expect(actorOf(service, caller)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await me(service, caller.tokens.accessToken)).code).toBeNull();
  });

  it('names the argument for every unknown id, where revokeSession answers NOT_FOUND', async () => {
    await expectIdsRefused(service, root, 'sessions_revoke', 'credentialId', (id) =>
      runAs(service, root, operations.revokeSession, { id }),
    );
  });
});

describe('sessions_revoke_user', () => {
  // Contract: platform-mcp#table-of-tools — sessions_revoke_user: the same finalizer as revokeUserSessions
  it('signs a person out everywhere like revokeUserSessions, and names each credential', async () => {
    const person = await newOwner(service);
    await connect(service.database, person.userId);
    const expired = await seedSession(service.database, person.userId);
    for (const token of [expired.accessToken, expired.refreshToken]) await expire(service, token);
    const { userId, email } = person;
    const { ids, result } = await endedBy(email, () => dryRunThenRun('sessions_revoke_user', { userId }));
    expect(result).toMatchObject({ revokedCredentials: 4, endsOwnSession: false });
    expect(result.credentials.map(({ id }) => id)).toEqual(ids);
    expect(result.credentials.map((row) => row.clientName)).toEqual([clientName, clientName, null, null]);
    expect(await liveOf(service, email)).toEqual([]);
    await seedSession(service.database, userId);
    expect(await asked(operations.revokeUserSessions, { id: userId })).toMatchObject({ revokedCredentials: 2 });
    const [row] = await service.sql('SELECT credentials_revision AS revision FROM users WHERE id = $1', [userId]);
    expect(row).toEqual({ revision: 2 });
  });

  // Contract: platform-mcp#size-of-answers — Affected credentials: the first 100 and the number of all
  it('names the first hundred ended credentials and the number of all, to a person and to a program', async () => {
    const person = await newOwner(service);
    await seedCredentials(service, person.userId, 238);
    const dryRun = await callTool(service, root, 'sessions_revoke_user', { userId: person.userId, dryRun: true });
    expect([dryRun.structured.credentials.length, dryRun.structured.revokedCredentials]).toEqual([100, 240]);
    expect(dryRun.text).toContain(
      `Dry run, nothing was changed: 240 credentials of ${person.email} would be revoked, the first 100 of them shown.`,
    );
    const { structured } = await callTool(service, root, 'sessions_revoke_user', { userId: person.userId });
    expect([structured.credentials, structured.revokedCredentials]).toEqual([dryRun.structured.credentials, 240]);
  });

  // Contract: platform-mcp#table-of-tools — Repeated revocation of a person answers the first time
  it('returns the first time of the revocation when it is repeated', async () => {
    const { userId } = await newOwner(service);
    const first = (await asked(operations.revokeUserSessions, { id: userId })) as { readonly revokedAt: string };
    const again = await callTool(service, root, 'sessions_revoke_user', { userId });
    expect(again.structured).toMatchObject({ revokedCredentials: 0, credentials: [], revokedAt: first.revokedAt });
    expect(again.text).toMatch(/^0 credentials revoked: all had ended by 20/);
  });

  it('reports the end of the session of the call itself', async () => {
    const caller = await newToolCaller(service);
    const { structured } = await callTool(service, caller, 'sessions_revoke_user', { userId: caller.userId });
    expect(structured).toMatchObject({ endsOwnSession: true, revokedCredentials: 4 });
  });

  it('names the argument for every unknown id, where revokeUserSessions answers NOT_FOUND', async () => {
    await expectIdsRefused(service, root, 'sessions_revoke_user', 'userId', (id) =>
      runAs(service, root, operations.revokeUserSessions, { id }),
    );
  });
});

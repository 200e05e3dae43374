/** revokeSessions and revokeOrganizationSessions: many sessions end together, or none does. */
import { describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { credentialsOf, expire, me } from '../support/actors/credentials.ts';
import { seedConnection, seedSession } from '../support/actors/seeding.ts';
import { newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded } from '../support/checks/sessions.ts';
import { type Answer, Browser, goodPassword, operations, register, type Tokens } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

interface Receipt {
  readonly dryRun: boolean;
  readonly sessions: number;
  readonly revokedCredentials: number;
  readonly revokedAt: string | null;
  readonly endsOwnSession: boolean;
}

const revoke = (variables: object, caller: { readonly tokens: Tokens } = root): Promise<Answer> =>
  runAs(service, caller, operations.revokeSessions, { ...variables });

const receiptOf = (answer: Answer): Receipt => {
  if (answer.code !== null) throw new Error(answer.text);
  return Object.values(answer.data ?? {})[0] as Receipt;
};

const expectLive = async (tokens: Tokens): Promise<void> => {
  expect((await me(service, tokens.accessToken)).code).toBeNull();
};

describe('revokeSessions', () => {
  // Contract: incidents#many-sessions-at-once — revokeSessions: what a dry run counts is what a change ends
  it('ends every session that matches, and nothing else, after a dry run that changes nothing', async () => {
    const person = await newOwner(service);
    const others = [
      await seedSession(service.database, person.userId),
      await seedSession(service.database, person.userId),
    ];
    const outsider = await newOwner(service);
    const filter = { userId: person.userId.toUpperCase(), audience: 'api' };
    const dryRun = await expectNothingStored(service, async () => receiptOf(await revoke({ filter, dryRun: true })));
    expect(dryRun).toEqual({
      dryRun: true,
      sessions: 3,
      revokedCredentials: 6,
      revokedAt: null,
      endsOwnSession: false,
    });
    const before = Date.now();
    const ended = receiptOf(await revoke({ filter, expectedCount: 3 }));
    expect(ended).toEqual({ ...dryRun, dryRun: false, revokedAt: expect.stringMatching(/^20.*Z$/) as string });
    expect(Date.parse(ended.revokedAt ?? '')).toBeGreaterThan(before - 60_000);
    for (const tokens of [person.tokens, ...others]) await expectEnded(service, tokens);
    for (const tokens of [outsider.tokens, root.tokens]) await expectLive(tokens);
    expect(new Set((await credentialsOf(service, person.email)).map(({ reason }) => reason))).toEqual(
      new Set(['revoked_by_super_admin']),
    );
    await expectRefusal(service, 'CONFLICT', () => revoke({ filter, expectedCount: 3 }));
    expect(receiptOf(await revoke({ filter, expectedCount: 0 }))).toMatchObject({ sessions: 0, revokedCredentials: 0 });
  });

  it('ends the whole session of which one credential matches, and counts what was active', async () => {
    const person = await newOwner(service);
    const other = await seedSession(service.database, person.userId);
    await expire(service, person.tokens.accessToken);
    const filter = { userId: person.userId, kind: 'user_session' };
    expect(receiptOf(await revoke({ filter, expectedCount: 1 }))).toMatchObject({ sessions: 1, revokedCredentials: 2 });
    await expectEnded(service, other);
    const rest = { userId: person.userId, kind: 'user_refresh' };
    expect(receiptOf(await revoke({ filter: rest, expectedCount: 1 }))).toMatchObject({
      sessions: 1,
      revokedCredentials: 1,
    });
    expect((await credentialsOf(service, person.email)).filter(({ live }) => live)).toEqual([]);
  });

  // Contract: incidents#many-sessions-at-once — Another number matches: CONFLICT (409) with it as count, nothing
  //   changed
  it('changes nothing when another number matches than was expected, and says which', async () => {
    const person = await newOwner(service);
    await seedSession(service.database, person.userId);
    const filter = { userId: person.userId };
    for (const expectedCount of [0, 1, 3, -2, 2_147_483_647]) {
      const { extensions } = await expectRefusal(service, 'CONFLICT', () => revoke({ filter, expectedCount }));
      expect(extensions).toMatchObject({ code: 'CONFLICT', count: 2, http: { status: 409 } });
    }
    await expectLive(person.tokens);
  });

  const fieldsRefused = async (variables: object): Promise<readonly string[]> =>
    Object.keys((await expectRefusal(service, 'BAD_USER_INPUT', () => revoke(variables))).extensions['fields'] ?? {});

  // Contract: incidents#many-sessions-at-once — At least one field of the filter, and the number of a dry run
  it('takes neither a filter without a field nor a change without a number', async () => {
    const empty = { email: ' ', userId: null, userAgent: '' };
    for (const filter of [{}, empty])
      for (const rest of [{ dryRun: true }, { expectedCount: 1 }])
        expect(await fieldsRefused({ filter, ...rest })).toEqual(['filter']);
    const filter = { userId: root.userId };
    for (const expectedCount of [undefined, null])
      expect(await fieldsRefused({ filter, expectedCount })).toEqual(['expectedCount']);
    await expectLive(root.tokens);
  });

  it('ends the session of the browser that asks, and clears its cookies', async () => {
    const email = await register(service);
    const userId = await service.sql.value<string>(
      `UPDATE users SET is_super_admin = true, platform_scopes = '{sessions:revoke}' WHERE email = $1 RETURNING id`,
      [email],
    );
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const other = await seedSession(service.database, userId ?? '');
    const filter = { userId };
    const dryRun = await browser.run(operations.revokeSessions, { filter, dryRun: true });
    expect(receiptOf(dryRun)).toMatchObject({ sessions: 2, endsOwnSession: true });
    expect(dryRun.setCookies).toEqual([]);
    const answer = await browser.run(operations.revokeSessions, { filter, expectedCount: 2 });
    expect(receiptOf(answer)).toMatchObject({ sessions: 2, endsOwnSession: true });
    expect(answer.setCookies.length).toBeGreaterThan(0);
    await expectEnded(service, other);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  /** Further sessions of a person: each with a row of these kinds. */
  const addSessions = async (userId: string, count: number, kinds: readonly string[]): Promise<void> => {
    for (let left = count; left > 0; left -= 2000)
      await service.sql(
        `WITH pairs AS MATERIALIZED (SELECT gen_random_uuid() AS family, gen_random_uuid() AS pair FROM generate_series(1, $2))
         INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
           auth_method, expires_at, family_expires_at, issue_user_agent)
         SELECT CASE WHEN kind = 'user_refresh' THEN family ELSE gen_random_uuid() END, sha256((family || kind)::bytea), kind,
           family, pair, $1::uuid, 0, 'api', 'password', now() + interval '1 day', now() + interval '1 day', 'crowd'
         FROM pairs, unnest($3::text[]) AS kind`,
        [userId, Math.min(left, 2000), kinds],
      );
  };

  const liveOf = (userId: string): Promise<number | undefined> =>
    service.sql.value('SELECT count(*)::integer FROM credentials WHERE user_id = $1 AND revoked_at IS NULL', [userId]);

  it('ends more sessions at once than one statement takes', async () => {
    const person = await newOwner(service);
    await addSessions(person.userId, 1000, ['user_session', 'user_refresh']);
    const filter = { userId: person.userId };
    const counts = { sessions: 1001, revokedCredentials: 2002 };
    expect(receiptOf(await revoke({ filter, dryRun: true }))).toMatchObject(counts);
    expect(receiptOf(await revoke({ filter, expectedCount: 1001 }))).toMatchObject(counts);
    expect(await liveOf(person.userId)).toBe(0);
  });

  // Contract: incidents#many-sessions-at-once — 10,000 sessions at most in one call
  it('admits 10,000 sessions at once, and refuses one more', async () => {
    const person = await newOwner(service);
    const ask = (variables: object): Promise<Answer> => revoke({ filter, ...variables });
    await addSessions(person.userId, 9999, ['user_refresh']);
    const filter = { userId: person.userId };
    const most = { sessions: 10_000, revokedCredentials: 10_001 };
    expect(receiptOf(await ask({ dryRun: true }))).toMatchObject(most);
    // A change is admitted too, and another number than expected keeps it from taking the time that it needs.
    expect((await ask({ expectedCount: 9999 })).extensions).toMatchObject({ code: 'CONFLICT', count: 10_000 });
    await addSessions(person.userId, 1, ['user_refresh']);
    for (const variables of [{ dryRun: true }, { expectedCount: 10_001 }])
      expect((await ask(variables)).code).toBe('LIMIT_REACHED');
    expect(await liveOf(person.userId)).toBe(10_002);
    const list = (order: object = {}): Promise<Answer> =>
      runAs(service, root, operations.sessionFamilies, { filter, ...order });
    expect((await list()).data).toMatchObject({ sessionFamilies: { totalCount: 10_000, totalCountIsCapped: true } });
    for (const direction of ['ASC', 'DESC']) {
      const sorted = await list({ orderBy: 'USER', direction });
      expect(Object.keys(sorted.extensions['fields'] ?? {})).toEqual(['orderBy']);
    }
    await service.sql(
      `UPDATE credentials SET issue_user_agent = 'last' WHERE id = (
      SELECT session_family_id FROM credentials WHERE user_id = $1 AND issue_user_agent = 'crowd' LIMIT 1)`,
      [person.userId],
    );
    expect(receiptOf(await revoke({ filter: { userAgent: 'last', ...filter }, expectedCount: 1 }))).toMatchObject({
      revokedCredentials: 1,
    });
    expect(receiptOf(await ask({ dryRun: true }))).toMatchObject(most);
    await service.sql('DELETE FROM users WHERE id = $1', [person.userId]);
  });

  // Contract: incidents#empty-answer — An empty answer always means that nothing matches
  it('refuses a filter that leaves too much to read, and ends nothing of it', async () => {
    const person = await newOwner(service);
    for (let first = 1; first <= 50_001; first += 2000)
      await service.sql(
        `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
         auth_method, issued_at, expires_at, family_expires_at, last_seen_at)
       SELECT id, sha256(id::text::bytea), 'user_refresh', id, gen_random_uuid(), $1::uuid, 0, 'api', 'password',
         now() - n * interval '1 second', now() + interval '1 day', now() + interval '1 day',
         CASE WHEN n <= 60 THEN timestamptz '2020-01-01Z' END
       FROM (SELECT gen_random_uuid() AS id, n FROM generate_series($2::integer, least(50001, $2::integer + 1999)) AS n OFFSET 0) AS row`,
        [person.userId, first],
      );
    const filter = { seenBefore: '2020-01-02T00:00:00Z' };
    const refused = async (query: string, variables: object): Promise<void> => {
      const answer = await runAs(service, root, query, { filter, ...variables });
      expect([answer.code, Object.keys(answer.extensions['fields'] ?? {})]).toEqual(['BAD_USER_INPUT', ['filter']]);
    };
    await refused(operations.revokeSessions, { dryRun: true });
    await refused(operations.revokeSessions, { expectedCount: 60 });
    for (const name of ['activeSessions', 'sessionFamilies'] as const) {
      // The next rows of the list fill a page, but nothing tells how many more there are.
      const { data } = await runAs(service, root, operations[name], { filter, first: 50 });
      const page = Object.values(data ?? {})[0] as { totalCountIsCapped: boolean; pageInfo: { endCursor: string } };
      expect(page.totalCountIsCapped).toBe(true);
      await refused(operations[name], { first: 50, after: page.pageInfo.endCursor });
    }
    await refused(operations.sessionFamilies, { orderBy: 'LAST_SEEN' });
    const narrowed = { ...filter, issuedAfter: new Date(Date.now() - 600_000).toISOString() };
    expect(receiptOf(await revoke({ filter: narrowed, expectedCount: 60 }))).toMatchObject({ sessions: 60 });
    await service.sql('DELETE FROM users WHERE id = $1', [person.userId]);
  });

  it('is logged with the names of its fields and ids, without an address', async () => {
    const person = await newOwner(service);
    await revoke({ filter: { email: person.email, userId: person.userId, network: '0.0.0.0/0' }, expectedCount: 1 });
    const line = service.logs.filter((text) => text.includes('auth.sessions_revoked_by_super_admin')).at(-1) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      userId: root.userId,
      fields: ['userId', 'email', 'network'],
      revokedUserId: person.userId,
      sessions: 1,
      revoked: 2,
    });
    for (const text of [person.email, '0.0.0.0/0']) expect(line).not.toContain(text);
  });
});

describe('revokeOrganizationSessions', () => {
  const end = (id: string, dryRun = false, caller: Tenant = root): Promise<Answer> =>
    runAs(service, caller, operations.revokeOrganizationSessions, { id, dryRun });

  // Contract: incidents#sessions-of-an-organization — revokeOrganizationSessions: every session whose snapshot it is,
  //   MCP pairs too
  it('ends every session that was issued in it, of members and clients, also after they left', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const { tokens: ofClient } = await seedConnection(service.database, owner.userId, 'Client', ['mcp:whoami']);
    const outsider = await newOwner(service);
    await service.sql('UPDATE users SET current_membership = NULL WHERE id = $1', [member.userId]);
    const elsewhere = await seedSession(service.database, member.userId);
    const dryRun = await expectNothingStored(service, async () => receiptOf(await end(owner.organizationId, true)));
    expect(dryRun).toEqual({
      dryRun: true,
      sessions: 3,
      revokedCredentials: 6,
      revokedAt: null,
      endsOwnSession: false,
    });
    expect(receiptOf(await end(owner.organizationId))).toMatchObject({
      dryRun: false,
      sessions: 3,
      revokedCredentials: 6,
    });
    for (const tokens of [owner.tokens, member.tokens]) await expectEnded(service, tokens);
    expect(
      await service.sql(
        'SELECT id FROM credentials WHERE client_id IS NOT NULL AND revoked_at IS NULL AND user_id = $1',
        [owner.userId],
      ),
    ).toEqual([]);
    expect(ofClient.accessToken).toMatch(/^gate_/);
    for (const tokens of [elsewhere, outsider.tokens]) await expectLive(tokens);
    expect(receiptOf(await end(owner.organizationId))).toMatchObject({ sessions: 0, revokedCredentials: 0 });
    const line = service.logs.find((text) => text.includes('auth.organization_revoked_by_super_admin')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      userId: root.userId,
      organizationId: owner.organizationId,
      sessions: 3,
      revoked: 6,
    });
  });

  it('answers alike for every unknown organization', async () => {
    for (const id of [newId(), 'no id', '', '<b>x</b>', 'x'.repeat(10_000)])
      for (const dryRun of [true, false]) await expectRefusal(service, 'NOT_FOUND', () => end(id, dryRun));
  });
});

describe('Both', () => {
  // Contract: incidents#same-operation-by-tool-and-graphql — Guard of revokeSessions and revokeOrganizationSessions
  it('require a super admin with sessions:revoke, also in the transaction', async () => {
    const person = await newOwner(service);
    const without = await newSuperAdmin(
      service,
      platformScopes.filter((scope) => scope !== 'sessions:revoke'),
    );
    for (const caller of [person, without]) {
      for (const dryRun of [true, false]) {
        await expectRefusal(service, 'FORBIDDEN', () =>
          revoke({ filter: { userId: person.userId }, expectedCount: 1, dryRun }, caller),
        );
        await expectRefusal(service, 'FORBIDDEN', () =>
          runAs(service, caller, operations.revokeOrganizationSessions, { id: person.organizationId, dryRun }),
        );
      }
    }
    await expectLive(person.tokens);
    const viewing = await newSuperAdmin(service, ['sessions:revoke']);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, viewing, operations.sessionFamilies));
  });
});

/** Query activeSessions: a super admin sees every active credential of all users, page by page. */
import { describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { alter, credentialIdOf, expire, refresh } from '../support/actors/credentials.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import { newMember, newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations, post, tokensOf } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchService } from '../support/gatehouse/watched-gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

interface Row {
  readonly id: string;
  readonly sessionFamilyId: string;
  readonly kind: string;
  readonly userEmail: string;
  readonly issuedAt: string;
  readonly isCurrent: boolean;
}
interface Page {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
type Filter = Readonly<Record<string, string | null>>;

const list = async (filter: Filter | null = null, page: object = {}, caller = root): Promise<Page> => {
  const answer = await runAs(service, caller, operations.activeSessions, { filter, ...page });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { activeSessions: Page } }).data.activeSessions;
};

describe('activeSessions', () => {
  // Contract: credentials#revocation-by-super-admins — activeSessions: active credentials of every user, newest first
  it('shows both credentials of every session of all users, newest first, with their own instants', async () => {
    const first = await newOwner(service);
    const second = await newMember(service, first.organizationId);
    const rotated = tokensOf(await refresh(service, first.tokens));
    const answer = await runAs(service, root, operations.activeSessions, {
      filter: { organizationId: first.organizationId },
    });
    const expected = { organizationId: first.organizationId, clientName: null, scopes: [], audience: 'api' };
    const { nodes } = (JSON.parse(answer.text) as { data: { activeSessions: Page } }).data.activeSessions;
    expect(nodes.map(({ userEmail }) => userEmail)).toEqual([first.email, first.email, second.email, second.email]);
    expect(
      nodes
        .slice(0, 2)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['user_refresh', 'user_session']);
    for (const node of nodes) expect(node).toMatchObject({ ...expected, authMethod: 'password', isCurrent: false });
    const [stored] = await service.sql<{ issued: Date; expires: Date }>(
      'SELECT issued_at AS issued, expires_at AS expires FROM credentials WHERE token_hash = $1',
      [sha256(rotated.accessToken)],
    );
    const access = nodes.find(({ kind }) => kind === 'user_session');
    expect(access).toMatchObject({ issuedAt: stored?.issued.toISOString(), expiresAt: stored?.expires.toISOString() });
    for (const token of [first.tokens, second.tokens, rotated].flatMap(({ accessToken, refreshToken }) => [
      accessToken,
      refreshToken,
    ])) {
      for (const secret of [token, sha256(token).toString('hex'), sha256(token).toString('base64')])
        expect(answer.text).not.toContain(secret);
    }
  });

  // Contract: credentials#revocation-by-super-admins — activeSessions: isCurrent for the request's own access
  //   credential
  it('marks the access credential of the request itself, and no other', async () => {
    await seedSession(service.database, root.userId);
    const { nodes } = await list({ userId: root.userId });
    const current = nodes.filter(({ isCurrent }) => isCurrent);
    expect(current.map(({ id }) => id)).toEqual([await credentialIdOf(service, root.tokens.accessToken)]);
    expect(nodes.length).toBeGreaterThan(3);
  });

  // Contract: credentials#revocation-by-super-admins — activeSessions: active credentials only
  it('shows no revoked or expired credential, and none of an older revision', async () => {
    const person = await newOwner(service);
    const gone = await seedSession(service.database, person.userId);
    expect((await list({ userId: person.userId })).totalCount).toBe(4);
    await runAs(service, { tokens: gone }, operations.signOut);
    expect((await list({ userId: person.userId })).totalCount).toBe(2);
    await expire(service, person.tokens.accessToken);
    expect((await list({ userId: person.userId })).nodes.map(({ kind }) => kind)).toEqual(['user_refresh']);
    await service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE id = $1', [
      person.userId,
    ]);
    expect(await list({ userId: person.userId })).toMatchObject({ totalCount: 0, nodes: [] });
    // No operation leaves a credential of an older revision unrevoked.
    await service.sql('DELETE FROM users WHERE id = $1', [person.userId]);
  });

  // Contract: incidents#filters-of-sessions — activeSessions: filter
  it('filters by part of the address, by person, organization, audience and kind, and by all of them at once', async () => {
    const person = await newOwner(service, 'find_me.please@sought.example');
    const other = await newOwner(service, 'findxme.please@sought.example');
    await alter(service, other.tokens.accessToken, `audience = 'portal'`);
    const emailsFor = async (filter: Filter): Promise<string[]> =>
      (await list(filter)).nodes.map(({ userEmail }) => userEmail).sort();
    expect(await emailsFor({ email: ' FIND_ME.please ' })).toEqual([person.email, person.email]);
    expect(await emailsFor({ email: 'sought.EXAMPLE', kind: 'user_session' })).toEqual([person.email, other.email]);
    expect(await emailsFor({ email: 'sought.example', audience: 'portal' })).toEqual([other.email]);
    expect(await emailsFor({ userId: other.userId, kind: 'user_refresh' })).toEqual([other.email]);
    expect(await emailsFor({ organizationId: person.organizationId })).toEqual([person.email, person.email]);
    const all = { email: 'find', userId: other.userId, organizationId: other.organizationId, audience: 'api' };
    expect(await emailsFor({ ...all, kind: 'user_refresh' })).toEqual([other.email]);
    expect(await emailsFor({ ...all, organizationId: person.organizationId })).toEqual([]);
    for (const email of ['%sought', 's_ught.example', '\\', `' OR true --`])
      expect(await emailsFor({ email })).toEqual([]);
    const emptyFilter = { email: '', userId: null, organizationId: null, audience: null, kind: null };
    expect((await list(emptyFilter)).totalCount).toBe((await list()).totalCount);
  });

  it('filters by the organization of the snapshot, also after the person switched or left', async () => {
    const person = await newOwner(service);
    await service.sql('UPDATE users SET current_membership = NULL WHERE id = $1', [person.userId]);
    expect((await list({ organizationId: person.organizationId })).totalCount).toBe(2);
  });

  const refuse = async (variables: object): Promise<readonly string[]> => {
    const act = (): Promise<Answer> => runAs(service, root, operations.activeSessions, { ...variables });
    return Object.keys((await expectRefusal(service, 'BAD_USER_INPUT', act)).extensions['fields'] ?? {});
  };

  // Contract: incidents#empty-answer — activeSessions: an invalid id and an unknown audience are BAD_USER_INPUT
  it('names an invalid id and an unknown audience in a refusal: an empty page means that nothing matches', async () => {
    for (const wrong of ['', 'no identifier', `${root.userId}\u0000`, newId()]) {
      for (const field of ['userId', 'organizationId', 'audience'])
        expect(await refuse({ filter: { [field]: wrong } })).toEqual([field]);
    }
    const { userId, organizationId } = await newOwner(service);
    const both = { userId: userId.toUpperCase(), organizationId: organizationId.toUpperCase() };
    expect((await list(both)).totalCount).toBe(2);
    const empty = {
      totalCount: 0,
      totalCountIsCapped: false,
      nodes: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    };
    expect(await list({ userId, organizationId: root.organizationId })).toEqual(empty);
  });

  it('refuses an invalid page size, cursor and address', async () => {
    for (const first of [0, -1, 101]) expect(await refuse({ first })).toEqual(['first']);
    const cursors = [['1'], ['1', 'x'], ['-1', newId()], ['x', newId()], ['9'.repeat(17), newId()], ['1', newId(), '']];
    for (const cursor of [
      '',
      'hello',
      ...cursors.map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url')),
    ])
      expect(await refuse({ after: cursor })).toEqual(['after']);
    for (const email of ['x'.repeat(255), 'a\u0000b']) expect(await refuse({ filter: { email } })).toEqual(['email']);
    expect((await list({ email: 'x'.repeat(254) })).nodes).toEqual([]);
    const latest = Buffer.from(JSON.stringify(['9'.repeat(16), newId()])).toString('base64url');
    expect((await list(null, { after: latest, first: 1 })).nodes).toHaveLength(1);
  });

  // Contract: credentials#revocation-by-super-admins — activeSessions: pages
  it('pages through any number by cursor, each once, also those of one instant and of one millisecond', async () => {
    const userId = await seedPerson(service.database);
    // Three of each microsecond, all within one millisecond except the last ones.
    await service.sql(
      `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
         auth_method, issued_at, expires_at, family_expires_at)
       SELECT gen_random_uuid(), sha256(($1 || n)::bytea), 'user_session', gen_random_uuid(), gen_random_uuid(), $1::uuid,
         0, 'api', 'password', timestamptz '2026-01-01 12:00:00.123Z' + (n / 3) * interval '12 microseconds',
         now() + interval '1 day', now() + interval '1 day' FROM generate_series(1, 257) AS n`,
      [userId],
    );
    const expected = await service.sql.column<string>(
      'SELECT id FROM credentials WHERE user_id = $1 ORDER BY issued_at DESC, id DESC',
      [userId],
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Page = await list({ userId }, { first: 50, after });
      expect(page.totalCount).toBe(257);
      seen.push(...page.nodes.map(({ id }) => id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(expected);
    await service.sql('DELETE FROM users WHERE id = $1', [userId]);
  });

  // Contract: credentials#revocation-by-super-admins — activeSessions: rows that have expired and audiences that are
  //   rare
  it('lists by range what is live, among expired credentials of any lifetime, in pages of any filter', async () => {
    const userId = await seedPerson(service.database);
    const [organizationId = ''] = await service.sql.column<string>(
      'SELECT organization_id AS id FROM organization_members WHERE user_id = $1',
      [userId],
    );
    // Lifetimes around the bounds of their classes, none and negative ones; some of each have expired.
    await service.sql(
      `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
         auth_method, organization_id, issued_at, expires_at, family_expires_at)
       SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), kind, gen_random_uuid(), gen_random_uuid(), $1::uuid, 0,
         CASE WHEN n % 3 = 0 THEN 'portal' ELSE 'api' END, 'password', $2::uuid,
         now() - share * lifetime, now() - share * lifetime + lifetime, now() + interval '1 year'
       FROM unnest('{-1 hour,0,1 microsecond,15 minutes,15 minutes 1 microsecond,1 hour,6 hours,1 day,3 days,7 days,15 days,
         30 days,30 days 1 second,200 days}'::interval[]) WITH ORDINALITY AS lifetimes (lifetime, n),
         unnest('{0.2,0.9,1.5}'::float8[]) AS share, unnest('{user_session,user_refresh}'::text[]) AS kind`,
      [userId, organizationId],
    );
    const expected = (condition: string): Promise<string[]> =>
      service.sql.column<string>(
        `SELECT c.id FROM credentials c JOIN users u ON u.id = c.user_id AND u.credentials_revision = c.credentials_revision
         WHERE c.revoked_at IS NULL AND c.expires_at > now() AND ${condition} ORDER BY c.issued_at DESC, c.id DESC`,
      );
    const filters: readonly (readonly [Filter, string])[] = [
      [{}, 'true'],
      [{ kind: 'user_session' }, `c.kind = 'user_session'`],
      [{ audience: 'portal' }, `c.audience = 'portal'`],
      [{ organizationId }, `c.organization_id = '${organizationId}'`],
      [
        { organizationId, audience: 'portal', kind: 'user_refresh' },
        `c.organization_id = '${organizationId}' AND
         c.audience = 'portal' AND c.kind = 'user_refresh'`,
      ],
      [{ organizationId, email: '@' }, `c.organization_id = '${organizationId}' AND strpos(u.email, '@') > 0`],
      [{ email: '@', kind: 'user_session' }, `c.kind = 'user_session'`],
      [{ userId }, `c.user_id = '${userId}'`],
    ];
    for (const [filter, condition] of filters) {
      const ids = await expected(condition);
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: Page = await list(filter, { first: 5, after });
        expect([filter, page.totalCount]).toEqual([filter, ids.length]);
        seen.push(...page.nodes.map(({ id }) => id));
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      expect([filter, seen]).toEqual([filter, ids]);
    }
    await service.sql('DELETE FROM users WHERE id = $1', [userId]);
  });

  // Contract: requests#pages-and-totals — A page whose total is not asked for counts nothing
  it('counts only for a caller who asks for the total, and once for both of its fields', async () => {
    const watched = await watchService(service);
    const query = (fields: string) =>
      watched.during(() => runAs(watched, root, `{ activeSessions(first: 1) { ${fields} } }`));
    const counting = (asked: readonly string[]) => asked.filter((name) => name.includes('count_active'));
    expect(counting(await query('nodes { id } pageInfo { endCursor }'))).toEqual([]);
    expect(counting(await query('nodes { id } totalCount totalCountIsCapped'))).toEqual(['credentials.count_active']);
    await watched.close();
  });

  // Contract: credentials#revocation-by-super-admins — Guard of activeSessions: super admin
  it('requires a super admin with sessions:view', async () => {
    const viewer = await newSuperAdmin(service, ['sessions:view']);
    expect((await list({ userId: viewer.userId }, {}, viewer)).totalCount).toBe(2);
    const others = platformScopes.filter((scope) => scope !== 'sessions:view');
    for (const caller of [await newSuperAdmin(service, []), await newSuperAdmin(service, others)]) {
      const refused = await expectRefusal(service, 'FORBIDDEN', () =>
        runAs(service, caller, operations.activeSessions),
      );
      expect(refused.extensions['missingScopes']).toEqual(['sessions:view']);
    }
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, owner, operations.activeSessions));
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.activeSessions));
    await service.sql('UPDATE users SET is_super_admin = false WHERE id = $1', [viewer.userId]);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, viewer, operations.activeSessions));
  });
});

/** revokeSessionFamilies: sessions that a super admin chose one by one end together. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { addTo, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, bearer, operations, post, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service, ['sessions:revoke']));

const end = (ids: readonly string[], dryRun = false, caller: Tenant = root): Promise<Answer> =>
  runAs(service, caller, operations.revokeSessionFamilies, { ids, dryRun });

const receiptOf = ({ data, text }: Answer): unknown => {
  if (data === null) throw new Error(text);
  return data['revokeSessionFamilies'];
};

const familiesOf = ({ userId }: Tenant): Promise<readonly string[]> =>
  service.sql.column<string>('SELECT DISTINCT session_family_id FROM credentials WHERE user_id = $1', [userId]);

const codeOf = async ({ accessToken }: Tokens): Promise<string | null> =>
  (await post(service.url, operations.me, {}, bearer({ accessToken, refreshToken: '' }))).code;

describe('revokeSessionFamilies', () => {
  // Contract: incidents#chosen-sessions — Sessions that were chosen by their ids end, and no other, with one receipt
  it('ends the chosen sessions and no other, with one receipt', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const [first = ''] = await familiesOf(one);
    const kept = await seedSession(service.database, one.userId);
    const chosen = [first.toUpperCase(), ...(await familiesOf(other)), first];
    const expected = { sessions: 2, revokedCredentials: 4, endsOwnSession: false };
    const dryRun = await expectNothingStored(service, async () => receiptOf(await end(chosen, true)));
    expect(dryRun).toEqual({ dryRun: true, revokedAt: null, ...expected });
    expect(receiptOf(await end(chosen))).toMatchObject({ dryRun: false, ...expected });
    expect([await codeOf(one.tokens), await codeOf(other.tokens), await codeOf(kept)]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      null,
    ]);
    expect(receiptOf(await end(chosen))).toMatchObject({ sessions: 0, revokedCredentials: 0 });
  });

  // Contract: incidents#chosen-sessions — A chosen session that does not exist counts for nothing
  it('counts what does not exist for nothing', async () => {
    const person = await newOwner(service);
    const chosen = [newId(), ...(await familiesOf(person))];
    expect(receiptOf(await end(chosen))).toMatchObject({ sessions: 1, revokedCredentials: 2 });
  });

  it("tells when the caller's own session is among them, and ends it", async () => {
    const admin = await newSuperAdmin(service, ['sessions:revoke']);
    expect(receiptOf(await end(await familiesOf(admin), false, admin))).toMatchObject({ endsOwnSession: true });
    expect(await codeOf(admin.tokens)).toBe('UNAUTHENTICATED');
  });

  // Contract: incidents#chosen-sessions — More than 500 chosen sessions are refused, and so is an id that is none
  it.each([
    ['none', []],
    ['more than five hundred', range(501).map(newId)],
    ['one that is no id', [newId(), '<b>x</b>']],
    ['one of 10,000 characters', ['x'.repeat(10_000)]],
  ])('refuses a choice of %s', async (_what, ids) => {
    for (const dryRun of [true, false]) {
      const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () => end(ids, dryRun));
      expect(Object.keys(extensions['fields'] ?? {})).toEqual(['sessionFamilyIds']);
    }
  });

  it('refuses a caller without the scope', async () => {
    const viewer = await newSuperAdmin(service, ['sessions:view']);
    const person = await newOwner(service);
    const chosen = await familiesOf(person);
    for (const caller of [viewer, person]) await expectRefusal(service, 'FORBIDDEN', () => end(chosen, false, caller));
    expect(await codeOf(person.tokens)).toBeNull();
  });
});

describe('A session that has switched organization', () => {
  /** Switches once, and returns the family of before with the pair of after. */
  const switched = async (person: Tenant): Promise<{ readonly before: string; readonly tokens: Tokens }> => {
    const [before = ''] = await familiesOf(person);
    const target = await newOwner(service);
    await addTo(service, person.userId, target.organizationId);
    const answer = await runAs(service, person, operations.switchOrganization, { id: target.organizationId });
    return { before, tokens: tokensOf(answer) };
  };

  it('is found by its id of before, in a dry run as in a change', async () => {
    const { before, tokens } = await switched(await newOwner(service));
    const expected = { sessions: 1, revokedCredentials: 2, endsOwnSession: false };
    const dryRun = await expectNothingStored(service, async () => receiptOf(await end([before], true)));
    expect(dryRun).toEqual({ dryRun: true, revokedAt: null, ...expected });
    expect(receiptOf(await end([before]))).toMatchObject({ dryRun: false, ...expected });
    expect(await codeOf(tokens)).toBe('UNAUTHENTICATED');
  });

  it('is counted once where it is chosen by both ids', async () => {
    const person = await newOwner(service);
    await switched(person);
    const both = await familiesOf(person);
    expect(both).toHaveLength(2);
    for (const dryRun of [true, false]) expect(receiptOf(await end(both, dryRun))).toMatchObject({ sessions: 1 });
  });

  it("is the caller's own by its id of before too", async () => {
    const admin = await newSuperAdmin(service, ['sessions:revoke']);
    const { before, tokens } = await switched(admin);
    for (const dryRun of [true, false]) {
      expect(receiptOf(await end([before], dryRun, { ...admin, tokens }))).toMatchObject({ endsOwnSession: true });
    }
  });

  it('ends after any number of switches', async () => {
    const person = await newOwner(service);
    const tokens: Tokens[] = [];
    for (const _ of range(60)) tokens.push(await seedSession(service.database, person.userId));
    // Each follows the one before, and is ended by its switch, as 60 switches leave them.
    const chain = await service.sql.column<string>(
      'SELECT DISTINCT session_family_id FROM credentials WHERE user_id = $1',
      [person.userId],
    );
    await service.sql(
      `UPDATE credentials c SET succeeds_family_id = p.before, revoked_at = CASE WHEN p.is_last THEN NULL ELSE now() END,
         revocation_reason = CASE WHEN p.is_last THEN NULL ELSE 'switched_organization' END
       FROM (SELECT id, lag(id) OVER w AS before, lead(id) OVER w IS NULL AS is_last
         FROM unnest($1::uuid[]) WITH ORDINALITY AS f (id, place) WINDOW w AS (ORDER BY place)) AS p
       WHERE c.session_family_id = p.id`,
      [chain],
    );
    const [first = ''] = chain;
    const expected = { sessions: 1, revokedCredentials: 2 };
    for (const dryRun of [true, false]) expect(receiptOf(await end([first], dryRun))).toMatchObject(expected);
    expect(
      await service.sql('SELECT FROM credentials WHERE revoked_at IS NULL AND user_id = $1', [person.userId]),
    ).toEqual([]);
  });
});

describe('The log of a revocation of many sessions', () => {
  it.each([
    [
      'revokeSessionFamilies',
      async (person: Tenant) => end(await familiesOf(person)),
      'auth.sessions_revoked_by_super_admin',
    ],
    [
      'revokeSessions',
      ({ userId }: Tenant) => runAs(service, root, operations.revokeSessions, { filter: { userId }, expectedCount: 1 }),
      'auth.sessions_revoked_by_super_admin',
    ],
    [
      'revokeOrganizationSessions',
      ({ organizationId }: Tenant) =>
        runAs(service, root, operations.revokeOrganizationSessions, { id: organizationId.toUpperCase() }),
      'auth.organization_revoked_by_super_admin',
    ],
  ] as const)('has %s although nothing is read after the commit', async (_name, act, event) => {
    const person = await newOwner(service);
    const { database } = service;
    const one: typeof database.one = database.one.bind(database);
    const lines = () => service.logs.filter((line) => line.includes(event)).length;
    const before = lines();
    database.one = (statement, params) =>
      statement.name === 'database.clock'
        ? Promise.reject(new DatabaseUnavailable('Taken away after the commit'))
        : one(statement, params);
    try {
      expect((await act(person)).code).toBe('UNAVAILABLE');
    } finally {
      Object.assign(database, { one });
    }
    expect(await codeOf(person.tokens)).toBe('UNAUTHENTICATED');
    expect(lines()).toBe(before + 1);
  });
});

/** revokeSessionFamilies: sessions that a super admin chose one by one end together. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, bearer, operations, post, type Tokens } from '../support/clients/clients.ts';
import { fixture, serviceFixture } from '../support/fixture.ts';

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
  it('ends the chosen sessions and no other, with one receipt', async () => {
    const [one, other] = [await newOwner(service), await newOwner(service)];
    const [first = ''] = await familiesOf(one);
    const kept = await seedSession(service.database, one.userId);
    const chosen = [first.toUpperCase(), ...(await familiesOf(other)), first];
    const expected = { sessions: 2, revokedCredentials: 4, endsOwnSession: false };
    const rehearsal = await expectNothingStored(service, async () => receiptOf(await end(chosen, true)));
    expect(rehearsal).toEqual({ dryRun: true, revokedAt: null, ...expected });
    expect(receiptOf(await end(chosen))).toMatchObject({ dryRun: false, ...expected });
    expect([await codeOf(one.tokens), await codeOf(other.tokens), await codeOf(kept)]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      null,
    ]);
    expect(receiptOf(await end(chosen))).toMatchObject({ sessions: 0, revokedCredentials: 0 });
  });

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

/** The tools user_suspend, user_reinstate and sign_ins_list, compared with the operations of GraphQL. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { me } from '../support/actors/credentials.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { goodPassword, operations, post, register, type Variables } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask, expectArgumentRefused, expectIdsRefused, expectSameRefusal } from './tool-and-graphql.ts';
import { callTool, newToolCaller } from './tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

const reason = 'Sells stolen accounts';

const asked = (query: string, variables: Variables = {}): Promise<unknown> => ask(service, root, query, variables);

describe('user_suspend', () => {
  // Contract: incidents#same-operation-by-tool-and-graphql — user_suspend, user_reinstate
  it('suspends as suspendUser does, after a dry run that changes nothing, and user_get tells the reason', async () => {
    const { userId, tokens } = await newOwner(service);
    const dry = await expectNothingStored(service, () =>
      callTool(service, root, 'user_suspend', { userId, reason, dryRun: true }),
    );
    const answer = { userId, isSuspended: true, revokedCredentials: 2 };
    expect(dry.structured).toEqual({ ...answer, dryRun: true, suspendedAt: null });
    expect(dry.text).toMatch(/^Dry run, nothing was changed: .* would be suspended, and 2 credentials revoked\.\n/);
    const { structured } = await callTool(service, root, 'user_suspend', { userId: userId.toUpperCase(), reason });
    expect(structured).toEqual({ ...answer, dryRun: false, suspendedAt: expect.any(String) as unknown });
    expect((await me(service, tokens.accessToken)).code).toBe('UNAUTHENTICATED');
    const again = await asked(operations.suspendUser, { id: userId, reason });
    expect(again).toEqual({ ...answer, revokedCredentials: 0, suspendedAt: structured['suspendedAt'] });
    const details = await callTool(service, root, 'user_get', { userId });
    expect(details.structured).toMatchObject({
      user: { suspendedAt: structured['suspendedAt'] },
      suspensions: [{ reason, suspendedByEmail: root.email, reinstatedAt: null }],
    });
    expect(details.text).toContain('is suspended');
    await callTool(service, root, 'user_reinstate', { userId });
    expect((await callTool(service, root, 'user_get', { userId })).structured).toMatchObject({
      user: { suspendedAt: null },
    });
  });

  it('is refused to suspend oneself as by GraphQL', async () => {
    const args = { userId: root.userId, reason };
    await expectSameRefusal(service, root, 'FORBIDDEN', 'user_suspend', args, () =>
      runAs(service, root, operations.suspendUser, { id: root.userId, reason }),
    );
  });

  it('refuses an id of no person, and a reason that is none, by name', async () => {
    const { userId } = await newOwner(service);
    await expect(callTool(service, root, 'user_suspend', { userId: newId(), reason })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expectNothingStored(service, async () => {
      await expectArgumentRefused(service, root, 'user_suspend', { userId: 'no id', reason }, 'userId');
      for (const text of ['', ' ', 'x'.repeat(201), 'a\u0007b']) {
        await expectArgumentRefused(service, root, 'user_suspend', { userId, reason: text }, 'reason');
      }
    });
  });
});

describe('user_reinstate', () => {
  it('changes nothing in a dry run', async () => {
    const { userId } = await newOwner(service);
    await callTool(service, root, 'user_suspend', { userId, reason });
    const { structured } = await expectNothingStored(service, () =>
      callTool(service, root, 'user_reinstate', { userId, dryRun: true }),
    );
    expect(structured).toEqual({
      dryRun: true,
      userId,
      isSuspended: false,
      suspendedAt: null,
      revokedCredentials: 0,
    });
  });

  it('refuses an id of no person', async () => {
    await expectIdsRefused(service, root, 'user_reinstate', 'userId', (id) =>
      runAs(service, root, operations.reinstateUser, { id }),
    );
  });
});

describe('sign_ins_list', () => {
  // Contract: incidents#same-operation-by-tool-and-graphql — sign_ins_list, as signIns
  it('lists the same attempts as signIns, filtered alike', async () => {
    const email = await register(service);
    for (const password of ['Wrong.horse7', goodPassword]) {
      await post(service.url, operations.signIn, { input: { email, password } });
    }
    const userId = (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';
    const [from, to] = [-3600, 3600].map((seconds) => new Date(Date.now() + seconds * 1000).toISOString());
    for (const filter of [
      { userId },
      { userId, outcome: 'success' },
      { userId, outcome: 'INVALID_CREDENTIALS', method: 'password' },
      { userId, network: '127.0.0.0/8', from, to },
      { userId, network: '::1' },
    ]) {
      const listed = await asked(operations.signIns, { filter });
      const { structured } = await callTool(service, root, 'sign_ins_list', filter);
      const { unlistedRefusals, ...page } = listed as { readonly unlistedRefusals: number };
      expect([structured, unlistedRefusals]).toEqual([page, 0]);
    }
  });

  it.each([
    ['userId', { userId: newId() }],
    ['userId', { userId: 'no id' }],
    ['network', { network: 'localhost' }],
    ['outcome', { outcome: 'FAILURE' }],
    ['method', { method: 'magic' }],
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-13-01T00:00:00Z' }],
    ['first', { first: 101 }],
    ['after', { after: 'no cursor' }],
  ])('refuses an invalid %s', async (field, args) => {
    await expectArgumentRefused(service, root, 'sign_ins_list', args, field);
  });
});

/** removeMember: people are removed from an organization, or leave it, and their sessions there end. */
import { describe, expect, it } from 'vitest';
import { credentialsOf, liveOf, me, refresh } from '../support/actors/credentials.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import {
  activeOrganization,
  addTo,
  foreignMemberIds,
  inviteTo,
  newMember,
  newOwner,
  roleOf,
  runAs,
  setActive,
  type Tenant,
} from '../support/actors/tenants.ts';
import { inParallel, outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded } from '../support/checks/sessions.ts';
import { type Answer, Browser, goodPassword, operations, post, register } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

type Caller = Pick<Tenant, 'tokens'>;

const remove = (person: Caller, id: string): Promise<Answer> => runAs(service, person, operations.removeMember, { id });

describe('removeMember', () => {
  // Contract: organizations#removal-of-a-member — Removing a member ends every session family whose snapshot is that
  //   organization
  it('ends exactly the sessions of that organization, and falls back to the oldest other membership', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const second = await seedSession(service.database, member.userId);
    const [home] = await service.sql<{ id: string; organizationId: string }>(
      `SELECT id, organization_id AS "organizationId" FROM organization_members WHERE user_id = $1
       ORDER BY joined_at LIMIT 1`,
      [member.userId],
    );
    await addTo(service, member.userId, (await newOwner(service)).organizationId);
    await setActive(service, member.userId, home?.id ?? null);
    const elsewhere = await seedSession(service.database, member.userId);
    await setActive(service, member.userId, member.memberId);
    expect((await remove(owner, member.memberId)).data).toEqual({ removeMember: true });
    for (const tokens of [member.tokens, second]) await expectEnded(service, tokens);
    expect(await activeOrganization(service, { tokens: elsewhere })).toBe(home?.organizationId);
    expect((await refresh(service, elsewhere)).code).toBeNull();
    const reasons = (await credentialsOf(service, member.email)).map(({ reason }) => reason ?? 'live');
    expect(tally(reasons)).toEqual({ membership_removed: 4, rotated: 2, live: 2 });
    expect((await me(service, owner.tokens.accessToken)).code).toBeNull();
  });

  it('leaves a person without another membership with none active', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await service.sql('DELETE FROM organization_members WHERE user_id = $1 AND id <> $2', [
      member.userId,
      member.memberId,
    ]);
    await remove(owner, member.memberId);
    const tokens = await seedSession(service.database, member.userId);
    expect(await activeOrganization(service, { tokens })).toBeNull();
  });

  it('keeps the active membership when it is another one', async () => {
    const owner = await newOwner(service);
    const person = await newOwner(service);
    const memberId = await addTo(service, person.userId, owner.organizationId);
    await remove(owner, memberId);
    expect(await activeOrganization(service, person)).toBe(person.organizationId);
  });

  it('never falls back to an invitation', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await service.sql('DELETE FROM organization_members WHERE user_id = $1 AND id <> $2', [
      member.userId,
      member.memberId,
    ]);
    await inviteTo(service, member.userId, (await newOwner(service)).organizationId);
    await remove(owner, member.memberId);
    const tokens = await seedSession(service.database, member.userId);
    expect(await activeOrganization(service, { tokens })).toBeNull();
  });

  it('deletes an invitation', async () => {
    const owner = await newOwner(service);
    const invited = await inviteTo(service, await seedPerson(service.database), owner.organizationId);
    expect((await remove(owner, invited)).code).toBeNull();
    expect(await roleOf(service, invited)).toBeUndefined();
  });

  // Contract: organizations#removal-of-a-member — An ADMIN removes ADMIN and MEMBER only
  it('lets an ADMIN remove ADMIN and MEMBER, and no OWNER', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const invited = await inviteTo(service, await seedPerson(service.database), owner.organizationId, 'OWNER');
    for (const role of ['ADMIN', 'MEMBER'] as const) {
      const other = await newMember(service, owner.organizationId, role);
      expect((await remove(admin, other.memberId)).code).toBeNull();
    }
    await expectRefusal(service, 'FORBIDDEN', () => remove(admin, owner.memberId));
    await expectRefusal(service, 'FORBIDDEN', () => remove(admin, invited));
  });

  // Contract: organizations#last-owner — The last OWNER cannot be removed
  it('never removes the last OWNER who has joined, who cannot leave either', async () => {
    const owner = await newOwner(service);
    await inviteTo(service, await seedPerson(service.database), owner.organizationId, 'OWNER');
    await expectRefusal(service, 'LAST_OWNER', () => remove(owner, owner.memberId));
    const second = await newMember(service, owner.organizationId, 'OWNER');
    expect((await remove(owner, second.memberId)).code).toBeNull();
    await expectRefusal(service, 'LAST_OWNER', () => remove(owner, owner.memberId));
  });

  it('keeps one of two owners who leave at once', async () => {
    const seen = await inParallel(range(25), 2, async () => {
      const owner = await newOwner(service);
      const second = await newMember(service, owner.organizationId, 'OWNER');
      const answers = await Promise.all([remove(owner, owner.memberId), remove(second, second.memberId)]);
      return answers.map(outcomeOf).sort().join(' ');
    });
    expect(tally(seen)).toEqual({ 'LAST_OWNER OK': 25 });
  });

  // Contract: organizations#tenant-boundary — Unknown ids and those of other tenants are answered alike
  it('answers alike for every unknown id', async () => {
    const owner = await newOwner(service);
    const answers: string[] = [];
    for (const id of await foreignMemberIds(service)) {
      answers.push((await expectRefusal(service, 'NOT_FOUND', () => remove(owner, id))).text);
    }
    const gone = await newMember(service, owner.organizationId);
    await remove(owner, gone.memberId);
    answers.push((await expectRefusal(service, 'NOT_FOUND', () => remove(owner, gone.memberId))).text);
    expect(new Set(answers).size).toBe(1);
  });

  // Contract: organizations#removal-of-a-member — removeMember: scope MEMBERS_REMOVE
  it('requires the scope MEMBERS_REMOVE, for any id', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    for (const id of [owner.memberId, ...(await foreignMemberIds(service))]) {
      const answer = await expectRefusal(service, 'FORBIDDEN', () => remove(member, id));
      expect(answer.extensions['missingScopes']).toEqual(['MEMBERS_REMOVE']);
    }
    await setActive(service, member.userId, null);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => remove(member, owner.memberId));
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.removeMember, { id: member.memberId }),
    );
  });

  // Contract: organizations#removal-of-a-member — Removing a member while they sign in
  it('leaves no session of the organization after a concurrent sign-in', async () => {
    await inParallel(range(25), 2, async () => {
      const owner = await newOwner(service);
      const member = await newMember(service, owner.organizationId);
      await Promise.all([remove(owner, member.memberId), seedSession(service.database, member.userId)]);
      const live = await liveOf(service, member.email);
      expect(live.filter(({ organization }) => organization === owner.organizationId)).toEqual([]);
    });
  });

  it('is logged with identifiers only', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await runAs(service, owner, operations.changeMemberRole, { id: member.memberId, role: 'ADMIN' });
    await remove(owner, member.memberId);
    const lines = service.logs.filter((line) => line.includes(member.memberId));
    expect(lines.some((line) => line.includes('"organization.role_changed"'))).toBe(true);
    expect(lines.some((line) => line.includes('"organization.member_removed"'))).toBe(true);
    expect(lines.join('\n')).not.toContain(member.email);
  });
});

// Contract: organizations#effective-scopes — removeMember: the credential's own limit counts
it('A session with limited scopes removes no other member, but lets the member leave', async () => {
  const owner = await newOwner(service);
  const [limited, member] = [
    await newMember(service, owner.organizationId, 'ADMIN'),
    await newMember(service, owner.organizationId),
  ];
  await service.sql(`UPDATE credentials SET scopes = '{MEMBERS_VIEW}' WHERE user_id = $1`, [limited.userId]);
  const refused = await expectRefusal(service, 'FORBIDDEN', () => remove(limited, member.memberId));
  expect(refused.extensions['missingScopes']).toEqual(['MEMBERS_REMOVE']);
  expect((await remove(limited, limited.memberId)).data).toEqual({ removeMember: true });
});

describe('Leaving', () => {
  // Contract: organizations#leaving-an-organization — removeMember by the member themself (leave)
  it("requires no scope, and ends the member's sessions there", async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await service.sql(`UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1`, [
      owner.organizationId,
    ]);
    expect((await remove(member, member.memberId)).data).toEqual({ removeMember: true });
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, member.tokens.accessToken));
  });

  it('works from another organization, and keeps the session there', async () => {
    const person = await newOwner(service);
    const memberId = await addTo(service, person.userId, (await newOwner(service)).organizationId);
    expect((await remove(person, memberId)).code).toBeNull();
    expect(await activeOrganization(service, person)).toBe(person.organizationId);
  });

  it('is not possible for an invitation, which is answered by its link', async () => {
    const person = await newOwner(service);
    const invited = await inviteTo(service, person.userId, (await newOwner(service)).organizationId);
    await expectRefusal(service, 'NOT_FOUND', () => remove(person, invited));
  });

  // Contract: organizations#leaving-an-organization — Leaving clears the cookies of the session that ended
  it('clears the cookies of the session that ends with it, and of no other', async () => {
    const email = await register(service);
    const user = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    const userId = user ?? '';
    const browser = new Browser(service);
    const away = await addTo(service, userId, (await newOwner(service)).organizationId);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect((await browser.run(operations.removeMember, { id: away })).setCookies).toEqual([]);
    const here = await addTo(service, userId, (await newOwner(service)).organizationId);
    await setActive(service, userId, here);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect(browser.cookies.size).toBe(2);
    expect((await browser.run(operations.removeMember, { id: here })).data).toEqual({ removeMember: true });
    expect(browser.cookies.size).toBe(0);
  });
});

describe('A membership that is deleted', () => {
  const current = (userId: string) =>
    service.sql.value<string | null>('SELECT current_membership AS id FROM users WHERE id = $1', [userId]);

  // Contract: organizations#removal-of-a-member — No user refers to a membership that does not exist
  it('is no user’s active one, however it is deleted', async () => {
    const person = await newOwner(service);
    const home = (await current(person.userId)) ?? '';
    const other = await addTo(service, person.userId, (await newOwner(service)).organizationId);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [other]);
    expect(await current(person.userId)).toBe(home);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [home]);
    expect(await current(person.userId)).toBeNull();
    const member = await newMember(service, person.organizationId);
    expect(await current(member.userId)).toBe(member.memberId);
    await service.sql('DELETE FROM organizations WHERE id = $1', [person.organizationId]);
    expect(await current(member.userId)).toBeNull();
  });

  it('goes with its user', async () => {
    const person = await newOwner(service);
    await service.sql('DELETE FROM users WHERE id = $1', [person.userId]);
    expect(
      await service.sql.value('SELECT count(*)::integer AS n FROM organization_members WHERE user_id = $1', [
        person.userId,
      ]),
    ).toBe(0);
  });
});

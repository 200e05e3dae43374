/** Session governance: super admins end any session, and sign any user out. */

import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/access/actor.ts';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { adminRevokeSession, revokeSessionsOfUser } from '../../src/domain/session-admin/revoke-session.ts';
import type { RefusalCode } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { actorWith } from '../support/actors/actor.ts';
import { alter, credentialIdOf, credentialsOf, familyOf, liveOf, me, refresh } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { addTo, newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNoEffect, expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded } from '../support/checks/sessions.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  operations,
  post,
  register,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

const idOf = (token: string): Promise<string> => credentialIdOf(service, token);

const revokeSession = (id: string, caller = root): Promise<Answer> =>
  runAs(service, caller, operations.revokeSession, { id });
const revokeUser = (id: string, caller = root): Promise<Answer> =>
  runAs(service, caller, operations.revokeUserSessions, { id });

const expectLive = async (tokens: Tokens): Promise<void> => {
  expect((await me(service, tokens.accessToken)).code).toBeNull();
};

const reasonsOf = async (email: string): Promise<readonly (string | null)[]> =>
  (await credentialsOf(service, email)).map(({ reason }) => reason);

describe('revokeSession', () => {
  // Contract: credentials#revocation-by-super-admins — active → revoked, super-admin revoke of one session
  it('ends both tokens of the session at once, by the id of either, and nothing else', async () => {
    const person = await newOwner(service);
    const [other, outsider] = [await seedSession(service.database, person.userId), await newOwner(service)];
    const answer = await revokeSession(await idOf(person.tokens.accessToken));
    expect(answer.data).toMatchObject({ revokeSession: { success: true, revokedCredentials: 2 } });
    expect(answer.setCookies).toEqual([]);
    await expectEnded(service, person.tokens);
    for (const pair of [other, outsider.tokens, root.tokens]) await expectLive(pair);
    expect(await reasonsOf(person.email)).toEqual(['revoked_by_super_admin', 'revoked_by_super_admin', null, null]);
    await revokeSession(await idOf(other.refreshToken));
    await expectEnded(service, other);
  });

  // Contract: credentials#revocation-by-super-admins — A super admin ends a session that has rotated since
  it('ends the current pair of a session that has rotated', async () => {
    const person = await newOwner(service);
    const id = await idOf(person.tokens.accessToken);
    const fresh = tokensOf(await refresh(service, person.tokens));
    expect((await revokeSession(id)).data).toMatchObject({ revokeSession: { revokedCredentials: 2 } });
    await expectEnded(service, fresh);
  });

  // Contract: credentials#revocation-by-super-admins — A super admin ends a session that has switched since
  it('follows a session that has switched to another organization', async () => {
    const person = await newOwner(service);
    const elsewhere = await newOwner(service);
    await addTo(service, person.userId, elsewhere.organizationId);
    const id = await idOf(person.tokens.accessToken);
    const target = { id: elsewhere.organizationId };
    const moved = tokensOf(await runAs(service, person, operations.switchOrganization, target));
    expect((await revokeSession(id)).data).toMatchObject({ revokeSession: { revokedCredentials: 2 } });
    await expectEnded(service, moved);
  });

  // Contract: credentials#revocation-receipt — revokeSession of a revoked session
  it('reports success with nothing revoked when the session had ended before', async () => {
    const person = await newOwner(service);
    const id = await idOf(person.tokens.accessToken);
    await revokeSession(id);
    const again = await expectNoEffect(service, async () => ({ ...(await revokeSession(id)), sent: [] }));
    expect(again.data).toMatchObject({ revokeSession: { success: true, revokedCredentials: 0 } });
  });

  // Contract: credentials#revocation-by-super-admins — revokeSession of an unknown credential
  it('answers alike for every unknown id', async () => {
    const { tokens } = await newOwner(service);
    const id = await idOf(tokens.accessToken);
    const unknown = await expectRefusal(service, 'NOT_FOUND', () => revokeSession(newId()));
    for (const wrong of ['', 'no identifier', `${id}\u0000`, root.userId]) {
      const answer = await expectRefusal(service, 'NOT_FOUND', () => revokeSession(wrong));
      expect(answer.text).toBe(unknown.text);
    }
    await expectLive(tokens);
  });

  it('takes an id in any case', async () => {
    const { tokens } = await newOwner(service);
    const answer = await revokeSession((await idOf(tokens.accessToken)).toUpperCase());
    expect(answer.code).toBeNull();
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  });

  it('logs who ended which session, after the commit, only by ids', async () => {
    const person = await newOwner(service);
    const [credentialId, family] = [
      await idOf(person.tokens.accessToken),
      await familyOf(service, person.tokens.accessToken),
    ];
    await revokeSession(credentialId);
    const [line = ''] = service.logs.filter((text) => text.includes('auth.session_revoked_by_super_admin')).slice(-1);
    const facts = { userId: root.userId, credentialId, sessionFamilyId: family, revoked: 2 };
    expect(JSON.parse(line)).toMatchObject(facts);
    expect(line).not.toContain('@');
  });
});

describe('revokeUserSessions', () => {
  // Contract: credentials#revocation-by-super-admins — active → revoked, super-admin revoke of a person
  it('ends every session of the user by a new revision, and of no other user', async () => {
    const person = await newOwner(service);
    const [other, outsider] = [await seedSession(service.database, person.userId), await newOwner(service)];
    const answer = await revokeUser(person.userId);
    expect(answer.data).toMatchObject({ revokeUserSessions: { success: true, revokedCredentials: 4 } });
    expect(answer.setCookies).toEqual([]);
    for (const pair of [person.tokens, other]) await expectEnded(service, pair);
    for (const pair of [outsider.tokens, root.tokens]) await expectLive(pair);
    expect(new Set(await reasonsOf(person.email))).toEqual(new Set(['revoked_by_super_admin']));
    const revision = await service.sql.value<number>(
      'SELECT credentials_revision AS revision FROM users WHERE id = $1',
      [person.userId],
    );
    expect(revision).toBe(1);
    await expectLive(await seedSession(service.database, person.userId));
  });

  it('reports success with nothing revoked for a user without a session', async () => {
    const person = await newOwner(service);
    await revokeUser(person.userId);
    const again = await revokeUser(person.userId);
    expect(again.data).toMatchObject({ revokeUserSessions: { success: true, revokedCredentials: 0 } });
  });

  // Contract: credentials#revocation-by-super-admins — revokeUserSessions of an unknown user
  it('answers alike for every unknown id', async () => {
    const { userId, memberId, tokens } = await newOwner(service);
    const unknown = await expectRefusal(service, 'NOT_FOUND', () => revokeUser(newId()));
    for (const wrong of ['', 'no identifier', `${userId}\u0000`, memberId]) {
      const answer = await expectRefusal(service, 'NOT_FOUND', () => revokeUser(wrong));
      expect(answer.text).toBe(unknown.text);
    }
    await expectLive(tokens);
  });

  it('takes an id in any case', async () => {
    const { userId, tokens } = await newOwner(service);
    expect((await revokeUser(userId.toUpperCase())).code).toBeNull();
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  });

  // Contract: credentials#rotation-and-revocation-at-once — Two super admins who sign each other out concurrently
  it('lets two super admins sign each other out concurrently without a deadlock', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [left, right] = [await newSuperAdmin(service), await newSuperAdmin(service)];
      const answers = await Promise.all([revokeUser(right.userId, left), revokeUser(left.userId, right)]);
      for (const { code } of answers) expect([null, 'UNAUTHENTICATED']).toContain(code);
      expect(answers.some(({ code }) => code === null)).toBe(true);
    }
  });
});

describe("A super admin's own session", () => {
  const signInAtPortal = async (): Promise<{ email: string; userId: string; browser: Browser }> => {
    const [email, browser] = [await register(service), new Browser(service)];
    const id = await service.sql.value<string>(
      `UPDATE users SET is_super_admin = true, platform_scopes = '{sessions:revoke}' WHERE email = $1 RETURNING id`,
      [email],
    );
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    return { email, userId: id ?? '', browser };
  };
  const accessOf = (browser: Browser): Promise<string> => idOf(browser.cookies.get('auth_access') ?? '');

  // Contract: credentials#revocation-by-super-admins — A super admin's own session ends with its cookies
  it('can be ended like any other, with its cookies cleared', async () => {
    const { email, browser } = await signInAtPortal();
    const answer = await browser.run(operations.revokeSession, { id: await accessOf(browser) });
    expect(answer.data).toMatchObject({ revokeSession: { revokedCredentials: 2 } });
    expect([...browser.cookies.keys()]).toEqual([]);
    expect(await liveOf(service, email)).toEqual([]);
  });

  it('keeps its cookies when another session ends, of the same user or another', async () => {
    const { userId, browser } = await signInAtPortal();
    const other = await seedSession(service.database, userId);
    const outsider = await newOwner(service);
    const answers = [
      await browser.run(operations.revokeSession, { id: await idOf(other.accessToken) }),
      await browser.run(operations.revokeUserSessions, { id: outsider.userId }),
    ];
    for (const { code, setCookies } of answers) expect([code, setCookies]).toEqual([null, []]);
    expect((await browser.run(operations.me)).code).toBeNull();
  });

  it('loses its cookies when it is ended by a credential from before it switched', async () => {
    const { userId, browser } = await signInAtPortal();
    const { organizationId } = await newOwner(service);
    await addTo(service, userId, organizationId);
    const id = await accessOf(browser);
    await browser.run(operations.switchOrganization, { id: organizationId });
    expect((await browser.run(operations.revokeSession, { id })).code).toBeNull();
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('ends with all of their sessions, cookies included', async () => {
    const { userId, browser } = await signInAtPortal();
    const other = await seedSession(service.database, userId);
    const answer = await browser.run(operations.revokeUserSessions, { id: userId });
    expect(answer.data).toMatchObject({ revokeUserSessions: { revokedCredentials: 4 } });
    expect([...browser.cookies.keys()]).toEqual([]);
    await expectEnded(service, other);
  });
});

describe('The authority to revoke', () => {
  const targetIds = async () => {
    const person = await newOwner(service);
    return { person, credentialId: await idOf(person.tokens.accessToken) };
  };

  // Contract: credentials#revocation-by-super-admins — Guard of revokeSession and revokeUserSessions: super admin with
  //   sessions:revoke
  it('requires a super admin with sessions:revoke', async () => {
    const { person, credentialId } = await targetIds();
    const others = platformScopes.filter((scope) => scope !== 'sessions:revoke');
    const callers = [
      { caller: person, missing: undefined },
      { caller: await newMember(service, person.organizationId, 'ADMIN'), missing: undefined },
      { caller: await newSuperAdmin(service, others), missing: ['sessions:revoke'] },
    ];
    for (const { caller, missing } of callers) {
      for (const act of [() => revokeSession(credentialId, caller), () => revokeUser(person.userId, caller)]) {
        const answer = await expectRefusal(service, 'FORBIDDEN', act);
        expect(answer.extensions['missingScopes']).toEqual(missing);
      }
    }
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.revokeSession, { id: credentialId }),
    );
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.revokeUserSessions, { id: person.userId }),
    );
  });

  it('does not reach further than the scopes that the credential is limited to', async () => {
    const { person, credentialId } = await targetIds();
    const limited = await newSuperAdmin(service);
    await alter(service, limited.tokens.accessToken, `scopes = '{sessions:view}'`);
    await expectRefusal(service, 'FORBIDDEN', () => revokeSession(credentialId, limited));
    await expectRefusal(service, 'FORBIDDEN', () => revokeUser(person.userId, limited));
  });

  /** Of a request that began a moment ago. */
  const actorOf = ({ userId: id, email }: Tenant, sessionFamilyId: string): Actor =>
    actorWith({
      user: { id, email, isSuperAdmin: true, platformScopes: ['sessions:revoke'] },
      credential: { id: newId(), sessionFamilyId },
    });
  const deps = () => ({ database: service.database, logger: silentLogger });

  // Contract: credentials#revocation-by-super-admins — Withdrawn authority does not count any more, at once
  it.each([
    ['flag', 'is_super_admin = false'],
    ['scope', `platform_scopes = '{sessions:view}'`],
  ])('is gone for a super admin who lost the %s after the request began', async (_what, change) => {
    const { person, credentialId } = await targetIds();
    const former = await newSuperAdmin(service);
    await service.sql(`UPDATE users SET ${change} WHERE id = $1`, [former.userId]);
    const actor = actorOf(former, await familyOf(service, former.tokens.accessToken));
    await expectRefused(actor, { credentialId, userId: person.userId }, 'FORBIDDEN');
  });

  it('is gone for a super admin who was signed out after the request began', async () => {
    const { person, credentialId } = await targetIds();
    const former = await newSuperAdmin(service);
    const actor = actorOf(former, await familyOf(service, former.tokens.accessToken));
    const own = { credentialId: await idOf(former.tokens.accessToken), dryRun: false };
    await adminRevokeSession(deps(), actorOf(root, await familyOf(service, root.tokens.accessToken)), own);
    await expectRefused(actor, { credentialId, userId: person.userId }, 'UNAUTHENTICATED');
  });

  const expectRefused = (actor: Actor, target: { credentialId: string; userId: string }, code: RefusalCode) =>
    expectNothingStored(service, async () => {
      const { credentialId, userId } = target;
      for (const dryRun of [false, true]) {
        await expect(adminRevokeSession(deps(), actor, { credentialId, dryRun })).rejects.toMatchObject({ code });
        await expect(revokeSessionsOfUser(deps(), actor, { userId, dryRun })).rejects.toMatchObject({ code });
      }
    });

  // Contract: credentials#revocation-by-super-admins — A dry run: the same checks, nothing changed
  it('makes the same checks in a dry run and reports what would end, with nothing changed', async () => {
    const { person, credentialId } = await targetIds();
    await seedSession(service.database, person.userId);
    const actor = actorOf(root, await familyOf(service, root.tokens.accessToken));
    const dryRun = true;
    await expectNothingStored(service, async () => {
      const one = await adminRevokeSession(deps(), actor, { credentialId, dryRun });
      expect(one).toMatchObject({ revokedCredentials: 2, endsOwnSession: false });
      const all = await revokeSessionsOfUser(deps(), actor, { userId: person.userId, dryRun });
      expect(all).toMatchObject({ revokedCredentials: 4, endsOwnSession: false });
      const own = await adminRevokeSession(deps(), actor, {
        credentialId: await idOf(root.tokens.accessToken),
        dryRun,
      });
      expect(own).toMatchObject({ revokedCredentials: 2, endsOwnSession: true });
      const unknown = adminRevokeSession(deps(), actor, { credentialId: newId(), dryRun });
      await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
    await expectLive(person.tokens);
  });
});

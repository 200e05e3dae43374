/** A second factor that an organization or the service requires: what a session without one may do, and with one. */

import { describe, expect, it } from 'vitest';
import { createIdentity } from '../../../packages/node/src/index.ts';
import { ageAuthentication, refresh } from '../support/actors/credentials.ts';
import { addOneTimeCodes, freshCode } from '../support/actors/one-time-codes.ts';
import { addTo, newMember, newOwner, newSuperAdmin, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { beginAuthorization, csrfTokenIn, PageBrowser, registerClient } from '../support/clients/authorization.ts';
import { type Answer, bearer, newAddress, operations, tokensOf } from '../support/clients/clients.ts';
import { callTool, listedNames, newMcpClient, send } from '../support/clients/mcp.ts';
import { fixture, serviceFixture } from '../support/fixture.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';

type Person = Pick<Tenant, 'tokens'>;

const identityOf = async ({ url }: Pick<Service, 'url'>, { tokens }: Person, query = '') => {
  const answer = await fetch(`${url}/auth/identity?method=GET${query}`, { headers: bearer(tokens) });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
};

/** A person of a signed-in session with one-time codes, which the session has used. */
const withCodes = async (service: Service, person: Tenant): Promise<Tenant & { readonly secret: string }> => ({
  ...person,
  ...(await addOneTimeCodes(service, person.tokens)),
});

const confirmByCode = async (service: Service, { tokens, secret }: Person & { readonly secret: string }) =>
  runAs(service, { tokens }, operations.reauthenticate, { input: { code: await freshCode(service, secret) } });

/** A session of the person that has used no second factor: as after a sign-in with a provider. */
const forgetFactor = async (service: Service, { userId }: Pick<Tenant, 'userId'>): Promise<void> => {
  await service.sql('UPDATE credentials SET second_factor_at = NULL WHERE user_id = $1', [userId]);
};

describe('An organization that requires a second factor', () => {
  const service = serviceFixture({ STRIPE_SECRET_KEY: 'sk_test_unused', STRIPE_API_BASE: 'http://127.0.0.1:9' });
  const current = `{ me { currentMembership {
    role scopes needsSecondFactor organization { requireSecondFactor } scopeExplanations { granted reasons } }
    memberships { needsSecondFactor } } }`;

  const setPolicy = (person: Person, required: boolean): Promise<Answer> =>
    runAs(service, person, operations.setSecondFactorPolicy, { required });

  const changesIn = ({ organizationId }: Tenant): readonly string[] =>
    service.logs.filter(
      (line) => line.includes('organization.second_factor_policy_changed') && line.includes(organizationId),
    );

  const scopesOf = async (person: Person): Promise<readonly string[]> => {
    const { data } = await runAs(service, person, current);
    return (data as { me: { currentMembership: { scopes: string[] } } }).me.currentMembership.scopes;
  };

  /** An organization that requires it: its owner has used one, the others have none. */
  const newStrictOrganization = async () => {
    const owner = await withCodes(service, await newOwner(service));
    const { organizationId } = owner;
    const other = await newMember(service, organizationId, 'OWNER');
    const member = await newMember(service, organizationId);
    expect((await setPolicy(owner, true)).data).toEqual({
      setSecondFactorPolicy: { id: organizationId, requireSecondFactor: true },
    });
    return { owner, other, member };
  };

  // Specification: Account — setSecondFactorPolicy: members hold no scopes in sessions without a second factor
  it('grants no scope to a session without one from the next request on, and says so', async () => {
    const { owner, member } = await newStrictOrganization();
    expect((await runAs(service, member, current)).data).toMatchObject({
      me: {
        currentMembership: {
          role: 'MEMBER',
          scopes: [],
          needsSecondFactor: true,
          organization: { requireSecondFactor: true },
        },
        // The one of this organization, and the own.
        memberships: expect.arrayContaining([{ needsSecondFactor: true }, { needsSecondFactor: false }]) as unknown,
      },
    });
    expect((await runAs(service, owner, current)).data).toMatchObject({
      me: {
        currentMembership: { needsSecondFactor: false, scopes: expect.arrayContaining(['MEMBERS_VIEW']) as unknown },
      },
    });
  });

  // Specification: Account — A required second factor: guards of scope and role answer SECOND_FACTOR_REQUIRED
  it('refuses what takes a scope or a role, and changes nothing', async () => {
    const { owner, other } = await newStrictOrganization();
    const { organizationId } = owner;
    const input = { email: newAddress(), role: 'MEMBER' };
    const refused = [
      () => runAs(service, other, operations.members),
      () => runAs(service, other, operations.inviteMember, { input }),
      () => runAs(service, other, operations.renameOrganization, { name: 'Renamed' }),
      () => runAs(service, other, operations.removeMember, { id: owner.memberId }),
      () => runAs(service, other, operations.createBillingPortalSession),
      () => runAs(service, other, operations.deleteOrganization, { input: { organizationId, name: 'Any' } }),
      () => runAs(service, other, operations.restoreOrganization, { id: organizationId }),
      () => setPolicy(other, false),
    ];
    for (const attempt of refused) await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', attempt);
  });

  it('refuses with FORBIDDEN what the role does not grant with a second factor either', async () => {
    const { member } = await newStrictOrganization();
    const input = { email: newAddress(), role: 'ADMIN' };
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, member, operations.inviteMember, { input }));
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, member, operations.createBillingPortalSession));
  });

  it('lets a session without one switch away and leave', async () => {
    const { owner, member } = await newStrictOrganization();
    const elsewhere = await newOwner(service);
    await addTo(service, member.userId, elsewhere.organizationId);
    const id = elsewhere.organizationId;
    const tokens = tokensOf(await runAs(service, member, operations.switchOrganization, { id }));
    expect(await scopesOf({ tokens })).toEqual(['MEMBERS_VIEW']);
    expect((await runAs(service, { tokens }, operations.removeMember, { id: member.memberId })).code).toBeNull();
    const count = await service.sql.value('SELECT count(*)::integer FROM organization_members WHERE id = $1', [
      member.memberId,
    ]);
    expect([count, owner.organizationId === id]).toEqual([0, false]);
  });

  it('grants again as soon as the session has used one: the first that is set up, or a confirmation', async () => {
    const { member } = await newStrictOrganization();
    const { secret } = await withCodes(service, member);
    expect(await scopesOf(member)).toEqual(['MEMBERS_VIEW']);
    await forgetFactor(service, member);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => runAs(service, member, operations.members));
    expect((await confirmByCode(service, { ...member, secret })).code).toBeNull();
    expect(await scopesOf(member)).toEqual(['MEMBERS_VIEW']);
    const refreshed = tokensOf(await refresh(service, member.tokens));
    expect(await scopesOf({ tokens: refreshed })).toEqual(['MEMBERS_VIEW']);
  });

  it('grants as before once it no longer requires one', async () => {
    const { owner, member } = await newStrictOrganization();
    expect((await setPolicy(owner, false)).code).toBeNull();
    expect(await scopesOf(member)).toEqual(['MEMBERS_VIEW']);
    expect(changesIn(owner)).toHaveLength(2);
  });

  it('records no change when the policy is as it was', async () => {
    const { owner } = await newStrictOrganization();
    expect((await setPolicy(owner, true)).code).toBeNull();
    expect(changesIn(owner)).toHaveLength(1);
  });

  // Specification: Account — setSecondFactorPolicy: scope ORGANIZATION_UPDATE, fresh, from a session that meets it
  it('is made so by a recent session with one alone, and with the scope', async () => {
    const owner = await newOwner(service);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => setPolicy(owner, true));
    await addOneTimeCodes(service, owner.tokens);
    await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => setPolicy(owner, true));
    const member = await withCodes(service, await newMember(service, owner.organizationId));
    await expectRefusal(service, 'FORBIDDEN', () => setPolicy(member, true));
    expect(await scopesOf(owner)).toContain('ORGANIZATION_UPDATE');
  });

  // Specification: Account — explainScope names a required second factor
  it('is named by explainScope', async () => {
    const { owner, member } = await newStrictOrganization();
    const explained = async (person: Person) =>
      JSON.stringify((await runAs(service, person, operations.explainScope, { scope: 'MEMBERS_VIEW' })).data);
    expect(await explained(member)).toMatch(/"granted":false.*requires a second factor, and this session has none/);
    expect(await explained(owner)).toMatch(/"granted":true.*requires a second factor, and this session has one/);
  });

  // Specification: Account — A membership that needs a second factor is not shown to back ends
  it('is hidden from back ends by a session without one: by identity, its headers and the package', async () => {
    const { other } = await newStrictOrganization();
    const plain = await identityOf(service, other);
    expect(plain.body).toMatchObject({
      membership: null,
      scopes: [],
      needsSecondFactor: { membership: true, platform: false },
    });
    expect([plain.headers.get('x-auth-role'), plain.headers.get('x-auth-organization-id')]).toEqual(['', '']);
    for (const query of ['&membership=required', '&scope=MEMBERS_VIEW']) {
      const { status, body } = await identityOf(service, other, query);
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: { code: 'SECOND_FACTOR_REQUIRED' } });
    }
    const identity = createIdentity({ baseUrl: service.url });
    const actor = await identity.resolveActor({ method: 'GET', headers: bearer(other.tokens) });
    expect(actor).toMatchObject({ currentMembership: null, scopes: [], needsSecondFactor: { membership: true } });
    const needed = expect.objectContaining({ code: 'SECOND_FACTOR_REQUIRED', status: 403 }) as unknown;
    expect(() => identity.requireMembership(actor)).toThrow(needed);
    expect(() => identity.requireScopes(actor, 'MEMBERS_VIEW')).toThrow(needed);
  });
});

describe('A super admin where SUPER_ADMIN_SECOND_FACTOR=required', () => {
  const service = serviceFixture({ SUPER_ADMIN_SECOND_FACTOR: 'required' });

  // Specification: Account — SUPER_ADMIN_SECOND_FACTOR=required: no platform scope without the second instant
  it('has no authority as one in a session without a second factor, and changes nothing', async () => {
    const admin = await newSuperAdmin(service);
    const { userId } = await newOwner(service);
    const refused = [
      () => runAs(service, admin, operations.activeSessions),
      () => runAs(service, admin, operations.mcpToolAudits),
      () => runAs(service, admin, operations.revokeUserSessions, { id: userId }),
    ];
    for (const attempt of refused) await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', attempt);
    const explained = await runAs(service, admin, operations.explainScope, { scope: 'users:view' });
    expect(explained.text).toMatch(
      /"granted":false.*Super admins need a second factor here, and this session has none/,
    );
    expect((await identityOf(service, admin)).body).toMatchObject({
      user: { isSuperAdmin: false },
      membership: { role: 'OWNER' },
      needsSecondFactor: { membership: false, platform: true },
    });
  });

  it('keeps the authority of their role in an organization', async () => {
    const admin = await newSuperAdmin(service);
    expect((await runAs(service, admin, operations.members)).code).toBeNull();
    expect((await runAs(service, admin, '{ me { isSuperAdmin } }')).data).toEqual({ me: { isSuperAdmin: true } });
  });

  // Specification: Account — Setting up the first factor sets the second instant
  it('has it in the session in which they set up their first one, and after a confirmation', async () => {
    const admin = await withCodes(service, await newSuperAdmin(service));
    const { userId } = await newOwner(service);
    const end = () => runAs(service, admin, operations.revokeUserSessions, { id: userId });
    expect((await end()).code).toBeNull();
    await forgetFactor(service, admin);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', end);
    expect((await confirmByCode(service, admin)).code).toBeNull();
    expect((await end()).code).toBeNull();
    expect((await identityOf(service, admin)).body).toMatchObject({ user: { isSuperAdmin: true } });
  });

  // Specification: Account — A denial for lack of a second factor is a security event
  it('leaves an event of each denial', async () => {
    const admin = await newSuperAdmin(service);
    await runAs(service, admin, operations.revokeUserSessions, { id: admin.userId });
    const denied = service.logs.filter((line) => line.includes('access.denied') && line.includes(admin.userId));
    expect(denied).toHaveLength(1);
    expect(denied[0]).toContain('SECOND_FACTOR_REQUIRED');
  });

  it('is refused by back ends for what they would have alone', async () => {
    const admin = await newSuperAdmin(service);
    const { organizationId } = await newOwner(service);
    const memberId = await addTo(service, admin.userId, organizationId);
    await setActive(service, admin.userId, memberId);
    const identity = createIdentity({ baseUrl: service.url });
    const resolve = () => identity.resolveActor({ method: 'GET', headers: bearer(admin.tokens) });
    const codeOf = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const actor = await resolve();
    expect(codeOf(() => identity.requireScopes(actor, 'MEMBERS_INVITE'))).toBe('FORBIDDEN');
    expect(codeOf(() => identity.requireScopes(actor, 'users:view'))).toBe('SECOND_FACTOR_REQUIRED');
    expect((await identityOf(service, admin, '&scope=MEMBERS_INVITE')).body).toMatchObject({
      error: { code: 'FORBIDDEN' },
    });
    expect((await identityOf(service, admin, '&scope=users:view')).body).toMatchObject({
      error: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    await setActive(service, admin.userId, null);
    const alone = await resolve();
    expect(codeOf(() => identity.requireMembership(alone))).toBe('MEMBERSHIP_REQUIRED');
  });

  it('does not lift FORBIDDEN for others, nor for scopes that were not granted', async () => {
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, owner, operations.activeSessions));
    const admin = await withCodes(service, await newSuperAdmin(service, ['mcp:whoami']));
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, admin, operations.mcpToolAudits));
  });

  // Specification: Account — Platform MCP pairs work while their person has a passkey or codes
  it('uses Platform MCP while their account has one, whatever the session', async () => {
    const client = await newMcpClient(service);
    const { person } = client;
    const list = () => send(service, client, { id: 1, method: 'tools/list', params: {} });
    expect(listedNames(await list())).toEqual([]);
    expect((await callTool(service, client, 'mcp_whoami')).text).not.toContain(person.email);
    expect(await outcomes(person)).toEqual(['deny']);
    await addOneTimeCodes(service, person.tokens);
    expect(listedNames(await list())).toContain('mcp_whoami');
    expect((await callTool(service, client, 'mcp_whoami')).text).toContain(person.email);
    expect((await runAs(service, person, operations.disableTotp)).code).toBeNull();
    expect(listedNames(await list())).toEqual([]);
    expect((await callTool(service, client, 'mcp_whoami')).text).not.toContain(person.email);
    expect(await outcomes(person)).toEqual(['deny', 'success', 'deny']);
  });

  const outcomes = async ({ userId }: Pick<Tenant, 'userId'>): Promise<readonly string[]> =>
    (
      await service.sql<{ outcome: string }>(
        'SELECT outcome FROM mcp_tool_audits WHERE actor_user_id = $1 ORDER BY position',
        [userId],
      )
    ).map(({ outcome }) => outcome);

  describe('who is asked for consent', () => {
    const client = fixture(async () => ({ id: await registerClient(service) }));

    const ask = async () => {
      const admin = await newSuperAdmin(service);
      const browser = new PageBrowser(service);
      browser.keep({ name: 'auth_access', value: admin.tokens.accessToken, path: '/' });
      return { admin, browser, path: await beginAuthorization(browser, client.id) };
    };

    const codes = ({ userId }: Pick<Tenant, 'userId'>): Promise<number | undefined> =>
      service.sql.value<number>('SELECT count(*)::integer FROM oauth_codes WHERE user_id = $1', [userId]);

    // Specification: Account — Platform MCP's consent needs a session with the second instant
    it('is led to confirm first, and is asked afterwards', async () => {
      const { admin, browser, path } = await ask();
      const { status, location } = await browser.get(path);
      const page = `${service.config.frontendUrl}/reauthenticate?redirect=${path}&secondFactor=true`;
      expect([status, location]).toEqual([302, page]);
      await addOneTimeCodes(service, admin.tokens);
      const csrf = csrfTokenIn(await browser.get(path));
      await forgetFactor(service, admin);
      const refused = await browser.post(path, { decision: 'approve', csrf_token: csrf });
      expect([refused.status, refused.location]).toEqual([303, page]);
      expect(await codes(admin)).toBe(0);
      await service.sql('UPDATE credentials SET second_factor_at = now() WHERE user_id = $1', [admin.userId]);
      const allowed = await browser.post(path, { decision: 'approve', csrf_token: csrf });
      expect(allowed.location).toContain('code=');
      expect(await codes(admin)).toBe(1);
    });
  });
});

describe('A super admin where SUPER_ADMIN_SECOND_FACTOR=optional', () => {
  const service = serviceFixture({ SUPER_ADMIN_SECOND_FACTOR: 'optional' });

  it('has authority in every session', async () => {
    const admin = await newSuperAdmin(service);
    expect((await runAs(service, admin, operations.activeSessions)).code).toBeNull();
    const { body } = await identityOf(service, admin);
    expect(body).toMatchObject({ user: { isSuperAdmin: true } });
    expect(body).not.toHaveProperty('needsSecondFactor');
  });
});

/** A second factor that the operator requires of super admins: what a session without one may do, and with one. */
import { describe, expect, it } from 'vitest';
import { createIdentity } from '../../../packages/node/src/index.ts';
import { revokeSessionsOfUser } from '../../src/domain/session-admin/revoke-session.ts';
import { ageAuthentication } from '../support/actors/credentials.ts';
import { addOneTimeCodes } from '../support/actors/one-time-codes.ts';
import { actorOf, confirmByCode, forgetFactor, identityOf, withCodes } from '../support/actors/second-factors.ts';
import { addTo, newOwner, newSuperAdmin, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { beginAuthorization, csrfTokenIn, PageBrowser, registerClient } from '../support/clients/authorization.ts';
import { bearer, operations } from '../support/clients/clients.ts';
import { callTool, listedNames, newMcpClient, send } from '../support/clients/mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

describe('A super admin where SUPER_ADMIN_SECOND_FACTOR=required', () => {
  const service = serviceFixture({ SUPER_ADMIN_SECOND_FACTOR: 'required' });

  // Contract: account#super-admins-with-a-factor — SUPER_ADMIN_SECOND_FACTOR=required: no platform scope without the
  //   second instant
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

  // Contract: account#changes-of-factors — Setting up the first factor sets the second instant
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

  // Contract: account#visibility-of-a-missing-factor — A denial for lack of a second factor is a security event
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

  // Contract: account#super-admins-with-a-factor — Platform MCP pairs work while their person has a passkey or codes
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

  it('is refused by a change whose request began before the last factor was removed', async () => {
    const client = await newMcpClient(service);
    const { tokens } = client.person;
    await addOneTimeCodes(service, tokens);
    const actor = await actorOf(service, client.tokens, ['mcp']);
    const { userId } = await newOwner(service);
    await runAs(service, { tokens }, operations.disableTotp);
    const change = () =>
      revokeSessionsOfUser({ database: service.database, logger: silentLogger }, actor, { userId, dryRun: false });
    const refused = expect(expectNothingStored(service, change)).rejects;
    await refused.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
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

    // Contract: account#super-admins-with-a-factor — Platform MCP's consent needs a session with the second instant
    // Contract: platform-mcp#recent-authentication-at-consent — A super admin whose session lacks the second factor is
    //   led to reauthenticate; the answer checks it again
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

  // Contract: platform-mcp#recent-authentication-at-consent — An authentication of more than ten minutes ago leads to
  //   reauthenticate, when the question is asked and when it is answered
  it('authenticates again before the question of consent, and before its answer counts', async () => {
    const admin = await newSuperAdmin(service);
    const browser = new PageBrowser(service);
    browser.keep({ name: 'auth_access', value: admin.tokens.accessToken, path: '/' });
    const path = await beginAuthorization(browser, await registerClient(service));
    const page = `${service.config.frontendUrl}/reauthenticate?redirect=${path}`;
    const authenticated = (age: string) => ageAuthentication(service, admin.tokens.accessToken, age);

    await authenticated('10 minutes 1 second');
    const asked = await browser.get(path);
    expect([asked.status, asked.location]).toEqual([302, page]);
    await authenticated('9 minutes');
    const csrf = csrfTokenIn(await browser.get(path));

    await authenticated('10 minutes 1 second');
    const answer = () => browser.post(path, { decision: 'approve', csrf_token: csrf });
    const refused = await expectNothingStored(service, answer);
    expect([refused.status, refused.location]).toEqual([303, page]);
    await authenticated('9 minutes');
    expect((await answer()).location).toContain('code=');
  });
});

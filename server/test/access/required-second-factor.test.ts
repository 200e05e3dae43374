/** A second factor that an organization requires: what a session without one may do there, and with one. */
import { describe, expect, it } from 'vitest';
import { createIdentity } from '../../../packages/node/src/index.ts';
import { type BillingDeps, openBillingPortal } from '../../src/domain/billing/checkout.ts';
import { renameOrganization } from '../../src/domain/memberships/own-organizations.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import { ageAuthentication, refresh } from '../support/actors/credentials.ts';
import { addOneTimeCodes } from '../support/actors/one-time-codes.ts';
import {
  actorOf,
  confirmByCode,
  forgetFactor,
  identityOf,
  type Person,
  withCodes,
} from '../support/actors/second-factors.ts';
import { addTo, newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, bearer, newAddress, operations, tokensOf } from '../support/clients/clients.ts';
import { type Service, serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

/** What billing needs; no payment provider is asked in these tests. */
const billingOf = ({ database, config }: Service): BillingDeps => ({
  application: defaultApplication,
  database,
  limits: unlimited,
  payments: {
    findPrice: () => Promise.reject(new Error('asked for a price')),
    openCheckout: () => Promise.reject(new Error('asked for a checkout')),
    openPortal: () => Promise.reject(new Error('asked for the portal')),
  },
  settings: config,
});

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

  // Contract: account#organizations-with-a-factor — setSecondFactorPolicy: members hold no scopes in sessions without a
  //   second factor
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

  // Contract: account#organizations-with-a-factor — A required second factor: guards of scope and role answer
  //   SECOND_FACTOR_REQUIRED
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

  // Contract: account#organizations-with-a-factor — setSecondFactorPolicy: scope ORGANIZATION_UPDATE, fresh, from a
  //   session that meets it
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

  it('counts in a change whose request began before the policy was set', async () => {
    const owner = await withCodes(service, await newOwner(service));
    const other = await newMember(service, owner.organizationId, 'OWNER');
    const actor = await actorOf(service, other.tokens, ['portal', 'api']);
    await setPolicy(owner, true);
    const changes: readonly (() => Promise<object>)[] = [
      () => renameOrganization({ database: service.database, logger: silentLogger }, actor, { name: 'Renamed' }),
      () => openBillingPortal(billingOf(service), actor),
    ];
    for (const change of changes) {
      const refused = expect(expectNothingStored(service, change)).rejects;
      await refused.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
    }
  });

  // Contract: account#visibility-of-a-missing-factor — explainScope names a required second factor
  it('is named by explainScope', async () => {
    const { owner, member } = await newStrictOrganization();
    const explained = async (person: Person) =>
      JSON.stringify((await runAs(service, person, operations.explainScope, { scope: 'MEMBERS_VIEW' })).data);
    expect(await explained(member)).toMatch(/"granted":false.*requires a second factor, and this session has none/);
    expect(await explained(owner)).toMatch(/"granted":true.*requires a second factor, and this session has one/);
  });

  // Contract: account#visibility-of-a-missing-factor — A membership that needs a second factor is not shown to back
  //   ends
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

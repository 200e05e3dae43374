/** Scopes: what grants them on the very next request, and the sentences that explain them. */
import { describe, expect, it } from 'vitest';
import { addTo, inviteTo, newMember, newOwner, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations, post } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

interface Explanation {
  readonly scope: string;
  readonly granted: boolean;
  readonly reasons: readonly string[];
}

const explain = async (person: Pick<Tenant, 'tokens'>, scope: string): Promise<Explanation> => {
  const answer = await runAs(service, person, operations.explainScope, { scope });
  return (JSON.parse(answer.text) as { data: { explainScope: Explanation } }).data.explainScope;
};

const explanations = `{ me { memberships { role scopes organization { id } scopeExplanations { scope granted reasons } } } }`;

interface ExplainedMembership {
  readonly scopes: readonly string[];
  readonly organization: { readonly id: string };
  readonly scopeExplanations: readonly Explanation[];
}

const membershipsOf = async (person: Pick<Tenant, 'tokens'>): Promise<readonly ExplainedMembership[]> => {
  const answer = await runAs(service, person, explanations);
  return (JSON.parse(answer.text) as { data: { me: { memberships: ExplainedMembership[] } } }).data.me.memberships;
};

const subscribe = (organizationId: string, change: string): Promise<unknown> =>
  service.sql(`UPDATE subscriptions SET ${change} WHERE organization_id = $1`, [organizationId]);

const organizationScopes = [
  'MEMBERS_VIEW',
  'MEMBERS_INVITE',
  'MEMBERS_UPDATE',
  'MEMBERS_REMOVE',
  'ORGANIZATION_UPDATE',
  'BILLING_MANAGE',
  'TOKENS_MANAGE',
  'MCP_MANAGE',
  'AUDIT_VIEW',
];

const unlimited = 'Your session is not limited to specific scopes.';
const home = "You belong to Test Person's organization.";

describe('explainScope of an organization', () => {
  // Contract: organizations#effective-scopes — Scopes: what the role and the product of the active subscription both
  //   grant
  it('explains what grants a scope, in the order checked: credential, membership, role, subscription', async () => {
    const owner = await newOwner(service);
    expect(await explain(owner, 'BILLING_MANAGE')).toEqual({
      scope: 'BILLING_MANAGE',
      granted: true,
      reasons: [
        unlimited,
        home,
        'Your role here is OWNER, which grants BILLING_MANAGE.',
        "The organization's subscription is ACTIVE, and its product free grants BILLING_MANAGE.",
      ],
    });
  });

  // Contract: organizations#explanation-of-a-scope — explainScope: role
  it('names the roles that would grant a missing scope', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const member = await newMember(service, owner.organizationId, 'MEMBER');
    expect(await explain(admin, 'BILLING_MANAGE')).toMatchObject({
      granted: false,
      reasons: [unlimited, home, 'Your role here is ADMIN, which does not grant BILLING_MANAGE: only OWNER does.', {}],
    });
    expect((await explain(member, 'MEMBERS_INVITE')).reasons[2]).toBe(
      'Your role here is MEMBER, which does not grant MEMBERS_INVITE: OWNER and ADMIN do.',
    );
    expect((await explain(member, 'MEMBERS_VIEW')).granted).toBe(true);
  });

  // Contract: organizations#explanation-of-a-scope — explainScope: subscription product
  it('explains the problem of the subscription', async () => {
    const owner = await newOwner(service);
    const lastReason = async (change: string): Promise<string | undefined> => {
      await subscribe(owner.organizationId, change);
      const { granted, reasons } = await explain(owner, 'MEMBERS_INVITE');
      expect([granted, reasons.length]).toEqual([false, 4]);
      return reasons[3];
    };
    for (const status of ['PAST_DUE', 'CANCELED']) {
      expect(await lastReason(`status = '${status}'`)).toBe(
        `The organization's subscription is ${status}, so it grants no scopes: it must be ACTIVE or TRIALING.`,
      );
    }
    const none = 'The organization has no subscription, so it grants no scopes: it takes the product free.';
    expect(await lastReason(`status = 'NONE'`)).toBe(none);
    expect(await lastReason(`status = 'ACTIVE', product = 'gone'`)).toBe(
      "The organization's product is gone, which does not grant MEMBERS_INVITE: only free does.",
    );
    expect(await lastReason('product = NULL')).toBe(
      "The organization's subscription is for no product: it takes the product free.",
    );
    await service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [owner.organizationId]);
    expect((await explain(owner, 'MEMBERS_INVITE')).reasons[3]).toBe(none);
  });

  // Contract: organizations#explanation-of-a-scope — explainScope: membership
  it('explains that there is no active organization', async () => {
    const owner = await newOwner(service);
    await setActive(service, owner.userId, null);
    expect(await explain(owner, 'MEMBERS_VIEW')).toEqual({
      scope: 'MEMBERS_VIEW',
      granted: false,
      reasons: [
        unlimited,
        'You have no active organization, and MEMBERS_VIEW counts only in one: switch to an organization first.',
      ],
    });
  });

  // Contract: organizations#explanation-of-a-scope — explainScope: credential
  it('explains that a credential is limited to other scopes, which then do not count', async () => {
    const owner = await newOwner(service);
    await service.sql(`UPDATE credentials SET scopes = '{MEMBERS_VIEW}' WHERE user_id = $1`, [owner.userId]);
    expect(await explain(owner, 'MEMBERS_VIEW')).toMatchObject({
      granted: true,
      reasons: ['Your session is limited to specific scopes, and MEMBERS_VIEW is one of them.', {}, {}, {}],
    });
    expect((await explain(owner, 'MEMBERS_UPDATE')).granted).toBe(false);
    const answer = await runAs(service, owner, operations.renameOrganization, { name: 'Too far' });
    expect([answer.code, answer.extensions['missingScopes']]).toEqual(['FORBIDDEN', ['ORGANIZATION_UPDATE']]);
    expect((await runAs(service, owner, operations.members)).code).toBeNull();
  });
});

describe('explainScope of the platform', () => {
  // Contract: organizations#platform-scopes — super-admin access is scope-based
  it('explains whether the caller is a super admin and was granted the scope', async () => {
    const person = await newOwner(service);
    expect(await explain(person, 'mcp:whoami')).toEqual({
      scope: 'mcp:whoami',
      granted: false,
      reasons: [unlimited, 'You are not a super admin, and only super admins can be granted mcp:whoami.'],
    });
    await service.sql(`UPDATE users SET is_super_admin = true, platform_scopes = '{mcp:whoami}' WHERE id = $1`, [
      person.userId,
    ]);
    expect(await explain(person, 'mcp:whoami')).toMatchObject({
      granted: true,
      reasons: [unlimited, 'You are a super admin.', 'You were granted mcp:whoami.'],
    });
    expect(await explain(person, 'sessions:revoke')).toMatchObject({
      granted: false,
      reasons: [
        unlimited,
        'You are a super admin.',
        'You were not granted sessions:revoke: the operator of this service can grant it.',
      ],
    });
  });

  it('explains that an unknown text is not a scope', async () => {
    const person = await newOwner(service);
    for (const scope of ['', 'members_view', 'constructor', 'MEMBERS_VIEW ', 'a\u0000b', '\ud83d']) {
      const { granted, reasons } = await explain(person, scope);
      expect([granted, reasons]).toEqual([false, ['There is no scope of this name.']]);
    }
  });

  it('requires a signed-in caller', async () => {
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.explainScope, { scope: 'MEMBERS_VIEW' }),
    );
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, '{ products { name } }'));
  });
});

// Contract: organizations#effective-scopes — Membership.scopes are the effective ones
it('Membership.scopeExplanations explains every scope of each membership consistently with the granted ones', async () => {
  const person = await newOwner(service);
  const { organizationId } = await newOwner(service);
  await addTo(service, person.userId, organizationId, 'ADMIN');
  await subscribe(person.organizationId, `status = 'PAST_DUE'`);
  const memberships = await membershipsOf(person);
  expect(memberships.map(({ organization }) => organization.id)).toEqual([person.organizationId, organizationId]);
  for (const { scopes, scopeExplanations } of memberships) {
    expect(scopeExplanations.map(({ scope }) => scope)).toEqual(organizationScopes);
    expect(scopeExplanations.filter(({ granted }) => granted).map(({ scope }) => scope)).toEqual(scopes);
    for (const { reasons } of scopeExplanations) expect(reasons).toHaveLength(3);
  }
  expect(memberships.map(({ scopes }) => scopes.length)).toEqual([0, 7]);
});

it('products lists each product with the scopes it grants', async () => {
  const answer = await runAs(service, await newOwner(service), '{ products { name scopes } }');
  expect(answer.data).toEqual({ products: [{ name: 'free', scopes: organizationScopes }] });
});

describe('What authorization depends on', () => {
  // Contract: organizations#changes-on-the-next-request — What authorization depends on counts on the very next request
  it('binds on the very next request: role, membership and subscription', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const list = (): Promise<Answer> => runAs(service, admin, operations.members);
    const change = (): Promise<Answer> =>
      runAs(service, admin, operations.changeMemberRole, { id: admin.memberId, role: 'ADMIN' });
    expect([(await list()).code, (await change()).code]).toEqual([null, null]);
    await runAs(service, owner, operations.changeMemberRole, { id: admin.memberId, role: 'MEMBER' });
    expect([(await list()).code, (await change()).code]).toEqual([null, 'FORBIDDEN']);
    await subscribe(owner.organizationId, `status = 'CANCELED'`);
    expect((await list()).code).toBe('FORBIDDEN');
    await subscribe(owner.organizationId, `status = 'TRIALING'`);
    expect((await list()).code).toBeNull();
    await setActive(service, admin.userId, null);
    expect((await list()).code).toBe('MEMBERSHIP_REQUIRED');
    await setActive(service, admin.userId, admin.memberId);
    await runAs(service, owner, operations.removeMember, { id: admin.memberId });
    expect((await list()).code).toBe('UNAUTHENTICATED');
  });

  // Contract: organizations#missing-active-membership — missing or wrong active membership: MEMBERSHIP_REQUIRED, never
  //   500
  it('ignores a current_membership that is missing, of another user, or not joined: the user then has none, without an error', async () => {
    const person = await newOwner(service);
    const outsider = await newOwner(service);
    const invited = await inviteTo(service, person.userId, outsider.organizationId, 'OWNER');
    for (const membership of [null, outsider.memberId, invited]) {
      await setActive(service, person.userId, membership);
      const seen = await runAs(service, person, operations.me);
      expect(seen.data).toMatchObject({ me: { currentMembership: null, memberships: [{ id: person.memberId }] } });
      const scoped: readonly (readonly [string, Record<string, string>])[] = [
        [operations.members, {}],
        [operations.renameOrganization, { name: 'Nowhere' }],
        [operations.changeMemberRole, { id: outsider.memberId, role: 'ADMIN' }],
        [operations.removeMember, { id: outsider.memberId }],
      ];
      for (const [operation, variables] of scoped) {
        await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => runAs(service, person, operation, variables));
      }
      expect((await explain(person, 'MEMBERS_VIEW')).granted).toBe(false);
    }
  });
});

/** What platformUser says of each membership: the plan, and every scope with what grants or withholds it. */
import { describe, expect, it } from 'vitest';
import { inviteTo, newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', {
  application: {
    scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write notes' },
    roles: { EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:read', 'notes:write'] } },
    products: {
      free: {
        title: 'Free',
        scopes: ['notes:read'],
        without: ['MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE', 'BILLING_MANAGE'],
      },
      team: { title: 'Team', scopes: '*' },
    },
  },
});
const root = fixture(() => newSuperAdmin(service, ['users:view']));

interface Scope {
  readonly name: string;
  readonly isHeld: boolean;
  readonly roleGrants: boolean;
  readonly planGrants: boolean;
}

interface Membership {
  readonly organizationId: string;
  readonly role: string;
  readonly deletesAt: string | null;
  readonly requireSecondFactor: boolean;
  readonly subscription: { readonly status: string; readonly product: string | null };
  readonly scopes: readonly Scope[];
}

const query = `query ($id: ID!) { platformUser(userId: $id) { memberships { organizationId role deletesAt requireSecondFactor
  subscription { status product currentPeriodEndsAt } scopes { name isHeld roleGrants planGrants } } } }`;

/** What a super admin reads of a person's membership of an organization. */
const membershipOf = async (userId: string, organizationId: string): Promise<Membership> => {
  const answer = await runAs(service, root, query, { id: userId });
  if (answer.code !== null) throw new Error(answer.text);
  const { data } = JSON.parse(answer.text) as { data: { platformUser: { memberships: Membership[] } } };
  const found = data.platformUser.memberships.find((each) => each.organizationId === organizationId);
  if (found === undefined) throw new Error('There is no such membership');
  return found;
};

/** `role` and `plan` name what grants the scope, and `held` stands where it is held. */
const inShort = ({ scopes }: Membership): Record<string, string> =>
  Object.fromEntries(
    scopes.map(({ name, isHeld, roleGrants, planGrants }) => [
      name,
      [...(isHeld ? ['held'] : []), ...(roleGrants ? ['role'] : []), ...(planGrants ? ['plan'] : [])].join(' '),
    ]),
  );

const heldIn = ({ scopes }: Membership): string[] => scopes.filter(({ isHeld }) => isHeld).map(({ name }) => name);

/** The scopes that a person reads of themself. */
const ownScopes = async (person: Tenant): Promise<unknown> => {
  const { data } = await runAs(service, person, '{ me { currentMembership { scopes } } }');
  return (data as { me: { currentMembership: { scopes: string[] } } }).me.currentMembership.scopes;
};

const setOrganization = async ({ organizationId }: Tenant, assignment: string): Promise<void> => {
  await service.sql(`UPDATE organizations SET ${assignment} WHERE id = $1`, [organizationId]);
};

const setSubscription = async ({ organizationId }: Tenant, assignment: string): Promise<void> => {
  await service.sql(`UPDATE subscriptions SET ${assignment} WHERE organization_id = $1`, [organizationId]);
};

const ofEditor = {
  MEMBERS_VIEW: 'held role plan',
  MEMBERS_INVITE: 'role',
  MEMBERS_UPDATE: '',
  MEMBERS_REMOVE: '',
  ORGANIZATION_UPDATE: 'plan',
  BILLING_MANAGE: '',
  TOKENS_MANAGE: 'plan',
  MCP_MANAGE: 'plan',
  AUDIT_VIEW: 'plan',
  'notes:read': 'held role plan',
  'notes:write': 'role',
};

const withoutPlan = {
  MEMBERS_VIEW: 'role',
  MEMBERS_INVITE: 'role',
  MEMBERS_UPDATE: '',
  MEMBERS_REMOVE: '',
  ORGANIZATION_UPDATE: '',
  BILLING_MANAGE: '',
  TOKENS_MANAGE: '',
  MCP_MANAGE: '',
  AUDIT_VIEW: '',
  'notes:read': 'role',
  'notes:write': 'role',
};

describe('What a person may do in an organization', () => {
  it('is told scope by scope: held, not granted by the role, by the plan, or by either', async () => {
    const { organizationId } = await newOwner(service);
    const editor = await newMember(service, organizationId, 'EDITOR');
    const membership = await membershipOf(editor.userId, organizationId);
    expect(inShort(membership)).toEqual(ofEditor);
    expect(membership).toMatchObject({
      role: 'EDITOR',
      deletesAt: null,
      requireSecondFactor: false,
      subscription: { status: 'ACTIVE', product: 'free', currentPeriodEndsAt: null },
    });
    expect(heldIn(membership)).toEqual(await ownScopes(editor));
  });

  it('follows the plan, and each organization has its own', async () => {
    const [owner, other] = [await newOwner(service), await newOwner(service)];
    await setSubscription(owner, "product = 'team', status = 'TRIALING'");
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const membership = await membershipOf(editor.userId, owner.organizationId);
    expect(heldIn(membership)).toEqual(['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:read', 'notes:write']);
    expect(membership.scopes.every(({ planGrants }) => planGrants)).toBe(true);
    expect(membership.subscription).toMatchObject({ status: 'TRIALING', product: 'team' });
    expect(inShort(await membershipOf(other.userId, other.organizationId))).toMatchObject({ MEMBERS_INVITE: 'role' });
  });

  it.each(['PAST_DUE', 'CANCELED'])('is nothing by the plan while the subscription is %s', async (status) => {
    const owner = await newOwner(service);
    await setSubscription(owner, `status = '${status}'`);
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const membership = await membershipOf(editor.userId, owner.organizationId);
    expect(inShort(membership)).toEqual(withoutPlan);
    expect(membership.subscription).toMatchObject({ status, product: 'free' });
    expect(await ownScopes(editor)).toEqual([]);
  });

  it('is nothing by the plan without a subscription, and with a product that is gone', async () => {
    const owner = await newOwner(service);
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    await setSubscription(owner, "product = 'gone'");
    expect(inShort(await membershipOf(editor.userId, owner.organizationId))).toEqual(withoutPlan);
    await service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [owner.organizationId]);
    const membership = await membershipOf(editor.userId, owner.organizationId);
    expect(inShort(membership)).toEqual(withoutPlan);
    expect(membership.subscription).toEqual({ status: 'NONE', product: null, currentPeriodEndsAt: null });
  });

  it('is nothing by a role that the application no longer has', async () => {
    const { organizationId } = await newOwner(service);
    const person = await newMember(service, organizationId, 'GONE');
    const membership = await membershipOf(person.userId, organizationId);
    expect(membership.role).toBe('MEMBER');
    expect(membership.scopes.map(({ isHeld, roleGrants }) => isHeld || roleGrants)).not.toContain(true);
    expect(inShort(membership)).toMatchObject({ MEMBERS_VIEW: 'plan', MEMBERS_INVITE: '' });
  });

  it('is nothing by an invitation until it is accepted', async () => {
    const [owner, invited] = [await newOwner(service), await newOwner(service)];
    await inviteTo(service, invited.userId, owner.organizationId, 'EDITOR');
    const membership = await membershipOf(invited.userId, owner.organizationId);
    expect(membership).toMatchObject({ role: 'EDITOR', scopes: [], subscription: { status: 'ACTIVE' } });
  });

  // Contract: organizations#deleted-organization — A deleted organization gives no scope, whatever role and product
  //   grant
  it('is nothing in an organization that was deleted, whatever role and plan grant', async () => {
    const owner = await newOwner(service);
    await setOrganization(owner, "deletes_at = '2040-01-02T03:04:05Z'");
    const membership = await membershipOf(owner.userId, owner.organizationId);
    expect(membership.deletesAt).toBe('2040-01-02T03:04:05.000Z');
    expect(heldIn(membership)).toEqual([]);
    expect(inShort(membership)).toMatchObject({ MEMBERS_VIEW: 'role plan', MEMBERS_INVITE: 'role' });
  });

  it('is what a session with a second factor may do, where the organization requires one', async () => {
    const owner = await newOwner(service);
    await setOrganization(owner, 'require_second_factor = true');
    const membership = await membershipOf(owner.userId, owner.organizationId);
    expect(membership.requireSecondFactor).toBe(true);
    expect(heldIn(membership)).toEqual([
      'MEMBERS_VIEW',
      'ORGANIZATION_UPDATE',
      'TOKENS_MANAGE',
      'MCP_MANAGE',
      'AUDIT_VIEW',
      'notes:read',
    ]);
    expect(await ownScopes(owner)).toEqual([]);
  });

  it('is told to super admins with users:view alone', async () => {
    const owner = await newOwner(service);
    const others = [owner, await newSuperAdmin(service, ['organizations:view', 'sessions:view'])];
    for (const caller of others) {
      await expectRefusal(service, 'FORBIDDEN', () => runAs(service, caller, query, { id: owner.userId }));
    }
    expect((await runAs(service, root, operations.platformUser, { id: owner.userId })).code).toBeNull();
  });
});

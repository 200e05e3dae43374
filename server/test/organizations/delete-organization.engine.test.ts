/**
 * deleteOrganization and restoreOrganization: what a deleted organization grants, for how long, and who may do either.
 */
import { describe, expect, it } from 'vitest';
import { ageAuthentication, refresh } from '../support/actors/credentials.ts';
import { inviteByMail } from '../support/actors/invitations.ts';
import { activeOrganization, addTo, newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { tally } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, newAddress, operations, post, tokensOf } from '../support/clients/clients.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  checkoutCompleted,
  deliver,
  newProviderId,
  subscriptionEvent,
  subscriptionOf,
  webhookSecret,
} from '../support/servers/payments.ts';

const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: webhookSecret });

const nameOf = async (organizationId: string): Promise<string> =>
  (await service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [organizationId])) ?? '';

const remove = async (person: Pick<Tenant, 'tokens'>, organizationId: string, name?: string): Promise<Answer> =>
  runAs(service, person, operations.deleteOrganization, {
    input: { organizationId, name: name ?? (await nameOf(organizationId)) },
  });

const restore = (person: Pick<Tenant, 'tokens'>, id: string): Promise<Answer> =>
  runAs(service, person, operations.restoreOrganization, { id });

describe('A deleted organization', () => {
  // Contract: account#deletion-of-an-organization — deleteOrganization: at once no member holds a scope or
  //   passes a guard
  //   of role there
  it('grants no member anything at once, and is their active one again once it is restored', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId, 'ADMIN');
    expect((await runAs(service, member, operations.members)).code).toBeNull();
    const answer = await remove(owner, owner.organizationId);
    expect(answer.text).toContain('"deletesAt":"2');
    for (const person of [owner, member]) {
      expect(await activeOrganization(service, person)).toBeNull();
      await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => runAs(service, person, operations.members));
    }
    expect((await restore(owner, owner.organizationId)).data).toMatchObject({
      restoreOrganization: { deletesAt: null, subscription: { status: 'ACTIVE', product: 'free' } },
    });
    for (const person of [owner, member]) {
      expect(await activeOrganization(service, person)).toBe(owner.organizationId);
      expect((await runAs(service, person, operations.members)).code).toBeNull();
    }
  });

  it('keeps sessions, which refresh and switch to another organization', async () => {
    const owner = await newOwner(service);
    const elsewhere = await newOwner(service);
    await addTo(service, owner.userId, elsewhere.organizationId, 'MEMBER');
    await remove(owner, owner.organizationId);
    const tokens = tokensOf(await refresh(service, owner.tokens));
    const back = (id: string): Promise<Answer> => runAs(service, { tokens }, operations.switchOrganization, { id });
    expect(await activeOrganization(service, { tokens })).toBeNull();
    await expectRefusal(service, 'NOT_FOUND', () => back(owner.organizationId));
    expect((await back(elsewhere.organizationId)).code).toBeNull();
  });

  // Contract: organizations#deleted-organization — The invitations of a deleted organization are not open until it is
  //   restored
  it('has no open invitation', async () => {
    const owner = await newOwner(service);
    const { token } = await inviteByMail(service, owner.tokens, newAddress());
    await remove(owner, owner.organizationId);
    const preview = await post(service.url, operations.invitation, { token });
    expect(preview.data).toMatchObject({ invitation: { status: 'EXPIRED', vToken: null } });
    await restore(owner, owner.organizationId);
    expect((await post(service.url, operations.invitation, { token })).data).toMatchObject({
      invitation: { status: 'OPEN' },
    });
  });

  it('is told to every owner by mail', async () => {
    const owner = await newOwner(service);
    const second = await newMember(service, owner.organizationId, 'OWNER');
    const member = await newMember(service, owner.organizationId);
    const subject = `${await nameOf(owner.organizationId)} was deleted`;
    await remove(owner, owner.organizationId);
    const subjects = async ({ email }: Tenant): Promise<string[]> =>
      (await service.mailsTo(email)).map((mail) => mail.subject);
    expect(await subjects(owner)).toContain(subject);
    expect(await subjects(second)).toContain(subject);
    expect(await subjects(member)).not.toContain(subject);
  });

  // Contract: account#restored-organization — payment events for a deleted organization are 200 and change nothing
  it('takes payment events without effect, and has their result once it is restored', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    const before = await subscriptionOf(service, organizationId);
    await remove(owner, organizationId);
    const customer = newProviderId('cus');
    expect(await deliver(service, checkoutCompleted(customer, organizationId))).toBe(200);
    expect(await deliver(service, subscriptionEvent({ id: newProviderId('sub'), customer, status: 'past_due' }))).toBe(
      200,
    );
    expect(await subscriptionOf(service, organizationId)).toEqual(before);
    await restore(owner, organizationId);
    expect(await subscriptionOf(service, organizationId)).toMatchObject({ status: 'PAST_DUE', product: 'free' });
  });

  // Contract: account#restored-organization — for 7 days an owner can restore it, then it is gone for good
  it('is gone for good after seven days', async () => {
    const owner = await newOwner(service);
    await remove(owner, owner.organizationId);
    await service.sql(`UPDATE organizations SET deletes_at = now() WHERE id = $1`, [owner.organizationId]);
    await expectRefusal(service, 'NOT_FOUND', () => restore(owner, owner.organizationId));
    await runCleanup(service.database);
    expect(await nameOf(owner.organizationId)).toBe('');
    expect(await activeOrganization(service, owner)).toBeNull();
  });
});

describe('deleteOrganization', () => {
  it('refuses another name', async () => {
    const owner = await newOwner(service);
    await expectRefusal(service, 'BAD_USER_INPUT', () => remove(owner, owner.organizationId, 'Another name'));
  });

  it('refuses a session whose person did not authenticate recently', async () => {
    const owner = await newOwner(service);
    await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => remove(owner, owner.organizationId));
  });

  it('refuses members who are no owners, and hides the organization from outsiders', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const outsider = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => remove(admin, owner.organizationId));
    await expectRefusal(service, 'NOT_FOUND', () => remove(outsider, owner.organizationId));
    await remove(owner, owner.organizationId);
    await expectRefusal(service, 'FORBIDDEN', () => restore(admin, owner.organizationId));
    await expectRefusal(service, 'NOT_FOUND', () => restore(outsider, owner.organizationId));
  });

  // Contract: account#deletion-of-an-organization — SUBSCRIPTION_ACTIVE while the payment provider bills the
  //   organization
  it('refuses while the payment provider bills it', async () => {
    const owner = await newOwner(service);
    const customer = newProviderId('cus');
    await deliver(service, checkoutCompleted(customer, owner.organizationId));
    await deliver(service, subscriptionEvent({ id: newProviderId('sub'), customer, status: 'active' }));
    await expectRefusal(service, 'SUBSCRIPTION_ACTIVE', () => remove(owner, owner.organizationId));
  });

  it('happens once, however often it is asked for', async () => {
    const owner = await newOwner(service);
    const answers = await Promise.all([1, 2, 3].map(() => remove(owner, owner.organizationId)));
    const codes = answers.map(({ code }) => code ?? 'OK');
    expect(tally(codes)).toEqual({ NOT_FOUND: 2, OK: 1 });
    await expectRefusal(service, 'NOT_FOUND', () => remove(owner, owner.organizationId));
  });
});

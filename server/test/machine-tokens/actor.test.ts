/** What a caller reads of itself, a person or a machine: actor, me, and why it holds or lacks a scope. */
import { describe, expect, it } from 'vitest';
import {
  actorIn,
  type Machine,
  newPersonalToken,
  newServiceToken,
  runByToken,
} from '../support/actors/machines/machines.ts';
import { addTo, newMember, newOwner, newSuperAdmin, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const owner = fixture(() => newOwner(service));
const home = "Test Person's organization";

describe('actor', () => {
  // Contract: machine-credentials#identity-of-a-machine — actor: who acts
  it('of a person is the person, in the active organization', async () => {
    const member = await newMember(service, owner.organizationId);
    const { credentialId, ...actor } = actorIn(await runAs(service, member, operations.actor));
    expect(credentialId).not.toBe('');
    expect(actor).toEqual({
      kind: 'PERSON',
      id: member.userId,
      email: member.email,
      name: 'Test Person',
      organization: { id: owner.organizationId, name: home },
      role: 'MEMBER',
      scopes: ['MEMBERS_VIEW'],
    });
    await setActive(service, member.userId, null);
    expect(actorIn(await runAs(service, member, operations.actor))).toMatchObject({
      organization: null,
      role: null,
      scopes: [],
    });
  });

  it('of a super admin has the platform scopes too', async () => {
    const root = await newSuperAdmin(service, ['users:view']);
    expect(actorIn(await runAs(service, root, operations.actor)).scopes).toContain('users:view');
  });

  it('requires a credential', async () => {
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.actor));
  });
});

describe('me', () => {
  const query = `{ me { id isSuperAdmin hasExternalIdentity externalIdentity { email } hasPassword
    currentMembership { id } memberships { id role organization { id } } } }`;

  // Contract: machine-credentials#identity-of-a-machine — me of a personal token: the bound membership alone
  it('of a personal token has the bound membership alone, whatever the person has', async () => {
    const person = await newSuperAdmin(service, ['users:view']);
    const other = await newOwner(service);
    await setActive(service, person.userId, await addTo(service, person.userId, other.organizationId));
    await service.sql(
      `INSERT INTO external_identities (issuer, subject, user_id, email) VALUES ('https://idp.example', $1::text, $1::uuid, 'a@idp.example')`,
      [person.userId],
    );
    const own = await runAs(service, person, query);
    expect(own.data).toMatchObject({ me: { isSuperAdmin: true, externalIdentity: { email: 'a@idp.example' } } });
    const answer = await runByToken(service, await newPersonalToken(service, person), query);
    expect(answer.data).toEqual({
      me: {
        id: person.userId,
        isSuperAdmin: false,
        hasExternalIdentity: false,
        externalIdentity: null,
        hasPassword: false,
        currentMembership: { id: person.memberId },
        memberships: [{ id: person.memberId, role: 'OWNER', organization: { id: person.organizationId } }],
      },
    });
  });

  it('is refused to a service account', async () => {
    const machine = await newServiceToken(service, owner);
    await expectRefusal(service, 'FORBIDDEN', () => runByToken(service, machine, query));
  });
});

describe('explainScope of a machine', () => {
  const explain = async (machine: Machine, scope: string): Promise<unknown> =>
    (await runByToken(service, machine, operations.explainScope, { scope })).data?.['explainScope'];

  const accepted = 'The policy of the organization accepts this token.';
  const byRole = (role: string, scope: string): string => `Your role here is ${role}, which grants ${scope}.`;
  const byPlan = (scope: string): string =>
    `The organization's subscription is ACTIVE, and its product free grants ${scope}.`;

  const newAdmin = (): Promise<Tenant> => newMember(service, owner.organizationId, 'ADMIN');

  // Contract: machine-credentials#identity-of-a-machine — explainScope of a machine: token, owner and policy
  it('says of a personal token what it has, and what its person holds', async () => {
    const machine = await newPersonalToken(service, await newAdmin(), { scopes: ['MEMBERS_VIEW', 'BILLING_MANAGE'] });
    expect(await explain(machine, 'MEMBERS_VIEW')).toEqual({
      scope: 'MEMBERS_VIEW',
      granted: true,
      reasons: [
        'This token has the scope MEMBERS_VIEW.',
        accepted,
        `You belong to ${home}.`,
        byRole('ADMIN', 'MEMBERS_VIEW'),
        byPlan('MEMBERS_VIEW'),
      ],
    });
    expect(await explain(machine, 'MEMBERS_INVITE')).toMatchObject({
      granted: false,
      reasons: [
        'This token does not have the scope MEMBERS_INVITE.',
        accepted,
        {},
        byRole('ADMIN', 'MEMBERS_INVITE'),
        {},
      ],
    });
    expect(await explain(machine, 'BILLING_MANAGE')).toMatchObject({
      granted: false,
      reasons: [
        'This token has the scope BILLING_MANAGE.',
        accepted,
        {},
        'Your role here is ADMIN, which does not grant BILLING_MANAGE: only OWNER does.',
        byPlan('BILLING_MANAGE'),
      ],
    });
  });

  it('says of a service account what it has, and what the plan grants', async () => {
    const host = await newOwner(service);
    const machine = await newServiceToken(service, host);
    expect(await explain(machine, 'MEMBERS_VIEW')).toEqual({
      scope: 'MEMBERS_VIEW',
      granted: true,
      reasons: [
        'The service account of this token has the scope MEMBERS_VIEW.',
        accepted,
        `The service account belongs to ${home}.`,
        byPlan('MEMBERS_VIEW'),
      ],
    });
    expect(await explain(machine, 'MEMBERS_INVITE')).toMatchObject({
      granted: false,
      reasons: ['The service account of this token does not have the scope MEMBERS_INVITE.', accepted, {}, {}],
    });
    await service.sql("UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id = $1", [host.organizationId]);
    expect(await explain(machine, 'MEMBERS_VIEW')).toMatchObject({
      granted: false,
      reasons: [
        {},
        accepted,
        {},
        "The organization's subscription is PAST_DUE, so it grants no scopes: it must be ACTIVE or TRIALING.",
      ],
    });
  });

  it('names the second factor that the organization requires', async () => {
    const host = await newOwner(service);
    const machine = await newPersonalToken(service, host);
    await service.sql('UPDATE organizations SET require_second_factor = true WHERE id = $1', [host.organizationId]);
    const sentence = 'The organization requires a second factor, and you have';
    expect(await explain(machine, 'MEMBERS_VIEW')).toMatchObject({
      granted: false,
      reasons: [{}, accepted, {}, `${sentence} none: set up a passkey or one-time codes.`, {}, {}],
    });
    await service.sql(`INSERT INTO totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, '\\x00', 0)`, [
      host.userId,
    ]);
    expect(await explain(machine, 'MEMBERS_VIEW')).toMatchObject({
      granted: true,
      reasons: [{}, accepted, {}, `${sentence} one.`, {}, {}],
    });
  });

  it('says that no machine has a scope of super admins, and that there is no unknown one', async () => {
    const root = await newSuperAdmin(service, ['users:view']);
    for (const machine of [await newPersonalToken(service, root), await newServiceToken(service, owner)]) {
      expect(await explain(machine, 'users:view')).toMatchObject({
        granted: false,
        reasons: [
          {},
          'Only super admins hold users:view, and only in sessions of their own: no token of a machine has it.',
        ],
      });
      expect(await explain(machine, 'none')).toMatchObject({
        granted: false,
        reasons: ['There is no scope of this name.'],
      });
    }
  });
});

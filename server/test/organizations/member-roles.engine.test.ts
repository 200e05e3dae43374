/** changeMemberRole: who may give which role to whom, and that an organization keeps an owner. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { me } from '../support/actors/credentials.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import {
  foreignMemberIds,
  inviteTo,
  newMember,
  newOwner,
  type RoleName,
  roleOf,
  runAs,
  setActive,
  type Tenant,
} from '../support/actors/tenants.ts';
import { outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations, post } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

type Caller = Pick<Tenant, 'tokens'>;

const changeRole = (person: Caller, id: string, role: RoleName): Promise<Answer> =>
  runAs(service, person, operations.changeMemberRole, { id, role });

const rounds = 50;

/** Two owners act concurrently, again as owners in each round: how often each pair of outcomes occurred. */
const outcomesOfTwoOwners = async (
  act: (one: Tenant, other: Tenant) => Promise<Answer>,
): Promise<Record<string, number>> => {
  const owner = await newOwner(service);
  const second = await newMember(service, owner.organizationId, 'OWNER');
  const seen: string[] = [];
  for (const _round of range(rounds)) {
    const answers = await Promise.all([act(owner, second), act(second, owner)]);
    seen.push(answers.map(outcomeOf).sort().join(' '));
    const { organizationId } = owner;
    await service.sql(`UPDATE organization_members SET role = 'OWNER' WHERE organization_id = $1`, [organizationId]);
  }
  return tally(seen);
};

describe('changeMemberRole', () => {
  // Contract: organizations#change-of-a-role — changeMemberRole
  it('changes a role, which counts on the very next request', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await expectRefusal(service, 'FORBIDDEN', () => changeRole(member, owner.memberId, 'ADMIN'));
    for (const role of ['ADMIN', 'OWNER', 'MEMBER'] as const) {
      const answer = await changeRole(owner, member.memberId, role);
      expect(answer.data).toEqual({ changeMemberRole: { id: member.memberId, role } });
      const seen = await runAs(service, member, operations.me);
      expect(seen.data).toMatchObject({ me: { currentMembership: { role } } });
    }
    await expectRefusal(service, 'FORBIDDEN', () => changeRole(member, owner.memberId, 'ADMIN'));
    expect((await me(service, member.tokens.accessToken)).code).toBeNull();
  });

  it('changes the role that an invitation offers', async () => {
    const owner = await newOwner(service);
    const invited = await inviteTo(service, await seedPerson(service.database), owner.organizationId);
    expect((await changeRole(owner, invited, 'ADMIN')).code).toBeNull();
    expect(await roleOf(service, invited)).toBe('ADMIN');
  });

  // Contract: organizations#change-of-a-role — An ADMIN changes ADMIN and MEMBER only
  it('lets an ADMIN change ADMIN and MEMBER, and make or change no OWNER', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const other = await newMember(service, owner.organizationId, 'ADMIN');
    const invited = await inviteTo(service, await seedPerson(service.database), owner.organizationId, 'OWNER');
    expect((await changeRole(admin, other.memberId, 'MEMBER')).code).toBeNull();
    expect((await changeRole(admin, other.memberId, 'ADMIN')).code).toBeNull();
    await expectRefusal(service, 'FORBIDDEN', () => changeRole(admin, other.memberId, 'OWNER'));
    await expectRefusal(service, 'FORBIDDEN', () => changeRole(admin, admin.memberId, 'OWNER'));
    await expectRefusal(service, 'FORBIDDEN', () => changeRole(admin, owner.memberId, 'MEMBER'));
    await expectRefusal(service, 'FORBIDDEN', () => changeRole(admin, invited, 'MEMBER'));
    expect((await changeRole(admin, admin.memberId, 'MEMBER')).code).toBeNull();
  });

  // Contract: organizations#last-owner — The last OWNER cannot be demoted
  it('never demotes the last OWNER who has joined', async () => {
    const owner = await newOwner(service);
    await newMember(service, owner.organizationId, 'ADMIN');
    await inviteTo(service, await seedPerson(service.database), owner.organizationId, 'OWNER');
    for (const role of ['ADMIN', 'MEMBER'] as const) {
      await expectRefusal(service, 'LAST_OWNER', () => changeRole(owner, owner.memberId, role));
    }
    expect((await changeRole(owner, owner.memberId, 'OWNER')).code).toBeNull();
    const second = await newMember(service, owner.organizationId, 'OWNER');
    expect((await changeRole(owner, owner.memberId, 'MEMBER')).code).toBeNull();
    await expectRefusal(service, 'LAST_OWNER', () => changeRole(second, second.memberId, 'ADMIN'));
  });

  // Contract: organizations#last-owner — The last OWNER: both owners step down at once
  it('keeps one of two owners who step down at once', async () => {
    const seen = await outcomesOfTwoOwners((one) => changeRole(one, one.memberId, 'ADMIN'));
    expect(seen).toEqual({ 'LAST_OWNER OK': rounds });
  });

  // Contract: organizations#check-within-the-transaction — A withdrawn role does not count any more
  it('checks the current role: of two owners who demote each other, one is refused', async () => {
    const seen = await outcomesOfTwoOwners((one, other) => changeRole(one, other.memberId, 'MEMBER'));
    expect(seen).toEqual({ 'FORBIDDEN OK': rounds });
  });

  it('answers alike for every unknown id', async () => {
    const owner = await newOwner(service);
    const answers: string[] = [];
    for (const id of await foreignMemberIds(service)) {
      answers.push((await expectRefusal(service, 'NOT_FOUND', () => changeRole(owner, id, 'MEMBER'))).text);
    }
    expect(new Set(answers).size).toBe(1);
  });

  // Contract: organizations#change-of-a-role — changeMemberRole: scope MEMBERS_UPDATE
  it('requires the scope MEMBERS_UPDATE', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    for (const id of [member.memberId, owner.memberId, newId()]) {
      const answer = await expectRefusal(service, 'FORBIDDEN', () => changeRole(member, id, 'ADMIN'));
      expect(answer.extensions['missingScopes']).toEqual(['MEMBERS_UPDATE']);
    }
    await setActive(service, member.userId, null);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => changeRole(member, member.memberId, 'ADMIN'));
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.changeMemberRole, { id: member.memberId, role: 'ADMIN' }),
    );
  });
});

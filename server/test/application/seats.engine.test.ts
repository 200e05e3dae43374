/** Seats: how many members a product allows, also when many join at the same moment. */
import { describe, expect, it } from 'vitest';
import {
  accept,
  addMember,
  expireInvitation,
  type Invited,
  invite,
  inviteByMail,
  memberIdOf,
  submitProfile,
} from '../support/actors/invitations.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', {
  application: { products: { free: { members: 3 }, duo: { members: 2 }, team: {} } },
});

const setProduct = async ({ organizationId }: Tenant, product: string, status = 'ACTIVE'): Promise<void> => {
  await service.sql('UPDATE subscriptions SET product = $2, status = $3 WHERE organization_id = $1', [
    organizationId,
    product,
    status,
  ]);
};

const members = ({ organizationId }: Tenant): Promise<number | undefined> =>
  service.sql.value<number>('SELECT count(joined_at)::integer FROM organization_members WHERE organization_id = $1', [
    organizationId,
  ]);

describe('Seats', () => {
  // Contract: application#seats-of-a-product — inviteMember counts members and open invitations together:
  //   SEATS_EXHAUSTED
  it('are taken by members and open invitations, and the invitation after the last one is refused', async () => {
    const owner = await newOwner(service);
    await addMember(service, owner.tokens);
    const { memberId } = await inviteByMail(service, owner.tokens, newAddress());
    await expectRefusal(service, 'SEATS_EXHAUSTED', () => invite(service, owner.tokens, newAddress()));
    expect((await runAs(service, owner, operations.seats)).data).toEqual({
      seats: { limit: 3, members: 2, openInvitations: 1 },
    });
    await expireInvitation(service, memberId);
    expect((await invite(service, owner.tokens, newAddress())).code).toBeNull();
    // The expired one would take a seat again.
    await expectRefusal(service, 'SEATS_EXHAUSTED', () =>
      runAs(service, owner, operations.resetInvitation, { memberId }),
    );
  });

  // Contract: application#seats-of-a-product — resetInvitation of an open invitation takes no further seat
  it('do not prevent sending an open invitation again, even after the product became smaller', async () => {
    const owner = await newOwner(service);
    await addMember(service, owner.tokens);
    const { memberId } = await inviteByMail(service, owner.tokens, newAddress());
    await setProduct(owner, 'duo');
    expect((await runAs(service, owner, operations.resetInvitation, { memberId })).code).toBeNull();
    expect(await members(owner)).toBe(2);
  });

  // Contract: application#seats-of-a-product — acceptInvitation counts members alone; the invitation stays open
  it('are required by an acceptance and by a completed profile, and the invitation stays open', async () => {
    const owner = await newOwner(service);
    const guest = await newOwner(service);
    const known = await inviteByMail(service, owner.tokens, guest.email);
    const unknown = await inviteByMail(service, owner.tokens, newAddress());
    await setProduct(owner, 'team');
    await addMember(service, owner.tokens);
    await setProduct(owner, 'duo');
    await expectRefusal(service, 'SEATS_EXHAUSTED', () => accept(service, guest.tokens, known.token));
    await expectRefusal(service, 'SEATS_EXHAUSTED', () => submitProfile(service, unknown.token));
    expect(await members(owner)).toBe(2);
    await setProduct(owner, 'free');
    expect(memberIdOf(await accept(service, guest.tokens, known.token))).toBe(known.memberId);
    expect(await members(owner)).toBe(3);
  });

  // Contract: application#seats-of-a-product — The subscription's status does not matter; without a product there is no
  //   limit
  it('are limited whatever the status of the subscription, and not without a product', async () => {
    const owner = await newOwner(service);
    const guests = [await newOwner(service), await newOwner(service)];
    const invited: Invited[] = [];
    for (const { email } of guests) invited.push(await inviteByMail(service, owner.tokens, email));
    await setProduct(owner, 'duo', 'CANCELED');
    const [first, second] = guests;
    if (first === undefined || second === undefined) throw new Error('Two guests are invited');
    expect((await accept(service, first.tokens, invited[0]?.token ?? '')).code).toBeNull();
    await expectRefusal(service, 'SEATS_EXHAUSTED', () => accept(service, second.tokens, invited[1]?.token ?? ''));
    await service.sql('UPDATE subscriptions SET product = NULL WHERE organization_id = $1', [owner.organizationId]);
    expect((await accept(service, second.tokens, invited[1]?.token ?? '')).code).toBeNull();
  });

  // Contract: application#seats-of-a-product — Decided by the database, also in a race: never one too many
  it('are never exceeded by acceptances at the same moment', async () => {
    const rounds = Number(process.env['SEAT_ROUNDS'] ?? 3);
    for (let round = 0; round < rounds; round += 1) {
      const owner = await newOwner(service);
      await setProduct(owner, 'team');
      const guests = await Promise.all(Array.from({ length: 20 }, () => newOwner(service)));
      const links: Invited[] = [];
      for (const { email } of guests) links.push(await inviteByMail(service, owner.tokens, email));
      await setProduct(owner, 'free');
      const answers = await Promise.all(
        guests.map(({ tokens }, at) => accept(service, tokens, links[at]?.token ?? '')),
      );
      const codes = answers.map(({ code }) => code);
      expect(codes.filter((code) => code === null)).toHaveLength(2);
      expect(codes.filter((code) => code === 'SEATS_EXHAUSTED')).toHaveLength(18);
      expect(await members(owner)).toBe(3);
    }
  });
});

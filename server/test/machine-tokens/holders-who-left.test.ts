/**
 * Mails to those who manage tokens when a person leaves who was shown a secret of a service token that is accepted
 * still.
 */
import { describe, expect, it } from 'vitest';
import { expire } from '../support/actors/credentials.ts';
import {
  createServiceAccount,
  createServiceToken,
  dataOf,
  type Issued,
  rotate,
  runWith,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { addTo, newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

/** The texts of the mails that ask a person to rotate, oldest first. */
const departuresTo = async ({ email }: Pick<Tenant, 'email'>): Promise<string[]> => {
  const mails = await service.mailsTo(email);
  // Without the characters that keep an address from becoming a link.
  return mails
    .filter(({ subject }) => subject.startsWith('Rotate'))
    .map(({ subject, text }) => `${subject}\n${text}`.replaceAll('\u2060', ''));
};

/** The names of the accounts in the only mail that a person got, in its order. */
const accountsTold = async (manager: Pick<Tenant, 'email'>): Promise<string | undefined> => {
  const [told, ...more] = await departuresTo(manager);
  expect(more).toEqual([]);
  return / this service account: (.*)\.\n| these service accounts: (.*)\.\n/
    .exec(told ?? '')
    ?.slice(1)
    .join('');
};

const remove = (person: Tenant, id: string) => runAs(service, person, operations.removeMember, { id });

type Way = (leaver: Tenant, owner: Tenant) => Promise<Answer>;

const leaves: Way = (leaver) => remove(leaver, leaver.memberId);
const isRemoved: Way = (leaver, owner) => remove(owner, leaver.memberId);
const deletesAccount: Way = (leaver) => runAs(service, leaver, operations.deleteAccount, { email: leaver.email });

const go = async (way: Way, leaver: Tenant, owner: Tenant): Promise<void> =>
  expect((await way(leaver, owner)).code).toBeNull();

/** No scope is left to remove another person by while the organization grants nothing. */
const ownWays: readonly (readonly [string, Way])[] = [
  ['leaves', leaves],
  ['deletes their account', deletesAccount],
];
const everyWay = [...ownWays, ['is removed', isRemoved] as const];

const newTeam = async () => {
  const owner = await newOwner(service);
  return { owner, admin: await newMember(service, owner.organizationId, 'ADMIN') };
};

/** A service account with a token whose first secret this person is shown. */
const newToken = async (person: Tenant, name: string): Promise<Issued> => {
  const { id } = await createServiceAccount(service, person, { name });
  return createServiceToken(service, person, id);
};

const rotated = async (person: Tenant, { token }: Issued, overlapSeconds = 86_400): Promise<Issued> =>
  dataOf(await rotate(service, person, { tokenId: token.id, overlapSeconds }));

/** Uses a secret, so that a rotation keeps it rather than the one of before. */
const use = async ({ secret }: Issued): Promise<void> => {
  expect((await runWith(service, secret)).code).toBeNull();
  await service.flush();
};

describe.each(everyWay)('A person who was shown secrets of service tokens %s', (_, way) => {
  // Contract: machine-credentials#mails-about-tokens — When a person who was shown a live secret leaves, those who
  //   manage tokens get a mail
  it('and those who still manage tokens get one mail that names each account once', async () => {
    const { owner, admin } = await newTeam();
    const other = await newMember(service, owner.organizationId, 'ADMIN');
    const member = await newMember(service, owner.organizationId);
    const beta = await newToken(admin, 'Beta');
    // Both live secrets, and those of a second token.
    await rotated(admin, beta);
    await createServiceToken(service, admin, beta.token.serviceAccount?.id ?? '');
    await newToken(admin, 'Alpha');
    await newToken(owner, 'Of the owner');
    await go(way, admin, owner);
    for (const manager of [owner, other]) {
      const [told] = await departuresTo(manager);
      expect(told).toContain('Rotate the tokens of 2 service accounts');
      expect(told).toContain(`(${admin.email}) left`);
      expect(await accountsTold(manager)).toBe('Alpha, Beta');
    }
    expect(await departuresTo(admin)).toEqual([]);
    expect(await departuresTo(member)).toEqual([]);
  });

  it('after another person rotated: told while the older secret lives', async () => {
    const { owner, admin } = await newTeam();
    await rotated(owner, await newToken(admin, 'In overlap'));
    await rotated(owner, await newToken(admin, 'Rotated at once'), 0);
    await go(way, admin, owner);
    expect(await accountsTold(owner)).toBe('In overlap');
  });

  it('without a secret that is accepted: no mail', async () => {
    const { owner, admin } = await newTeam();
    const ended = await newToken(admin, 'Ended');
    await rotated(owner, ended);
    await runAs(service, owner, tokenOperations.revokeToken, { id: ended.token.id });
    await expire(service, (await newToken(admin, 'Expired')).secret);
    const overlapped = await newToken(admin, 'Overlap is over');
    await rotated(owner, overlapped);
    await expire(service, overlapped.secret);
    const deleted = await newToken(admin, 'Deleted');
    const id = deleted.token.serviceAccount?.id ?? '';
    await runAs(service, owner, tokenOperations.deleteServiceAccount, { id });
    await newToken(owner, 'Of the owner');
    await go(way, admin, owner);
    expect(await departuresTo(owner)).toEqual([]);
  });
});

describe('Of two secrets of a token', () => {
  it('the newest one that was used is kept: its receiver counts, that of the older one no more', async () => {
    const { owner, admin } = await newTeam();
    const other = await newMember(service, owner.organizationId, 'ADMIN');
    const second = await rotated(other, await newToken(admin, 'Importer'));
    await use(second);
    await rotated(owner, second);
    expect((await remove(admin, admin.memberId)).code).toBeNull();
    expect(await departuresTo(owner)).toEqual([]);
    expect((await remove(other, other.memberId)).code).toBeNull();
    expect(await accountsTold(owner)).toBe('Importer');
  });

  it('the newest one that was never used is replaced: its receiver counts no more, that of the older one does', async () => {
    const { owner, admin } = await newTeam();
    const other = await newMember(service, owner.organizationId, 'ADMIN');
    const first = await newToken(admin, 'Importer');
    await use(first);
    await rotated(owner, await rotated(other, first));
    expect((await remove(other, other.memberId)).code).toBeNull();
    expect(await departuresTo(owner)).toEqual([]);
    expect((await remove(admin, admin.memberId)).code).toBeNull();
    expect(await accountsTold(owner)).toBe('Importer');
  });

  it('the receivers are forgotten with their accounts', async () => {
    const { owner, admin } = await newTeam();
    const other = await newMember(service, owner.organizationId, 'ADMIN');
    const { token } = await rotated(other, await newToken(admin, 'Importer'));
    const receivers = () =>
      service.sql('SELECT issued_to AS newest, previous_issued_to AS previous FROM machine_tokens WHERE id = $1', [
        token.id,
      ]);
    expect(await receivers()).toEqual([{ newest: other.userId, previous: admin.userId }]);
    await go(deletesAccount, admin, owner);
    expect(await receivers()).toEqual([{ newest: other.userId, previous: null }]);
    await go(deletesAccount, other, owner);
    expect(await receivers()).toEqual([{ newest: null, previous: null }]);
  });
});

describe('While the plan has lapsed', () => {
  it.each(ownWays)('a person %s: those whose role manages tokens are told all the same', async (_, way) => {
    const { owner, admin } = await newTeam();
    const member = await newMember(service, owner.organizationId);
    await newToken(admin, 'Importer');
    await service.sql(`UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1`, [
      owner.organizationId,
    ]);
    await go(way, admin, owner);
    expect(await accountsTold(owner)).toBe('Importer');
    expect(await departuresTo(member)).toEqual([]);
  });
});

describe('While the deletion of the organization waits', () => {
  const deletion = (organizationId: string, deletesAt: string) =>
    service.sql(`UPDATE organizations SET deletes_at = now() + $2::interval WHERE id = $1`, [
      organizationId,
      deletesAt,
    ]);

  it.each(ownWays)('a person %s: told', async (_, way) => {
    const { owner, admin } = await newTeam();
    await rotated(owner, await newToken(admin, 'Importer'));
    await deletion(owner.organizationId, '6 days');
    await go(way, admin, owner);
    expect(await accountsTold(owner)).toBe('Importer');
  });

  it('and its time is over, it cannot be restored: no mail', async () => {
    const { owner, admin } = await newTeam();
    await newToken(admin, 'Importer');
    await deletion(owner.organizationId, '-1 minute');
    await go(leaves, admin, owner);
    expect(await departuresTo(owner)).toEqual([]);
  });
});

it('A person of two organizations deletes their account: each is told of its own accounts', async () => {
  const { owner, admin } = await newTeam();
  const elsewhere = await newTeam();
  await newToken(admin, 'Here');
  await addTo(service, admin.userId, elsewhere.owner.organizationId, 'ADMIN');
  const there = await newToken(elsewhere.owner, 'There');
  await service.sql('UPDATE machine_tokens SET issued_to = $2 WHERE id = $1', [there.token.id, admin.userId]);
  await go(deletesAccount, admin, owner);
  expect(await accountsTold(owner)).toBe('Here');
  expect(await accountsTold(elsewhere.owner)).toBe('There');
});

it('A person leaves another organization, or has seen no secret: no mail', async () => {
  const { owner, admin } = await newTeam();
  await newToken(admin, 'Importer');
  const other = await newOwner(service);
  const memberId = await addTo(service, admin.userId, other.organizationId, 'ADMIN');
  expect((await remove(other, memberId)).code).toBeNull();
  const member = await newMember(service, owner.organizationId);
  expect((await remove(owner, member.memberId)).code).toBeNull();
  expect(await departuresTo(owner)).toEqual([]);
  expect(await departuresTo(other)).toEqual([]);
});

it('The last owner is refused to leave: no mail', async () => {
  const { owner, admin } = await newTeam();
  await newToken(owner, 'Importer');
  await expectRefusal(service, 'LAST_OWNER', () => remove(owner, owner.memberId));
  expect(await departuresTo(admin)).toEqual([]);
});

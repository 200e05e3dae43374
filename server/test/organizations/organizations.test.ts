/** Organizations: creating, owning and renaming them. */
import { describe, expect, it } from 'vitest';
import { activeOrganization, newMember, newOwner, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations, post } from '../support/clients/clients.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const create = (person: Pick<Tenant, 'tokens'>, name: string): Promise<Answer> =>
  runAs(service, person, operations.createOrganization, { input: { name } });

const rename = (person: Pick<Tenant, 'tokens'>, name: string): Promise<Answer> =>
  runAs(service, person, operations.renameOrganization, { name });

const memberships = `{ me { currentMembership { organization { id } } memberships { role scopes organization { id name } } } }`;

const allScopes = [
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

const nameOf = (organizationId: string): Promise<string | undefined> =>
  service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [organizationId]);

const badNames = [
  '',
  ' \t ',
  'a'.repeat(101),
  'Line\nbreak',
  'Right\u202eleft',
  'https://example.com',
  'www.example.com',
];

describe('createOrganization', () => {
  // Contract: organizations#creation-of-an-organization — createOrganization: the caller is its OWNER, and does not
  //   switch
  it('makes the caller its OWNER, with the default product, and does not switch', async () => {
    const person = await newOwner(service);
    const answer = await create(person, '  Harbor  Press ');
    expect(answer.data).toMatchObject({
      createOrganization: { name: 'Harbor  Press', subscription: { status: 'ACTIVE', product: 'free' } },
    });
    const seen = await runAs(service, person, memberships);
    expect(seen.data).toMatchObject({
      me: {
        currentMembership: { organization: { id: person.organizationId } },
        memberships: [
          { role: 'OWNER', organization: { id: person.organizationId } },
          { role: 'OWNER', scopes: allScopes, organization: { name: 'Harbor  Press' } },
        ],
      },
    });
  });

  // Contract: organizations#creation-of-an-organization — createOrganization: guard, logged in
  it('is open to a person without an active membership, who remains without one', async () => {
    const person = await newOwner(service);
    await setActive(service, person.userId, null);
    expect((await create(person, 'A new beginning')).code).toBeNull();
    expect(await activeOrganization(service, person)).toBeNull();
  });

  it('allows several organizations with one name', async () => {
    const person = await newOwner(service);
    const answers = [await create(person, 'Same name'), await create(person, 'Same name')];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
  });

  it('refuses an invalid name, and a signed-out caller', async () => {
    const person = await newOwner(service);
    for (const name of badNames) {
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => create(person, name));
      expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['name']);
    }
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.createOrganization, { input: { name: 'Nobody' } }),
    );
  });

  it('is logged with identifiers and without the name', async () => {
    const person = await newOwner(service);
    await create(person, 'Unspoken Instruments');
    await rename(person, 'Unspoken Press');
    const lines = service.logs.filter((line) => line.includes(person.userId));
    expect(lines.some((line) => line.includes('"organization.created"'))).toBe(true);
    expect(lines.some((line) => line.includes('"organization.renamed"'))).toBe(true);
    expect(service.logs.join('\n')).not.toContain('Unspoken');
  });
});

// Contract: organizations#creation-of-an-organization — DEFAULT_PRODUCT empty: no subscription, everything is denied
it('An empty DEFAULT_PRODUCT leaves a new organization without a subscription, where everything is denied', async () => {
  const bare = await testFixture(startService({ DEFAULT_PRODUCT: '' }));
  const person = await newOwner(bare);
  const answer = await runAs(bare, person, operations.createOrganization, { input: { name: 'Bare' } });
  expect(answer.data).toMatchObject({ createOrganization: { subscription: { status: 'NONE', product: null } } });
  const seen = await runAs(bare, person, memberships);
  expect(seen.data).toMatchObject({ me: { memberships: [{}, { role: 'OWNER', scopes: [] }] } });
});

describe('renameOrganization', () => {
  // Contract: organizations#name-of-an-organization — renameOrganization
  it('renames the active organization, for all members on their next request', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await runAs(service, member, operations.me);
    expect((await rename(owner, ' Harbor Press ')).data).toEqual({
      renameOrganization: { id: owner.organizationId, name: 'Harbor Press' },
    });
    expect((await runAs(service, member, operations.me)).text).toContain('Harbor Press');
  });

  // Contract: organizations#name-of-an-organization — renameOrganization: scope ORGANIZATION_UPDATE
  it('requires the scope ORGANIZATION_UPDATE, which only an OWNER has', async () => {
    const owner = await newOwner(service);
    for (const role of ['ADMIN', 'MEMBER'] as const) {
      const person = await newMember(service, owner.organizationId, role);
      const answer = await expectRefusal(service, 'FORBIDDEN', () => rename(person, 'Taken over'));
      expect(answer.extensions['missingScopes']).toEqual(['ORGANIZATION_UPDATE']);
    }
    expect(await nameOf(owner.organizationId)).not.toBe('Taken over');
  });

  it('is refused without an active membership or a paid subscription', async () => {
    const owner = await newOwner(service);
    await service.sql(`UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id = $1`, [
      owner.organizationId,
    ]);
    await expectRefusal(service, 'FORBIDDEN', () => rename(owner, 'Unpaid'));
    await setActive(service, owner.userId, null);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => rename(owner, 'Homeless'));
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.renameOrganization, { name: 'Nobody' }),
    );
  });

  it('refuses an invalid name', async () => {
    const owner = await newOwner(service);
    for (const name of badNames) {
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => rename(owner, name));
      expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['name']);
    }
  });
});

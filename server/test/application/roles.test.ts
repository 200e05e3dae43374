/** Roles, scopes and products of an application over GraphQL: what they grant, who manages them, what is public. */
import { describe, expect, it } from 'vitest';
import { moveMembers } from '../../src/cli/application.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import {
  accept,
  addMember,
  expireInvitation,
  invite,
  inviteByMail,
  memberIdOf,
  newestInvitationToken,
} from '../support/actors/invitations.ts';
import { addTo, inviteTo, newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { bearer, newAddress, operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', {
  application: {
    name: 'Acme Notes',
    scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write and delete notes' },
    roles: {
      ADMIN: { scopes: ['notes:read', 'notes:write'] },
      MEMBER: { scopes: ['notes:read'] },
      EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'] },
      HOST: {
        title: 'Host “of guests”',
        scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE', 'notes:read'],
      },
      TREASURER: { title: 'Treasurer', scopes: ['MEMBERS_VIEW', 'BILLING_MANAGE'] },
    },
    products: {
      free: { title: 'Free', scopes: ['notes:read'] },
      team: { title: 'Team', scopes: '*', members: 20 },
    },
    brand: { color: '#5B2EE5', support: 'mailto:help@acme.example', terms: 'https://acme.example/terms' },
  },
});
const owner = fixture(() => newOwner(service));

const scopesQuery = '{ me { currentMembership { role scopes } } }';

const inTheTeam = async ({ organizationId }: Pick<Tenant, 'organizationId'>): Promise<void> => {
  await service.sql("UPDATE subscriptions SET product = 'team' WHERE organization_id = $1", [organizationId]);
};

const roleOf = (memberId: string): Promise<unknown> =>
  service.sql.value('SELECT role FROM organization_members WHERE id = $1', [memberId]);

const changeRole =
  'mutation ($memberId: ID!, $role: Role!) { changeMemberRole(memberId: $memberId, role: $role) { role } }';

describe('Roles that an application defines', () => {
  // Contract: application#names-of-roles — The GraphQL enum Role gains the defined roles
  it('are values of the enum Role, with their titles', async () => {
    const { data } = await post(service.url, '{ __type(name: "Role") { enumValues { name description } } }');
    expect(data).toMatchObject({
      __type: {
        enumValues: [
          { name: 'ADMIN' },
          { name: 'MEMBER' },
          { name: 'OWNER' },
          { name: 'EDITOR', description: 'Editor' },
          { name: 'HOST', description: 'Host “of guests”' },
          { name: 'TREASURER', description: 'Treasurer' },
        ],
      },
    });
  });

  it('are invited to, named in the mail by their title, and accepted', async () => {
    const email = newAddress();
    const guest = await newOwner(service, email);
    expect((await invite(service, owner.tokens, email, 'EDITOR')).code).toBeNull();
    const [mail] = await service.mailsTo(email);
    expect(mail?.text).toContain('with the role “Editor”.');
    const accepted = await accept(service, guest.tokens, await newestInvitationToken(service, email));
    expect(await roleOf(memberIdOf(accepted))).toBe('EDITOR');
  });

  // Contract: organizations#effective-scopes — Effective scopes: those of the role that the product grants
  it('grant their scopes as far as the product does, from the next request on', async () => {
    const tenant = await newOwner(service);
    const editor = await addMember(service, tenant.tokens, 'EDITOR');
    const scopesNow = async () => (await post(service.url, scopesQuery, {}, bearer(editor.tokens))).data;
    expect(await scopesNow()).toEqual({
      me: { currentMembership: { role: 'EDITOR', scopes: ['MEMBERS_VIEW', 'notes:read'] } },
    });
    await inTheTeam(tenant);
    expect(await scopesNow()).toEqual({
      me: { currentMembership: { role: 'EDITOR', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'] } },
    });
  });

  it('are explained, scope by scope', async () => {
    const editor = await addMember(service, owner.tokens, 'EDITOR');
    const query = 'query ($scope: String!) { explainScope(scope: $scope) { granted reasons } }';
    const { data } = await post(service.url, query, { scope: 'notes:write' }, bearer(editor.tokens));
    expect(data).toEqual({
      explainScope: {
        granted: false,
        reasons: [
          'Your session is not limited to specific scopes.',
          `You belong to ${(await organizationName(owner)) ?? ''}.`,
          'Your role here is EDITOR, which grants notes:write.',
          "The organization's product is free, which does not grant notes:write: only team does.",
        ],
      },
    });
  });

  // Contract: application#who-may-manage-a-role — Who may give, change, remove or invite a role: all its scopes are
  //   among one's own
  it('are managed by a role that holds all their scopes, and by no other', async () => {
    const host = await addMember(service, owner.tokens, 'HOST');
    const member = await addMember(service, owner.tokens, 'MEMBER');
    const editor = await addMember(service, owner.tokens, 'EDITOR');
    for (const [target, role] of [
      [member, 'EDITOR'],
      [member, 'TREASURER'],
      [member, 'OWNER'],
      [editor, 'MEMBER'],
    ] as const) {
      const attempt = () => runAs(service, host, changeRole, { memberId: target.memberId, role });
      await expectRefusal(service, 'FORBIDDEN', attempt);
    }
    await expectRefusal(service, 'FORBIDDEN', () => invite(service, host.tokens, newAddress(), 'EDITOR'));
    await expectRefusal(service, 'FORBIDDEN', () =>
      runAs(service, host, operations.removeMember, { id: editor.memberId }),
    );
    expect((await runAs(service, host, changeRole, { memberId: member.memberId, role: 'HOST' })).code).toBeNull();
    expect(await roleOf(member.memberId)).toBe('HOST');
  });

  it('are managed by an administrator only where the administrator has their scopes', async () => {
    const admin = await addMember(service, owner.tokens, 'ADMIN');
    const email = newAddress();
    await expectRefusal(service, 'FORBIDDEN', () => invite(service, admin.tokens, email, 'TREASURER'));
    const { memberId } = await inviteByMail(service, owner.tokens, email, 'TREASURER');
    for (const operation of [operations.resetInvitation, operations.cancelInvitation]) {
      await expectRefusal(service, 'FORBIDDEN', () => runAs(service, admin, operation, { memberId }));
    }
    expect((await invite(service, admin.tokens, newAddress(), 'HOST')).code).toBeNull();
  });

  // Contract: application#callers-with-limited-scopes — A caller whose credential is limited to certain scopes is
  //   measured by these
  it('are measured against the scopes of a limited credential, which never touches an owner', async () => {
    const tenant = await newOwner(service);
    const member = await addTo(service, (await newOwner(service)).userId, tenant.organizationId);
    const limit = ['MEMBERS_VIEW', 'MEMBERS_UPDATE', 'notes:read'];
    await service.sql('UPDATE credentials SET scopes = $2 WHERE user_id = $1', [tenant.userId, limit]);
    for (const role of ['EDITOR', 'OWNER', 'ADMIN']) {
      const attempt = () => runAs(service, tenant, changeRole, { memberId: member, role });
      await expectRefusal(service, 'FORBIDDEN', attempt);
    }
    const second = await addTo(service, (await newOwner(service)).userId, tenant.organizationId, 'OWNER');
    const attempt = () => runAs(service, tenant, changeRole, { memberId: second, role: 'MEMBER' });
    await expectRefusal(service, 'FORBIDDEN', attempt);
  });

  // Contract: application#role-without-a-definition — A role that is no longer defined shows MEMBER with no scopes, and
  //   no member gains any
  it('are shown as MEMBER without scopes once they are gone, and only an owner changes them', async () => {
    const gone = await addMember(service, owner.tokens, 'MEMBER');
    await service.sql("UPDATE organization_members SET role = 'RETIRED' WHERE id = $1", [gone.memberId]);
    const query =
      '{ me { currentMembership { role scopes } } explainScope(scope: "MEMBERS_VIEW") { granted reasons } }';
    const { data } = await post(service.url, query, {}, bearer(gone.tokens));
    expect(data).toMatchObject({
      me: { currentMembership: { role: 'MEMBER', scopes: [] } },
      explainScope: { granted: false },
    });
    expect(JSON.stringify(data)).toContain(
      'Your role here is RETIRED, which no longer exists, so it grants no scopes.',
    );
    const admin = await addMember(service, owner.tokens, 'ADMIN');
    const change = { memberId: gone.memberId, role: 'MEMBER' };
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, admin, changeRole, change));
    expect((await runAs(service, owner, changeRole, change)).code).toBeNull();
    expect(await roleOf(gone.memberId)).toBe('MEMBER');
  });
});

const organizationName = ({ organizationId }: Pick<Tenant, 'organizationId'>): Promise<string | undefined> =>
  service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [organizationId]);

describe('The query application', () => {
  // Contract: application#public-description — Query.application is public
  it('shows name, scopes, roles, products and brand without a sign-in', async () => {
    const { code, data } = await post(
      service.url,
      `{ application {
        name scopes { name words isBuiltIn } roles { name title scopes } products { name title members scopes }
        brand { color logoUrl supportUrl termsUrl privacyUrl } } }`,
    );
    expect(code).toBeNull();
    expect(data).toMatchObject({
      application: {
        name: 'Acme Notes',
        brand: {
          color: '#5b2ee5',
          logoUrl: null,
          supportUrl: 'mailto:help@acme.example',
          termsUrl: 'https://acme.example/terms',
          privacyUrl: null,
        },
      },
    });
    const text = JSON.stringify(data);
    expect(text).toContain('{"name":"notes:read","words":"Read notes","isBuiltIn":false}');
    expect(text).toContain('{"name":"TREASURER","title":"Treasurer","scopes":["MEMBERS_VIEW","BILLING_MANAGE"]}');
    expect(text).toContain('"title":"Team","members":20');
  });
});

describe('Members of a role that is gone', () => {
  // Contract: application#role-without-a-definition — gatehouse move-role OLD NEW moves the members of a role that is
  //   no longer defined
  it('are moved to another role, members and invitations, in batches', async () => {
    const tenant = await newOwner(service);
    const member = await newMember(service, tenant.organizationId, 'OLDEN');
    const invited = await inviteTo(service, (await newOwner(service)).userId, tenant.organizationId, 'OLDEN');
    expect(await moveMembers(service.database, defaultApplication, { from: 'OLDEN', to: 'ADMIN' })).toBe(2);
    expect([await roleOf(member.memberId), await roleOf(invited)]).toEqual(['ADMIN', 'ADMIN']);
  });

  it.each([
    ['MEMBER', 'ADMIN', 'The application still has the role MEMBER'],
    ['OWNER', 'ADMIN', 'The application still has the role OWNER'],
    ['OLDEN', 'OWNER', 'Members can be moved to ADMIN, MEMBER, not to OWNER'],
    ['OLDEN', 'OLDEN', 'not to OLDEN'],
    ['OLDEN', 'NEWER', 'not to NEWER'],
  ])('are not moved from %s to %s', async (from, to, reason) => {
    await newMember(service, owner.organizationId, 'OLDEN');
    await expectNothingStored(service, async () => {
      await expect(moveMembers(service.database, defaultApplication, { from, to })).rejects.toThrow(reason);
    });
  });

  it('can be invited again by an owner after their invitation to it has expired', async () => {
    const tenant = await newOwner(service);
    const guest = await newOwner(service);
    const invited = await inviteTo(service, guest.userId, tenant.organizationId, 'OLDEN');
    await expireInvitation(service, invited);
    const admin = await newMember(service, tenant.organizationId, 'ADMIN');
    await expectRefusal(service, 'FORBIDDEN', () => invite(service, admin.tokens, guest.email));
    expect((await invite(service, tenant.tokens, guest.email, 'EDITOR')).code).toBeNull();
    expect(await roleOf(invited)).toBe('EDITOR');
  });
});

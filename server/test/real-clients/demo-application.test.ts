/**
 * The MCP of an organization as `npm start` serves it: the demo application with its tools, and an unmodified SDK that
 * acts for an owner with every role that the application has.
 */
import { describe, expect, it } from 'vitest';
import demoApplication from '../../../examples/application.ts';
import { tools } from '../../../examples/mcp-tools/tools.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { inviteTo, newMember, newOwner, roleOf } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import { newAddress } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { startService } from '../support/gatehouse/gatehouse.ts';
import { newMemberOf } from './approving-user.ts';
import { type ConnectedSdk, newSdks, oldSdk, type Sdk } from './sdk-clients.ts';

const service = fixture(() => startService({}, 'none', { application: demoApplication, tools }));
const acme = fixture(async () => {
  const owner = await newOwner(service);
  // The plan of Acme Instruments; that of Harbor Press has three seats.
  await service.sql("UPDATE subscriptions SET product = 'team' WHERE organization_id = $1", [owner.organizationId]);
  return owner;
});
const url = (): string => `${service.url}/mcp/organization`;
const ownerPerson = () => newMemberOf(service, acme.organizationId, 'OWNER');

const invitationAs = async (role: string): Promise<string> =>
  inviteTo(service, await seedPerson(service.database, newAddress()), acme.organizationId, role);
const memberAs = async (role: string): Promise<string> =>
  (await newMember(service, acme.organizationId, role)).memberId;

/** Each tool that measures a role, with the scope that it needs itself, and a call with a role. */
const measuring = [
  ['member_invite', 'MEMBERS_INVITE', async (role: string) => ({ email: newAddress(), role })],
  ['invitation_reset', 'MEMBERS_INVITE', async (role: string) => ({ memberId: await invitationAs(role) })],
  ['invitation_cancel', 'MEMBERS_INVITE', async (role: string) => ({ memberId: await invitationAs(role) })],
  [
    'member_change_role',
    'MEMBERS_UPDATE',
    async (role: string) => ({ memberId: await memberAs(role), role: 'EDITOR' }),
  ],
  ['member_change_role', 'MEMBERS_UPDATE', async (role: string) => ({ memberId: await memberAs('MEMBER'), role })],
  ['member_remove', 'MEMBERS_REMOVE', async (role: string) => ({ memberId: await memberAs(role) })],
] as const;

const roles = ['OWNER', 'ADMIN', 'EDITOR', 'MEMBER'];
/** Those that clients can give and take: the others have scopes that no tool of the demo application needs. */
const manageable = ['EDITOR', 'MEMBER'];

const withClient = async (sdk: Sdk, scope: string | undefined, work: (client: ConnectedSdk) => Promise<void>) => {
  const person = await ownerPerson();
  const client = await sdk.connect(url(), person, scope);
  try {
    await work(client);
  } finally {
    await client.close();
  }
};

describe.each([newSdks[0], oldSdk])('$title, which was granted all that the server names', (sdk) => {
  // Contract: organization-mcp#scopes-of-a-role — An owner’s client manages every role whose scopes it may have
  it('manages members and editors, and no administrators and owners', async () => {
    expect(demoApplication.roles).toHaveProperty('EDITOR');
    await withClient(sdk, undefined, async (client) => {
      for (const [name, , givenFor] of measuring) {
        for (const role of roles) {
          const given = await givenFor(role);
          const dryRun = await expectNothingChanged(service, () => client.call(name, { ...given, dryRun: true }));
          if (manageable.includes(role)) {
            expect(dryRun).not.toContain('"isError":true');
            expect(await client.call(name, given)).toContain('"dryRun":false');
          } else {
            expect(dryRun).toContain('FORBIDDEN: ');
            const refused = await expectNothingChanged(service, () => client.call(name, given));
            expect(refused).toContain('FORBIDDEN: ');
          }
        }
      }
    });
  }, 300_000);

  it('calls a tool of the application', async () => {
    await withClient(sdk, undefined, async (client) => {
      expect(await client.tools()).toEqual(expect.arrayContaining(['notes_list', 'notes_add', 'notes_delete']));
      await client.call('notes_add', { text: `By ${sdk.title}` });
      expect(await client.call('notes_list')).toContain(`By ${sdk.title}`);
    });
  });
});

const [sdk] = newSdks;

describe(`${sdk.title}, which was granted only the scope of a tool`, () => {
  // Contract: organization-mcp#scopes-of-a-role — Where a built-in scope is held but not granted, the client asks for
  //   it
  it.each(measuring)('asks for those of the role: %s', async (name, scope, givenFor) => {
    const person = await ownerPerson();
    for (const role of manageable) {
      const client = await sdk.connect(url(), person, scope);
      try {
        const given = await givenFor(role);
        expect(client.scopes()).toEqual([scope]);
        await expectNothingChanged(service, () =>
          expect(client.call(name, given)).rejects.toBeInstanceOf(sdk.unauthorized),
        );
        const { searchParams } = await client.completeStepUp(person);
        expect(searchParams.get('scope')?.split(' ')).toEqual([scope, 'MEMBERS_VIEW']);
        expect(await client.call(name, given)).toContain('"dryRun":false');
      } finally {
        await client.close();
      }
    }
  });

  it('is refused an owner at once, and an administrator after it has what it can be granted', async () => {
    const person = await ownerPerson();
    const client = await sdk.connect(url(), person, 'MEMBERS_UPDATE');
    try {
      const memberId = await memberAs('MEMBER');
      const change = (role: string) =>
        expectNothingChanged(service, () => client.call('member_change_role', { memberId, role }));
      await expect(change('ADMIN')).rejects.toBeInstanceOf(sdk.unauthorized);
      await client.completeStepUp(person);
      expect(client.scopes()).toEqual(['MEMBERS_INVITE', 'MEMBERS_REMOVE', 'MEMBERS_UPDATE', 'MEMBERS_VIEW']);
      expect(await change('ADMIN')).toContain('- MCP_MANAGE: Clients are not offered this scope here.');
      expect(await change('OWNER')).toContain('FORBIDDEN: A connected client never makes an owner');
      expect(await roleOf(service, memberId)).toBe('MEMBER');
    } finally {
      await client.close();
    }
  });
});

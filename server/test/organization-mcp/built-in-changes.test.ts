/** The tools of the service that change something: what each changes and refuses, and its dry run. */
import { describe, expect, it } from 'vitest';
import { addTo, foreignMemberIds, newMember, newOwner, roleOf, runAs } from '../support/actors/tenants.ts';
import { expectNothingChanged } from '../support/checks/refusals.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import { callTool } from '../support/clients/mcp.ts';
import { connectToOrganization, memberScopes } from '../support/clients/organization-mcp.ts';
import { toolCalls } from '../support/clients/organization-tools.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const client = fixture(() => connectToOrganization(service));
const { succeed, dryRunOf, refuse, invited } = toolCalls(service, client);

describe('member_invite', () => {
  it('invites with a mail, and says before what it would do', async () => {
    const email = newAddress();
    const facts = { member: { email, role: 'MEMBER', name: null, joinedAt: null, invitation: { status: 'OPEN' } } };
    expect(await dryRunOf('member_invite', { email, role: 'MEMBER' })).toMatchObject({
      ...facts,
      dryRun: true,
      mailTo: email,
    });
    expect(await service.mailsTo(email)).toEqual([]);
    // As it is pasted, with invisible signs.
    const pasted = `\u200b${email.replace('@', '\u2060@')}`;
    expect(await succeed('member_invite', { email: pasted, role: 'MEMBER' })).toMatchObject({
      ...facts,
      dryRun: false,
    });
    expect(await service.mailsTo(email)).toHaveLength(1);
  });

  it('refuses what inviteMember refuses', async () => {
    const { email } = await invited();
    await refuse('member_invite', { email: 'no address', role: 'MEMBER' }, /^BAD_USER_INPUT: .*\n- email: /);
    await refuse('member_invite', { email: client.person.email, role: 'MEMBER' }, /- email: This is your own address/);
    await refuse('member_invite', { email, role: 'MEMBER' }, /- email: This address is invited already/);
    await refuse(
      'member_invite',
      { email: newAddress(), role: 'EDITOR' },
      /- role: This must be one of: OWNER, ADMIN, MEMBER/,
    );
    await refuse('member_invite', { email: newAddress(), role: 'OWNER' }, /^FORBIDDEN: A connected client/, 'deny');
  });
});

describe('invitation_reset', () => {
  it('sends an invitation again with a new link', async () => {
    const { email, memberId } = await invited();
    const hash = () =>
      service.sql('SELECT invitation_token_hash AS hash FROM organization_members WHERE id = $1', [memberId]);
    const before = await hash();
    expect(await dryRunOf('invitation_reset', { memberId })).toMatchObject({ dryRun: true, mailTo: email });
    expect(await succeed('invitation_reset', { memberId })).toMatchObject({ dryRun: false, mailTo: email });
    expect(await hash()).not.toEqual(before);
    expect(await service.mailsTo(email)).toHaveLength(1);
  });
});

describe('invitation_cancel', () => {
  it('deletes an invitation, without a mail', async () => {
    const { email, memberId } = await invited();
    const facts = { member: { id: memberId, email }, mailTo: null };
    expect(await dryRunOf('invitation_cancel', { memberId })).toMatchObject({ ...facts, dryRun: true });
    expect(await succeed('invitation_cancel', { memberId })).toMatchObject({ ...facts, dryRun: false });
    expect(await roleOf(service, memberId)).toBeUndefined();
    expect(await service.mailsTo(email)).toEqual([]);
  });
});

describe('Both tools on invitations', () => {
  it.each(['invitation_reset', 'invitation_cancel'])('refuse members, owners and strangers: %s', async (name) => {
    const member = await newMember(service, client.person.organizationId);
    await refuse(name, { memberId: member.memberId }, /^INVITATION_NOT_OPEN: /);
    const owner = await invited('OWNER');
    await refuse(name, { memberId: owner.memberId }, /^FORBIDDEN: A connected client/, 'deny');
  });
});

describe('member_change_role', () => {
  it('gives a member another role', async () => {
    const { memberId, email } = await newMember(service, client.person.organizationId);
    // An administrator holds more than the client was granted.
    await refuse('member_change_role', { memberId, role: 'ADMIN' }, /^FORBIDDEN: This role has scopes/, 'deny');
    const wide = [...memberScopes, 'TOKENS_MANAGE', 'MCP_MANAGE', 'AUDIT_VIEW'];
    const who = await connectToOrganization(service, client.person, { scopes: wide });
    const facts = { formerRole: 'MEMBER', member: { id: memberId, email, role: 'ADMIN' } };
    const given = { memberId, role: 'ADMIN' };
    await expectNothingChanged(service, async () =>
      expect(await succeed('member_change_role', { ...given, dryRun: true }, who)).toMatchObject(facts),
    );
    expect(await succeed('member_change_role', given, who)).toMatchObject({ ...facts, dryRun: false });
    expect(await roleOf(service, memberId)).toBe('ADMIN');
  });
});

describe('member_remove', () => {
  it('removes a member, whose sessions end', async () => {
    const member = await newMember(service, client.person.organizationId);
    const theirs = await connectToOrganization(service, member, { scopes: ['MEMBERS_VIEW'] });
    const facts = { member: { id: member.memberId, email: member.email }, endedSessions: 2 };
    expect(await dryRunOf('member_remove', { memberId: member.memberId })).toMatchObject({ ...facts, dryRun: true });
    expect((await callTool(service, theirs, 'whoami')).status).toBe(200);
    expect(await succeed('member_remove', { memberId: member.memberId })).toMatchObject({ ...facts, dryRun: false });
    expect(await roleOf(service, member.memberId)).toBeUndefined();
    expect((await runAs(service, member, operations.me)).code).toBe('UNAUTHENTICATED');
    expect((await callTool(service, theirs, 'whoami')).status).toBe(401);
  });

  // Contract: organization-mcp#scopes-of-a-role — member_remove, never oneself
  it('never removes oneself, here or elsewhere, nor an owner', async () => {
    const elsewhere = await addTo(service, client.person.userId, (await newOwner(service)).organizationId);
    await refuse(
      'member_remove',
      { memberId: client.person.memberId },
      /^FORBIDDEN: .*never removes the person/,
      'deny',
    );
    await refuse('member_remove', { memberId: elsewhere }, /^NOT_FOUND: /);
    const owner = await newMember(service, client.person.organizationId, 'OWNER');
    await refuse('member_remove', { memberId: owner.memberId }, /^FORBIDDEN: A connected client/, 'deny');
  });
});

describe('Ids of another organization', () => {
  it.each(['invitation_reset', 'invitation_cancel', 'member_change_role', 'member_remove'])(
    'are unknown to %s, as those that are none',
    async (name) => {
      for (const memberId of await foreignMemberIds(service)) {
        const given = name === 'member_change_role' ? { memberId, role: 'MEMBER' } : { memberId };
        await refuse(name, given, /^(NOT_FOUND|BAD_USER_INPUT): .*\n- memberId: /);
      }
    },
  );
});

/** The specification's table "Invitation", first row: permissions of the inviter, and the mail. */
import { describe, expect, it } from 'vitest';
import {
  addMember,
  expireInvitation,
  invitationRow,
  invite,
  inviteByMail,
  memberIdOf,
  newestInvitationToken,
  openRow,
  preview,
} from '../support/actors/invitations.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { newAddress, operations, post, registerAndSignIn } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const owner = fixture(() => registerAndSignIn(service));

describe('inviteMember', () => {
  // Contract: organizations#inviting-a-person — none → open, inviteMember: token UUID, 7 days, invitation e-mail
  it('opens an invitation for seven days and mails its link', async () => {
    const email = newAddress();
    const answer = await invite(service, owner.tokens, ` ${email.toUpperCase()} `, 'ADMIN');
    const token = await newestInvitationToken(service, email);
    expect(answer.data).toEqual({
      inviteMember: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        userId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        email,
        name: null,
        role: 'ADMIN',
        joinedAt: null,
        invitation: { status: 'OPEN', expiresAt: expect.any(String) as unknown, acceptedAt: null },
      },
    });
    expect(await invitationRow(service, memberIdOf(answer))).toEqual({ ...openRow, role: 'ADMIN' });
    expect(await preview(service, token)).toMatchObject({ role: 'ADMIN', status: 'OPEN' });
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  // Contract: organizations#invitation-token-and-mail — Invitation e-mail with the link
  //   {frontend_url}/invitation/<invitation_token>
  it('names the inviter, the organization and the role, and what to do with an unexpected mail', async () => {
    const email = newAddress();
    await invite(service, owner.tokens, email, 'ADMIN');
    const [mail, ...others] = await service.mailsTo(email);
    const token = await newestInvitationToken(service, email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Invitation to join “Test Person's organization”");
    expect(mail?.links).toEqual([`${service.portalUrl}/invitation/${token}`]);
    expect(mail?.text).toContain("Test Person invites you to join “Test Person's organization” as an administrator.");
    expect(mail?.text).toContain('7 days');
    expect(mail?.text).toContain('ignore this mail');
  });

  // Contract: organizations#inviting-a-person — inviteMember: scope MEMBERS_INVITE (mode EVERY), from role and
  //   subscription
  it('refuses a signed-out caller, one without the scope, and an unpaid organization', async () => {
    const member = await addMember(service, owner.tokens);
    const unpaid = await registerAndSignIn(service);
    await service.sql(
      `UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id = (SELECT m.organization_id
         FROM users u JOIN organization_members m ON m.id = u.current_membership WHERE u.email = $1)`,
      [unpaid.email],
    );
    const input = { email: newAddress(), role: 'MEMBER' };
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.inviteMember, { input }));
    for (const { tokens } of [member, unpaid]) {
      const answer = await expectRefusal(service, 'FORBIDDEN', () => invite(service, tokens, newAddress(), 'ADMIN'));
      expect(answer.extensions['missingScopes']).toEqual(['MEMBERS_INVITE']);
    }
  });

  // Contract: organizations#inviting-a-person — An ADMIN invites ADMIN and MEMBER only
  it('lets an ADMIN invite an ADMIN and a MEMBER, but no OWNER', async () => {
    const admin = await addMember(service, owner.tokens, 'ADMIN');
    for (const role of ['ADMIN', 'MEMBER'] as const) {
      expect((await invite(service, admin.tokens, newAddress(), role)).code).toBeNull();
    }
    await expectRefusal(service, 'FORBIDDEN', () => invite(service, admin.tokens, newAddress(), 'OWNER'));
    expect((await invite(service, owner.tokens, newAddress(), 'OWNER')).code).toBeNull();
  });

  const expectBadEmail = async (email: string): Promise<void> => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => invite(service, owner.tokens, email));
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['email']);
  };

  // Contract: organizations#inviting-a-person — inviteMember of oneself or of a member
  it('refuses the address of the caller and of a member', async () => {
    await expectBadEmail(owner.email);
    await expectBadEmail((await addMember(service, owner.tokens)).email.toUpperCase());
  });

  // Contract: organizations#inviting-a-person — inviteMember of an address with an open invitation
  it('refuses an invited address, whose link remains valid', async () => {
    const email = newAddress();
    const { token } = await inviteByMail(service, owner.tokens, email);
    await expectBadEmail(email);
    expect(await preview(service, token)).toMatchObject({ status: 'OPEN' });
  });

  // Contract: organizations#inviting-a-person — expired → open, inviteMember again
  it('renews an invitation that has expired, with the new role', async () => {
    const email = newAddress();
    const first = await inviteByMail(service, owner.tokens, email);
    await expireInvitation(service, first.memberId);
    const second = await inviteByMail(service, owner.tokens, email, 'ADMIN');
    expect(second.memberId).toBe(first.memberId);
    expect(await invitationRow(service, first.memberId)).toEqual({ ...openRow, role: 'ADMIN' });
    expect(await preview(service, first.token)).toBeNull();
    expect(await preview(service, second.token)).toMatchObject({ status: 'OPEN', role: 'ADMIN' });
  });

  it('lets only an owner renew the expired invitation of an owner', async () => {
    const email = newAddress();
    const { memberId } = await inviteByMail(service, owner.tokens, email, 'OWNER');
    await expireInvitation(service, memberId);
    const admin = await addMember(service, owner.tokens, 'ADMIN');
    await expectRefusal(service, 'FORBIDDEN', () => invite(service, admin.tokens, email, 'MEMBER'));
    expect((await inviteByMail(service, owner.tokens, email, 'MEMBER')).memberId).toBe(memberId);
  });
});

/** The specification's table "Invitation": every transition of an open one. See also invite-member, invited-profile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { credentialsOf, me } from '../support/actors/credentials.ts';
import {
  accept,
  acceptedRow,
  addMember,
  completeProfile,
  expireInvitation,
  type Invited,
  invitationRow,
  inviteByMail,
  newestInvitationToken,
  openRow,
  preview,
} from '../support/actors/invitations.ts';
import type { RoleName } from '../support/actors/tenants.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  type Tokens,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const owner = fixture(() => registerAndSignIn(service));

const reset = (memberId: string, by: Tokens = owner.tokens): Promise<Answer> =>
  runAs(service, { tokens: by }, operations.resetInvitation, { memberId });

const cancel = (memberId: string, by: Tokens = owner.tokens): Promise<Answer> =>
  runAs(service, { tokens: by }, operations.cancelInvitation, { memberId });

/** A person with an account and their own organization, and an open invitation to the owner's. */
const inviteKnown = async (role: RoleName = 'MEMBER'): Promise<Invited & { email: string; tokens: Tokens }> => {
  const person = await registerAndSignIn(service);
  return { ...person, ...(await inviteByMail(service, owner.tokens, person.email, role)) };
};

describe('resetInvitation', () => {
  // Contract: organizations#resending-and-cancelling — open → open, resetInvitation: new token and expiry, e-mail
  it('gives an open invitation a new link and seven more days; the old link is invalid', async () => {
    const known = await inviteKnown();
    await service.sql(
      `UPDATE organization_members SET invitation_expires_at = now() + interval '1 hour' WHERE id = $1`,
      [known.memberId],
    );
    expect((await reset(known.memberId)).data).toMatchObject({ resetInvitation: { invitation: { status: 'OPEN' } } });
    const token = await newestInvitationToken(service, known.email);
    expect(await invitationRow(service, known.memberId)).toEqual({ ...openRow, role: 'MEMBER' });
    expect(await preview(service, known.token)).toBeNull();
    await expectRefusal(service, 'INVITATION_NOT_OPEN', () => accept(service, known.tokens, known.token));
    expect((await accept(service, known.tokens, token)).code).toBeNull();
  });

  // Contract: organizations#resending-and-cancelling — expired → open, resetInvitation
  it('opens an expired invitation again', async () => {
    const known = await inviteKnown();
    await expireInvitation(service, known.memberId);
    expect((await reset(known.memberId)).code).toBeNull();
    const token = await newestInvitationToken(service, known.email);
    expect((await accept(service, known.tokens, token)).code).toBeNull();
  });
});

describe('cancelInvitation', () => {
  // Contract: organizations#resending-and-cancelling — cancelInvitation
  it('deletes an open and an expired invitation; their links are unknown from then on', async () => {
    const [first, second] = [await inviteKnown(), await inviteKnown()];
    await expireInvitation(service, second.memberId);
    for (const { memberId, token, tokens } of [first, second]) {
      expect((await cancel(memberId)).data).toEqual({ cancelInvitation: true });
      expect(await invitationRow(service, memberId)).toBeUndefined();
      expect(await preview(service, token)).toBeNull();
      await expectRefusal(service, 'INVITATION_NOT_OPEN', () => accept(service, tokens, token));
      await expectRefusal(service, 'NOT_FOUND', () => cancel(memberId));
    }
  });

  it('allows the address to be invited again', async () => {
    const email = newAddress();
    await cancel((await inviteByMail(service, owner.tokens, email)).memberId);
    const again = await inviteByMail(service, owner.tokens, email);
    expect(await preview(service, again.token)).toMatchObject({ status: 'OPEN' });
  });
});

describe.each([
  ['resetInvitation', reset],
  ['cancelInvitation', cancel],
] as const)('%s', (_name, change) => {
  let invited: Invited;
  beforeEach(async () => {
    invited = await inviteByMail(service, owner.tokens, newAddress());
  });

  // Contract: organizations#resending-and-cancelling — resetInvitation, cancelInvitation: other tenants' ids
  it('does not distinguish the id of another organization from an unknown one', async () => {
    const outsider = await registerAndSignIn(service);
    const ids = [invited.memberId, crypto.randomUUID(), 'no id', ''];
    const answers: Answer[] = [];
    for (const id of ids) {
      answers.push(await expectRefusal(service, 'NOT_FOUND', () => change(id, outsider.tokens)));
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  // Contract: organizations#resending-and-cancelling — resetInvitation, cancelInvitation: accepted already
  it('refuses an accepted invitation, and a member who joined without one', async () => {
    await completeProfile(service, invited.token);
    const self = await service.sql.value<string>('SELECT current_membership AS id FROM users WHERE email = $1', [
      owner.email,
    ]);
    for (const id of [invited.memberId, self ?? '']) {
      await expectRefusal(service, 'INVITATION_NOT_OPEN', () => change(id));
    }
  });

  // Contract: organizations#resending-and-cancelling — resetInvitation, cancelInvitation: MEMBERS_INVITE; an ADMIN
  //   cannot manage an OWNER
  it('refuses a MEMBER, and an ADMIN when an OWNER is invited', async () => {
    const [member, admin] = [await addMember(service, owner.tokens), await addMember(service, owner.tokens, 'ADMIN')];
    const ownerToBe = await inviteByMail(service, owner.tokens, newAddress(), 'OWNER');
    await expectRefusal(service, 'FORBIDDEN', () => change(invited.memberId, member.tokens));
    await expectRefusal(service, 'FORBIDDEN', () => change(ownerToBe.memberId, admin.tokens));
    expect((await change(invited.memberId, admin.tokens)).code).toBeNull();
  });
});

describe('acceptInvitation', () => {
  // Contract: organizations#acceptance-with-an-account — open → accepted, acceptInvitation: token and expiry null,
  //   accepted_at set, current_membership set
  it('makes the invited person a member, and that membership active', async () => {
    const { memberId, token, tokens, email } = await inviteKnown('ADMIN');
    const answer = await accept(service, tokens, token);
    expect(answer.data).toMatchObject({
      acceptInvitation: {
        id: memberId,
        email,
        name: 'Test Person',
        role: 'ADMIN',
        invitation: { status: 'ACCEPTED', expiresAt: null },
      },
    });
    expect(await invitationRow(service, memberId)).toEqual({ ...acceptedRow, role: 'ADMIN' });
    expect((await me(service, tokens.accessToken)).data).toMatchObject({
      me: { currentMembership: { id: memberId, role: 'ADMIN' }, memberships: [{ role: 'OWNER' }, { role: 'ADMIN' }] },
    });
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation does not re-issue the session
  it('does not change the session: its snapshot is unchanged', async () => {
    const { token, tokens, email } = await inviteKnown();
    const before = await credentialsOf(service, email);
    await accept(service, tokens, token);
    const shown = (rows: typeof before) => rows.map(({ hash, live, membership }) => ({ hash, live, membership }));
    expect(shown(await credentialsOf(service, email))).toEqual(shown(before));
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation without a membership
  it('works for a user without any membership', async () => {
    const { memberId, token, tokens, email } = await inviteKnown();
    await service.sql(
      `DELETE FROM organization_members WHERE joined_at IS NOT NULL AND user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    expect((await accept(service, tokens, token)).code).toBeNull();
    expect(await invitationRow(service, memberId)).toEqual({ ...acceptedRow, role: 'MEMBER' });
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation: guard logged in
  it('refuses a signed-out caller', async () => {
    const { token } = await inviteKnown();
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.acceptInvitation, { token }));
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation: user_id matches; ACCOUNT_MISMATCH, the
  //   invitation stays open
  it('refuses another person with ACCOUNT_MISMATCH, and the invitation stays open', async () => {
    const { token, tokens } = await inviteKnown();
    const other = await registerAndSignIn(service);
    await expectRefusal(service, 'ACCOUNT_MISMATCH', () => accept(service, other.tokens, token));
    await expectRefusal(service, 'ACCOUNT_MISMATCH', () => accept(service, owner.tokens, token));
    expect((await accept(service, tokens, token)).code).toBeNull();
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation: accepted_at null
  it('works once, and its link says so afterwards', async () => {
    const { token, tokens } = await inviteKnown();
    await accept(service, tokens, token);
    await expectRefusal(service, 'INVITATION_NOT_OPEN', () => accept(service, tokens, token));
    await expectRefusal(service, 'INVITATION_NOT_OPEN', () => accept(service, owner.tokens, token));
    expect(await preview(service, token)).toMatchObject({ status: 'ACCEPTED', expiresAt: null, vToken: null });
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation: expiry later than now
  it('refuses an expired invitation, for its own user and all others alike', async () => {
    const { memberId, token, tokens } = await inviteKnown();
    await expireInvitation(service, memberId);
    for (const person of [tokens, owner.tokens]) {
      await expectRefusal(service, 'INVITATION_NOT_OPEN', () => accept(service, person, token));
    }
    expect(await preview(service, token)).toMatchObject({ status: 'EXPIRED', vToken: null });
  });

  // Contract: organizations#acceptance-with-an-account — acceptInvitation: token matches
  it('refuses an unknown token and every other spelling of a valid one', async () => {
    const { token, tokens } = await inviteKnown();
    for (const text of [
      crypto.randomUUID(),
      token.toUpperCase(),
      ` ${token}`,
      token.replaceAll('-', ''),
      `{${token}}`,
    ]) {
      expect(await preview(service, text, tokens)).toBeNull();
      await expectRefusal(service, 'INVITATION_NOT_OPEN', () => accept(service, tokens, text));
    }
  });
});

/** Invited people without an account: vToken, completeInvitedProfile, and sign-up instead of it. */
import { describe, expect, it } from 'vitest';
import { Keyring, randomHex, sha256 } from '../../src/kernel/secrets.ts';
import { credentialsOf, liveOf, me } from '../support/actors/credentials.ts';
import {
  accept,
  acceptedRow,
  completeProfile,
  expireInvitation,
  invitationRow,
  inviteByMail,
  preview,
  profileInput,
  submitProfile,
} from '../support/actors/invitations.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  Browser,
  bearer,
  goodPassword,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  signUp,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const older = 'an older secret of the tests with thirty-two bytes';
const newer = 'a newer secret of the tests with thirty-two bytes';

const service = serviceFixture({ GATEHOUSE_SECRET: `${newer},${older}` });
const owner = fixture(() => registerAndSignIn(service));

const inviteNew = async (email = newAddress()) => ({ email, ...(await inviteByMail(service, owner.tokens, email)) });

const userId = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

const linkExternalIdentity = async (email: string): Promise<void> => {
  await service.sql(`INSERT INTO external_identities (issuer, subject, user_id) VALUES ('test', 'somebody', $1)`, [
    await userId(email),
  ]);
};

describe('vToken', () => {
  const vTokenFor = async (email: string): Promise<string | null | undefined> =>
    (await preview(service, (await inviteNew(email)).token))?.vToken;

  // Contract: organizations#vtoken-of-a-preview — vToken: a person without a password
  it('is issued for a person without an account', async () => {
    expect(await vTokenFor(newAddress())).toMatch(/^[\w-]{43}$/);
  });

  // Contract: organizations#vtoken-of-a-preview — vToken: a person whose address was never verified
  it('is issued for a person whose password was never verified', async () => {
    const email = newAddress();
    await signUp(service, email);
    expect(await vTokenFor(email)).toMatch(/^[\w-]{43}$/);
  });

  // Contract: organizations#vtoken-of-a-preview — vToken: not for a person with an account
  it('is not issued for a person with a verified password', async () => {
    expect(await vTokenFor(await register(service))).toBeNull();
  });

  // Contract: organizations#vtoken-of-a-preview — vToken: not for a person with an external identity
  it('is not issued for a person who signs in by an external provider', async () => {
    const email = await register(service);
    await service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    await linkExternalIdentity(email);
    expect(await vTokenFor(email)).toBeNull();
  });

  // Contract: organizations#vtoken-of-a-preview — vToken: only while OPEN
  it('is not issued once the invitation is expired or accepted', async () => {
    const [expired, used] = [await inviteNew(), await inviteNew()];
    await expireInvitation(service, expired.memberId);
    await completeProfile(service, used.token);
    expect(await preview(service, expired.token)).toMatchObject({ status: 'EXPIRED', vToken: null });
    expect(await preview(service, used.token)).toMatchObject({ status: 'ACCEPTED', vToken: null, expiresAt: null });
  });

  // Contract: organizations#vtoken-of-a-preview — vToken: rotation of GATEHOUSE_SECRET
  it('of an older secret still works, and one of an unknown secret does not', async () => {
    const { token } = await inviteNew();
    const under = (secret: string): string => new Keyring([secret]).mac('invitation vToken', token);
    expect((await preview(service, token))?.vToken).toBe(under(newer));
    const foreign = under('a foreign secret of the tests with thirty-two bytes');
    await expectRefusal(service, 'INVITATION_NOT_OPEN', () => submitProfile(service, token, { vToken: foreign }));
    await completeProfile(service, token, { vToken: under(older) });
  });
});

describe('The preview', () => {
  // Contract: organizations#preview-of-an-invitation — invitation: organization name, role, expiry; never the invited
  //   address
  it('shows organization, role and expiry to everyone with the link, and never the invited address', async () => {
    const { email, token } = await inviteNew();
    const answer = await post(service.url, operations.invitation, { token });
    expect(await preview(service, token)).toEqual({
      organizationName: "Test Person's organization",
      role: 'MEMBER',
      status: 'OPEN',
      expiresAt: expect.any(String) as unknown,
      vToken: expect.any(String) as unknown,
      isYours: null,
    });
    expect(answer.text).not.toContain(email);
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  // Contract: organizations#preview-of-an-invitation — invitation: isYours
  it('informs the signed-in user whether the invitation is theirs', async () => {
    const person = await registerAndSignIn(service);
    const { token } = await inviteNew(person.email);
    expect(await preview(service, token, person.tokens)).toMatchObject({ isYours: true });
    expect(await preview(service, token, owner.tokens)).toMatchObject({ isYours: false });
  });
});

describe('completeInvitedProfile', () => {
  // Contract: organizations#acceptance-with-a-new-profile — open → accepted, completeInvitedProfile: name and password
  //   set, new pair
  it('sets name and password, accepts the invitation and signs in', async () => {
    const { email, memberId, token } = await inviteNew();
    const tokens = await completeProfile(service, token, { name: '  Zoë Marlow ' });
    expect((await me(service, tokens.accessToken)).data).toMatchObject({
      me: { email, name: 'Zoë Marlow', hasPassword: true, currentMembership: { id: memberId, role: 'MEMBER' } },
    });
    expect(await invitationRow(service, memberId)).toEqual({ ...acceptedRow, role: 'MEMBER' });
    const credentials = await liveOf(service, email);
    expect(credentials.map(({ kind, audience, method, membership }) => [kind, audience, method, membership])).toEqual([
      ['user_session', 'api', 'invitation', memberId],
      ['user_refresh', 'api', 'invitation', memberId],
    ]);
    await signIn(service, email);
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile: pair for the portal
  it('gives the portal cookies and no tokens, and ends the session in the cookies', async () => {
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email: owner.email, password: goodPassword } });
    const held = browser.cookies.get('auth_access') ?? '';
    await service.sql(
      `UPDATE credentials SET expires_at = now() - interval '1 second' WHERE token_hash = sha256(convert_to($1, 'UTF8'))`,
      [held],
    );
    const { token } = await inviteNew();
    const answer = await browser.run(operations.completeInvitedProfile, await profileInput(service, token));
    expect(answer.data).toMatchObject({ completeInvitedProfile: { accessToken: null, refreshToken: null } });
    expect(browser.cookies.get('auth_access')).toMatch(/^gate_a_/);
    expect((await me(service, held)).code).toBe('UNAUTHENTICATED');
    expect((await browser.run(operations.me)).data).toMatchObject({ me: { name: 'Invited Person' } });
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile: guard logged out
  it('refuses a signed-in caller, by bearer or cookie', async () => {
    const { token } = await inviteNew();
    const variables = await profileInput(service, token);
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email: owner.email, password: goodPassword } });
    const complete = operations.completeInvitedProfile;
    await expectRefusal(service, 'ALREADY_SIGNED_IN', () => runAs(service, owner, complete, variables));
    await expectRefusal(service, 'ALREADY_SIGNED_IN', () => browser.run(complete, variables));
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile: a wrong vToken answers
  //   INVITATION_NOT_OPEN
  it('refuses a wrong vToken, that of another invitation and the token itself', async () => {
    const [{ token }, other] = [await inviteNew(), await inviteNew()];
    const foreign = (await preview(service, other.token))?.vToken ?? '';
    for (const vToken of ['', 'A'.repeat(43), foreign, token]) {
      await expectRefusal(service, 'INVITATION_NOT_OPEN', () => submitProfile(service, token, { vToken }));
    }
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile: once
  it('works once', async () => {
    const { token } = await inviteNew();
    const variables = await profileInput(service, token);
    expect((await post(service.url, operations.completeInvitedProfile, variables)).code).toBeNull();
    await expectRefusal(service, 'INVITATION_NOT_OPEN', () =>
      post(service.url, operations.completeInvitedProfile, variables),
    );
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile: invitation valid
  it('refuses an invitation that expired, was re-sent or was cancelled after the preview', async () => {
    const [expired, replaced, cancelled] = [await inviteNew(), await inviteNew(), await inviteNew()];
    const inputs = [];
    for (const { token } of [expired, replaced, cancelled]) inputs.push(await profileInput(service, token));
    await expireInvitation(service, expired.memberId);
    const byOwner = bearer(owner.tokens);
    await post(service.url, operations.resetInvitation, { memberId: replaced.memberId }, byOwner);
    await post(service.url, operations.cancelInvitation, { memberId: cancelled.memberId }, byOwner);
    for (const input of inputs) {
      await expectRefusal(service, 'INVITATION_NOT_OPEN', () =>
        post(service.url, operations.completeInvitedProfile, input),
      );
    }
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile never replaces a verified password
  it('refuses a person who got an account after the preview, and keeps the password', async () => {
    const { email, token } = await inviteNew();
    const variables = await profileInput(service, token, { password: 'Another.horse8' });
    await register(service, email);
    await expectRefusal(service, 'INVITATION_NOT_OPEN', () =>
      post(service.url, operations.completeInvitedProfile, variables),
    );
    await signIn(service, email);
  });

  // Contract: organizations#acceptance-with-a-new-profile — completeInvitedProfile: BAD_USER_INPUT
  it('reports an invalid name and an invalid password before it looks up the invitation', async () => {
    const { token } = await inviteNew();
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      submitProfile(service, token, { name: ' ', password: 'weak' }),
    );
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['name', 'password']);
  });

  // Contract: organizations#acceptance-with-a-new-profile — Completing a profile discards an unverified password and
  //   ends its sessions
  it('discards a password that was never verified, with its link and its sessions', async () => {
    const squatted = 'Squatter.horse9';
    const email = await register(service, newAddress(), squatted);
    const stolen = await signIn(service, email, squatted);
    // As if verification had been off until now.
    const [verification, replaced] = [randomHex(32), randomHex(32)];
    await service.sql(
      `UPDATE users SET email_validated_at = NULL, email_validation_token_hash = $2,
         replaced_validation_token_hash = $3, email_validation_expires_at = now() + interval '1 day' WHERE email = $1`,
      [email, sha256(verification), sha256(replaced)],
    );
    const { token } = await inviteNew(email);
    const tokens = await completeProfile(service, token);
    expect((await me(service, stolen.accessToken)).code).toBe('UNAUTHENTICATED');
    expect((await credentialsOf(service, email)).map(({ reason }) => reason)).toEqual([
      'profile_completed',
      'profile_completed',
      null,
      null,
    ]);
    const signInWith = (password: string) => post(service.url, operations.signIn, { input: { email, password } });
    expect((await signInWith(squatted)).code).toBe('INVALID_CREDENTIALS');
    expect((await signInWith(goodPassword)).code).toBeNull();
    for (const link of [verification, replaced]) {
      expect((await post(service.url, operations.validate, { token: link })).text).toContain('INVALID');
    }
    expect((await me(service, tokens.accessToken)).data).toMatchObject({ me: { name: 'Invited Person' } });
  });
});

describe('An invited person who never came', () => {
  it('cannot sign in', async () => {
    const { email } = await inviteNew();
    await expectRefusal(service, 'INVALID_CREDENTIALS', () =>
      post(service.url, operations.signIn, { input: { email, password: goodPassword } }),
    );
  });

  // Contract: organizations#acceptance-with-an-account — An invited person who signs up instead
  it('can sign up like any other person, and accept afterwards', async () => {
    const { email, memberId, token } = await inviteNew();
    const input = { name: 'Test Person', password: goodPassword };
    const answers = [
      await post(service.url, operations.signUp, { input: { ...input, email } }),
      await post(service.url, operations.signUp, { input: { ...input, email: newAddress() } }),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    const subjects = (await service.mailsTo(email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['Confirm your e-mail address', expect.stringMatching(/^Invitation to join/) as unknown]);
    await post(service.url, operations.validate, { token: await newestVerificationToken(service, email) });
    const tokens = await signIn(service, email);
    expect((await me(service, tokens.accessToken)).data).toMatchObject({
      me: { name: 'Test Person', memberships: [{ role: 'OWNER' }] },
    });
    expect(await preview(service, token, tokens)).toMatchObject({ status: 'OPEN', vToken: null, isYours: true });
    expect((await accept(service, tokens, token)).code).toBeNull();
    expect(await invitationRow(service, memberId)).toEqual({ ...acceptedRow, role: 'MEMBER' });
  });
});

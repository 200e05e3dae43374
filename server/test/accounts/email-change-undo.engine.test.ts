/** The 72 hours after a change of address: the former address puts it back, and is kept free until then. */
import { describe, expect, it } from 'vitest';
import { me } from '../support/actors/credentials.ts';
import {
  addFactors,
  ageAccount,
  ageChanges,
  changeAddress,
  requestChange,
  type Signed,
  undoChange,
} from '../support/actors/email-changes.ts';
import { completeProfile, inviteByMail, preview, submitProfile } from '../support/actors/invitations.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { tally } from '../support/checks/concurrency.ts';
import { expectNoEffect, expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  registerAndSignIn,
  registerByMail,
  signIn,
} from '../support/clients/clients.ts';
import { newClient, newCode, redeem } from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  exchange,
  identitiesOf,
  link,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
} from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

const otherPassword = 'Another.1word';

const outcomesOf = (answers: readonly Answer[]): Record<string, number> =>
  tally(answers.map(({ code }) => code ?? 'OK'));

const changed = async () => {
  const person = await registerAndSignIn(service);
  return { ...person, ...(await changeAddress(service, person)) };
};

const idOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

const trySignIn = (email: string, password = goodPassword): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } });

const trySignUp = (email: string): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name: 'A Stranger', password: goodPassword } });

const changePassword = (person: Pick<Signed, 'tokens'>): Promise<Answer> =>
  runAs(service, person, operations.changePassword, {
    input: { currentPassword: goodPassword, newPassword: otherPassword },
  });

const factorsOf = async (userId: string): Promise<unknown> =>
  (
    await service.sql(
      `SELECT (SELECT count(*)::integer FROM passkeys WHERE user_id = $1) AS passkeys,
         (SELECT count(*)::integer FROM totp_secrets WHERE user_id = $1) AS secrets,
         (SELECT count(*)::integer FROM recovery_codes WHERE user_id = $1) AS codes,
         (SELECT count(*)::integer FROM totp_enrolments WHERE user_id = $1) AS enrolments`,
      [userId],
    )
  )[0];

const linkTo = async (person: Signed): Promise<void> => {
  const userId = await idOf(person.email);
  const sessionFamilyId =
    (await service.sql.value<string>('SELECT session_family_id FROM credentials WHERE user_id = $1 LIMIT 1', [
      userId,
    ])) ?? '';
  const request = { userId, sessionFamilyId, presentedTokens: [person.tokens.accessToken] };
  expect((await link(service, request, newIdentity())).kind).toBe('linked');
};

describe('undoEmailChange', () => {
  // Contract: account#undo-of-a-change — undoEmailChange puts back address and password, and signs out everywhere
  it('puts back the address and the password, and ends every session', async () => {
    const { email, newEmail, undoToken, ...person } = await changed();
    await changePassword(person);
    const other = await signIn(service, newEmail, otherPassword);
    const answer = await undoChange(service, undoToken);
    expect(answer.text).toBe('{"data":{"undoEmailChange":{"success":true}}}');
    expect(answer.setCookies).toEqual([]);
    for (const { accessToken } of [person.tokens, other]) {
      expect((await me(service, accessToken)).code).toBe('UNAUTHENTICATED');
    }
    expect((await trySignIn(newEmail, otherPassword)).code).toBe('INVALID_CREDENTIALS');
    expect((await trySignIn(email, otherPassword)).code).toBe('INVALID_CREDENTIALS');
    const tokens = await signIn(service, email);
    expect((await me(service, tokens.accessToken)).data).toMatchObject({ me: { email } });
    expect((await service.mailsTo(email))[0]?.subject).toBe('The e-mail address of your account was put back');
    expect(service.logs.join('')).toContain('"event":"auth.email_change_undone"');
  });

  it('puts back the password of before when there was none at the request', async () => {
    const person = await newOwner(service);
    const { undoToken, newEmail } = await changeAddress(service, person);
    await runAs(service, person, operations.changePassword, { input: { newPassword: otherPassword } });
    expect((await trySignIn(newEmail, otherPassword)).code).toBeNull();
    await undoChange(service, undoToken);
    expect(await service.sql.value('SELECT password_hash IS NULL FROM users WHERE email = $1', [person.email])).toBe(
      true,
    );
  });

  // Contract: account#undo-of-a-change — undoEmailChange takes away passkeys, codes and provider links that were added
  //   since
  it('takes away the ways to sign in that were added since the request, and leaves those of before', async () => {
    const person = await registerAndSignIn(service);
    const userId = await idOf(person.email);
    const { newEmail, undoToken } = await changeAddress(service, person);
    await addFactors(service, userId);
    await linkTo({ ...person, email: newEmail });
    await undoChange(service, undoToken);
    expect(await factorsOf(userId)).toEqual({ passkeys: 0, secrets: 0, codes: 0, enrolments: 0 });
    expect(await identitiesOf(service, person.email)).toEqual([]);

    const careful = await registerAndSignIn(service);
    const carefulId = await idOf(careful.email);
    await ageAccount(service, careful.email, '200 hours');
    await addFactors(service, carefulId, '100 hours');
    await linkTo(careful);
    await service.sql(
      `UPDATE external_identities SET linked_at = linked_at - interval '100 hours' WHERE user_id = $1`,
      [carefulId],
    );
    const change = await changeAddress(service, careful);
    await undoChange(service, change.undoToken);
    expect(await factorsOf(carefulId)).toEqual({ passkeys: 1, secrets: 1, codes: 1, enrolments: 0 });
    expect(await identitiesOf(service, careful.email)).toHaveLength(1);
  });

  it('ends unredeemed codes of OAuth clients', async () => {
    const { newEmail, undoToken } = await changed();
    await service.sql(`UPDATE users SET is_super_admin = true WHERE email = $1`, [newEmail]);
    const clientId = await newClient(service);
    const code = await newCode(service, { userId: await idOf(newEmail), clientId });
    await undoChange(service, undoToken);
    expect((await redeem(service, code)).status).toBe(400);
  });

  // Contract: account#undo-of-a-change — The replay of each link
  it('works once, and then the address can be changed again', async () => {
    const { email, undoToken } = await changed();
    await undoChange(service, undoToken);
    await expectRefusal(service, 'LINK_NOT_OPEN', () => undoChange(service, undoToken));
    const tokens = await signIn(service, email);
    await changeAddress(service, { email, tokens });
  });

  // Contract: account#undo-of-a-change — Undo after 72 hours
  it('works for 72 hours', async () => {
    const { undoToken } = await changed();
    await ageChanges(service, '71 hours 59 minutes');
    const other = await changed();
    await ageChanges(service, '1 minute');
    await expectRefusal(service, 'LINK_NOT_OPEN', () => undoChange(service, undoToken));
    expect((await undoChange(service, other.undoToken)).code).toBeNull();
  });

  it('is refused when the former address got another account as the 72 hours ended', async () => {
    const { email, newEmail, undoToken, tokens } = await changed();
    await service.sql(
      `INSERT INTO users (id, email, name, email_validated_at) VALUES (gen_random_uuid(), $1, 'A Stranger', now())`,
      [email],
    );
    await expectRefusal(service, 'LINK_NOT_OPEN', () => undoChange(service, undoToken));
    expect((await me(service, tokens.accessToken)).data).toMatchObject({ me: { email: newEmail } });
  });

  it('has one winner among several at once', async () => {
    const { email, undoToken } = await changed();
    const answers = await Promise.all([1, 2, 3].map(() => undoChange(service, undoToken)));
    expect(outcomesOf(answers)).toEqual({ OK: 1, LINK_NOT_OPEN: 2 });
    expect(await signIn(service, email)).toBeDefined();
  });

  it('is no link that confirms, nor the other way round', async () => {
    const { undoToken, confirmToken, tokens } = await changed();
    await expectRefusal(service, 'LINK_NOT_OPEN', () => undoChange(service, confirmToken));
    await expectRefusal(service, 'LINK_NOT_OPEN', () =>
      runAs(service, { tokens }, operations.confirmEmailChange, { token: undoToken }),
    );
  });

  it('stands alone in its request', async () => {
    const { undoToken, tokens } = await changed();
    const two = `mutation ($token: String!) { undoEmailChange(token: $token) { success } changeName(name: "Grace") { id } }`;
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => runAs(service, { tokens }, two, { token: undoToken }));
  });

  it.each(['', 'x', '0'.repeat(64), `${'0'.repeat(64)}\u0000`])('refuses the token %j', async (token) => {
    await expectRefusal(service, 'LINK_NOT_OPEN', () => undoChange(service, token));
  });
});

describe('While a change can be undone', () => {
  // Contract: account#held-former-address — the old address is of no other account for 72 hours
  it('a sign-up with the former address is answered as one with a registered address', async () => {
    const { email } = await changed();
    const registered = await registerByMail(service);
    await service.sql(`UPDATE users SET account_mail_sent_at = account_mail_sent_at - interval '2 hours'`);
    const before = [(await service.mailsTo(email)).length, (await service.mailsTo(registered)).length];
    const seen = [await trySignUp(email), await trySignUp(registered)].map(({ status, text }) => ({ status, text }));
    expect(seen[0]).toEqual(seen[1]);
    for (const address of [email, registered]) {
      await trySignUp(address);
      await post(service.url, operations.resendVerification, { email: address });
    }
    const after = [(await service.mailsTo(email)).length, (await service.mailsTo(registered)).length];
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1]);
    expect((await service.mailsTo(email))[0]?.subject).toBe('This address is kept for an account');
    expect(await service.sql('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
    expect((await trySignIn(email)).code).toBe('INVALID_CREDENTIALS');
  });

  it('the provider creates no account with the former address', async () => {
    const { email } = await changed();
    await expectNothingStored(service, async () => {
      await expect(newSecret(service, newIdentity({ email }))).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
    });
  });

  it('nor does an exchange that was opened before', async () => {
    const person = await registerAndSignIn(service);
    const { email } = person;
    await service.sql(`UPDATE users SET email = email || '.moved' WHERE email = $1`, [email]);
    const secret = await newSecret(service, newIdentity({ email }));
    await service.sql(`UPDATE users SET email = $1 WHERE email = $1 || '.moved'`, [email]);
    await changeAddress(service, person);
    expect((await exchange(returningBrowser(service, secret))).code).toBe('EXCHANGE_REFUSED');
    expect(await service.sql('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
  });

  it('an invitation to the former address leads to no new account, until the 72 hours are over', async () => {
    const { email, newEmail, tokens } = await changed();
    const inviter = await newOwner(service);
    const { token } = await inviteByMail(service, inviter.tokens, email);
    const members = await runAs(service, inviter, operations.members);
    expect(members.text).toContain(email);
    expect(members.text).not.toContain(newEmail);
    expect(await preview(service, token)).toMatchObject({ status: 'OPEN', vToken: null });
    expect((await submitProfile(service, token)).code).toBe('INVITATION_NOT_OPEN');
    await trySignUp(email);
    expect((await preview(service, token, tokens))?.isYours).toBe(false);
    await ageChanges(service, '72 hours');
    expect(await completeProfile(service, token)).toBeDefined();
  });

  it('and when it is undone, the invitation is that of the person', async () => {
    const { email, undoToken } = await changed();
    const { token } = await inviteByMail(service, (await newOwner(service)).tokens, email);
    await undoChange(service, undoToken);
    expect((await preview(service, token, await signIn(service, email)))?.isYours).toBe(true);
  });

  it('another person cannot change their address to the former one', async () => {
    const { email } = await changed();
    const other = await registerAndSignIn(service);
    await requestChange(service, other, email);
    expect((await service.mailsTo(email))[0]?.subject).toBe('This address is kept for an account');
  });

  // Contract: account#forbidden-while-an-undo-is-open — what is forbidden while a change can be undone
  it('the address cannot be changed again', async () => {
    const { newEmail: _, ...person } = await changed();
    const refused = await expectRefusal(service, 'FORBIDDEN', () => requestChange(service, person, newAddress()));
    expect(Date.parse(String(refused.extensions['undoableUntil']))).toBeGreaterThan(Date.now() + 71 * 3_600_000);
    await ageChanges(service, '72 hours');
    expect((await requestChange(service, person, newAddress())).code).toBeNull();
  });

  it('an identity that was linked before stays, and one that was linked since may go', async () => {
    const person = await registerAndSignIn(service);
    await linkTo(person);
    const { newEmail } = await changeAddress(service, person);
    const unlink = (): Promise<Answer> => runAs(service, person, operations.unlinkExternalIdentity);
    await expectRefusal(service, 'FORBIDDEN', unlink);
    await service.sql('UPDATE external_identities SET linked_at = now()');
    expect((await unlink()).code).toBeNull();
    expect(await identitiesOf(service, newEmail)).toEqual([]);
  });

  it('the account cannot be deleted', async () => {
    const { newEmail, ...person } = await changed();
    const remove = (): Promise<Answer> => runAs(service, person, operations.deleteAccount, { email: newEmail });
    await expectRefusal(service, 'FORBIDDEN', remove);
    await ageChanges(service, '72 hours');
    expect((await remove()).code).toBeNull();
  });

  it('the former address is free when the 72 hours are over', async () => {
    const { email } = await changed();
    await ageChanges(service, '72 hours');
    expect((await expectNoEffect(service, () => trySignIn(email))).code).toBe('INVALID_CREDENTIALS');
    await trySignUp(email);
    const token = await newestVerificationToken(service, email);
    await post(service.url, operations.validate, { token });
    expect(await signIn(service, email)).toBeDefined();
  });
});

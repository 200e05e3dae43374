/**
 * Ownership of a sign-up: what the owner of an address can do about a sign-up that another person made, which browser
 * confirms by one click, and when a never-confirmed account is deleted (contract/accounts.md#email-verification).
 */
import { describe, expect, it } from 'vitest';
import { liveOf } from '../support/actors/credentials.ts';
import { inviteByMail, preview, profileInput } from '../support/actors/invitations.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  register,
  registerByMail,
  signIn,
  signUp,
} from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const strangersPassword = 'Stranger.pass1';

const input = (email: string, password = goodPassword) => ({ input: { email, name: 'Click here', password } });

const signUpIn = (browser: Browser, email: string, password = goodPassword): Promise<Answer> =>
  browser.run(operations.signUp, input(email, password));

const reject = (token: string): Promise<Answer> => post(service.url, operations.rejectSignUp, { token });

const resend = (email: string): Promise<Answer> => post(service.url, operations.resendVerification, { email });

const confirm = (token: string, password: string, browser?: Browser): Promise<Answer> => {
  const variables = { input: { token, password } };
  return browser === undefined
    ? post(service.url, operations.confirmSignUp, variables)
    : browser.run(operations.confirmSignUp, variables);
};

const look = async (browser: Browser, token: string): Promise<unknown> =>
  (await browser.run(operations.verificationLink, { token })).data?.['verificationLink'];

const rowsOf = (email: string) =>
  service.sql<{ name: string; password: string | null; unverified: boolean; member: string | null }>(
    `SELECT name, password_hash AS password, email_validation_token_hash IS NOT NULL AS unverified,
       current_membership AS member FROM users WHERE email = $1`,
    [email],
  );

/** Every row of every table. */
const withoutMails = async (): Promise<readonly string[]> => (await everythingStored(service)).slice(0, -1);

const countMails = async (email: string): Promise<number> => (await service.mailsTo(email)).length;

const moveTime = (email: string, assignments: string): Promise<unknown> =>
  service.sql(`UPDATE users SET ${assignments} WHERE email = $1`, [email]);

const letAnHourPass = async (email: string): Promise<void> => {
  await moveTime(email, `account_mail_sent_at = account_mail_sent_at - interval '61 minutes'`);
  await service.sql(`UPDATE rejected_sign_ups SET mailed_at = mailed_at - interval '61 minutes'`);
};

describe('rejectSignUp', () => {
  // Contract: accounts#rejected-and-abandoned-sign-ups — rejectSignUp deletes an unverified account and answers true
  it('deletes the account, its organization and nothing else, and frees the address', async () => {
    const before = await withoutMails();
    const email = newAddress();
    const token = await signUp(service, email, strangersPassword);
    expect((await reject(token)).data).toEqual({ rejectSignUp: true });
    expect(await rowsOf(email)).toEqual([]);
    const left = (await withoutMails()).filter((line) => !before.includes(line));
    expect(left).toEqual([
      expect.stringMatching(/^rejected_sign_ups /),
      // Until when the audit of the organization is kept; there is none.
      expect.stringMatching(/^organization_audit_ends /),
    ]);
    expect(left[0]).not.toContain(email);
    expect(await confirm(token, strangersPassword)).toMatchObject({
      data: { confirmSignUp: { status: 'INVALID', auth: null } },
    });
    await letAnHourPass(email);
    await registerByMail(service, email);
    await signIn(service, email);
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — rejectSignUp: an expired token of an unverified account
  it('also accepts an expired token', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    await moveTime(email, `email_validation_expires_at = now() - interval '6 days'`);
    expect((await reject(token)).data).toEqual({ rejectSignUp: true });
    expect(await rowsOf(email)).toEqual([]);
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — rejectSignUp: false for any other token
  it('answers false to any other token, and changes nothing', async () => {
    const email = newAddress();
    const replaced = await signUp(service, email);
    await letAnHourPass(email);
    await resend(email);
    const used = await signUp(service, newAddress());
    await post(service.url, operations.validate, { token: used });
    for (const token of [replaced, used, '0'.repeat(64), replaced.toUpperCase(), 'short', '']) {
      const answer = await expectNoEffect(service, () => reject(token));
      expect(answer.data).toEqual({ rejectSignUp: false });
    }
  });

  // Contract: accounts#one-mail-an-hour — The hour between mails to an address continues after rejectSignUp
  it('does not shorten the hour between mails to the address', async () => {
    const email = newAddress();
    await reject(await signUp(service, email));
    const again = await post(service.url, operations.signUp, input(email));
    expect(again.data).toEqual({ signUpWithPassword: { success: true, verificationRequired: true } });
    expect(await countMails(email)).toBe(1);
    await resend(email);
    expect(await countMails(email)).toBe(1);
    await letAnHourPass(email);
    await resend(email);
    expect(await countMails(email)).toBe(2);
    expect((await confirm(await newestVerificationToken(service, email), goodPassword)).data).toMatchObject({
      confirmSignUp: { status: 'VERIFIED' },
    });
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — Invitations of a rejected address stay open
  it('leaves an invitation of the address open for its owner', async () => {
    const [owner, email] = [await newOwner(service), newAddress()];
    const { token: invitationToken } = await inviteByMail(service, owner.tokens, email);
    await post(service.url, operations.signUp, input(email, strangersPassword));
    await reject(await newestVerificationToken(service, email));
    expect(await rowsOf(email)).toEqual([{ name: '', password: null, unverified: false, member: null }]);
    expect(await preview(service, invitationToken)).toMatchObject({
      status: 'OPEN',
      vToken: expect.any(String) as unknown,
    });
    const joined = await post(
      service.url,
      operations.completeInvitedProfile,
      await profileInput(service, invitationToken),
    );
    expect(joined.code).toBeNull();
    const organizations = await service.sql(
      `SELECT count(*)::integer AS count FROM organization_members m JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
      [email],
    );
    expect(organizations).toEqual([{ count: 1 }]);
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — rejectSignUp against validateEmail
  it('deletes or confirms once when both arrive at the same time', async () => {
    const outcomes = new Set<string>();
    for (const _round of [1, 2, 3]) {
      const email = newAddress();
      const token = await signUp(service, email);
      const [rejected, validated] = await Promise.all([
        reject(token),
        post(service.url, operations.validate, { token }),
      ]);
      outcomes.add(`${String(rejected.data?.['rejectSignUp'])} ${JSON.stringify(validated.data?.['validateEmail'])}`);
      expect(await rowsOf(email)).toHaveLength(rejected.data?.['rejectSignUp'] === true ? 0 : 1);
    }
    const possible = ['true {"status":"INVALID"}', 'false {"status":"VERIFIED"}'];
    for (const outcome of outcomes) expect(possible).toContain(outcome);
  });
});

describe('resendVerification', () => {
  // Contract: accounts#one-mail-an-hour — resendVerification: as a repeated sign-up, same cooldown
  it('sends an unverified address a new link only when the last mail is more than an hour old', async () => {
    const email = newAddress();
    const first = await signUp(service, email);
    await expectNoEffect(service, () => resend(email));
    await letAnHourPass(email);
    await resend(` ${email.toUpperCase()} `);
    const second = await newestVerificationToken(service, email);
    expect([await countMails(email), second === first]).toEqual([2, false]);
    expect((await confirm(second, goodPassword)).data).toMatchObject({ confirmSignUp: { status: 'VERIFIED' } });
  });

  // Contract: accounts#one-mail-an-hour — resendVerification: the owner of a verified address
  it('mails the owner of a verified address, once an hour', async () => {
    const email = await registerByMail(service);
    await letAnHourPass(email);
    await resend(email);
    await resend(email);
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'You already have an account',
      'Confirm your e-mail address',
    ]);
  });

  // Contract: accounts#one-mail-an-hour — resendVerification: an unknown address
  it('does nothing for an address without a sign-up, including an invited one', async () => {
    const [owner, invited] = [await newOwner(service), newAddress()];
    await inviteByMail(service, owner.tokens, invited);
    for (const email of [newAddress(), invited]) await expectNoEffect(service, () => resend(email));
    await expectRefusal(service, 'BAD_USER_INPUT', () => resend('no address'));
  });
});

const earlier = { status: 'OPEN', email: null, isEarlierSignUp: true };

describe('A verification link', () => {
  // Contract: accounts#browser-of-the-sign-up — A verification link shows its address in the browser that signed up
  //   alone
  it('shows its address only to the browser that signed up', async () => {
    const email = newAddress();
    const [own, other] = [new Browser(service), new Browser(service)];
    await signUpIn(own, email);
    await signUpIn(own, newAddress());
    const token = await newestVerificationToken(service, email);
    expect(await look(own, token)).toEqual({ status: 'OPEN', email, isEarlierSignUp: false });
    await signUpIn(other, newAddress());
    for (const browser of [other, new Browser(service)]) {
      expect(await look(browser, token)).toEqual({ status: 'OPEN', email: null, isEarlierSignUp: false });
    }
  });

  // Contract: accounts#browser-of-the-sign-up — The cookie of a sign-up is invalid after another sign-up with the
  //   address
  it('does not show it to a browser whose sign-up was replaced, because the link would activate the newer password', async () => {
    const email = newAddress();
    const [outsider, owner] = [new Browser(service), new Browser(service)];
    await signUpIn(outsider, email, strangersPassword);
    await letAnHourPass(email);
    await signUpIn(owner, email);
    expect(await look(owner, await newestVerificationToken(service, email))).toEqual(earlier);
  });

  // Contract: accounts#browser-of-the-sign-up — A sign-up that changed nothing is not shown as done: not confirmed by
  //   one click
  it('tells the browser that signed up again with another password that the first one counts', async () => {
    const [email, browser] = [newAddress(), new Browser(service)];
    await signUpIn(browser, email, strangersPassword);
    const token = await newestVerificationToken(service, email);
    await signUpIn(browser, ` ${email.toUpperCase()}`);
    expect(await look(browser, token)).toEqual(earlier);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => confirm(token, goodPassword));
    expect((await confirm(token, strangersPassword)).data).toMatchObject({ confirmSignUp: { status: 'VERIFIED' } });
  });

  // Contract: accounts#browser-of-the-sign-up — A person who begins anew signs in with the password chosen in this
  //   browser
  it('confirms by one click again once the earlier sign-up was deleted', async () => {
    const [email, browser] = [newAddress(), new Browser(service)];
    await signUp(service, email, strangersPassword);
    await signUpIn(browser, email);
    const token = await newestVerificationToken(service, email);
    expect(await look(browser, token)).toEqual(earlier);
    await reject(token);
    await letAnHourPass(email);
    await signUpIn(browser, email);
    expect(await look(browser, await newestVerificationToken(service, email))).toMatchObject({ email });
  });

  // Contract: accounts#browser-of-the-sign-up — The cookie of a sign-up is not given to a foreign page or an opaque
  //   client
  it('does not show it to a foreign page or an opaque client that sends the cookie', async () => {
    const [email, browser] = [newAddress(), new Browser(service)];
    await signUpIn(browser, email);
    const token = await newestVerificationToken(service, email);
    for (const headers of [{ origin: 'https://evil.example' }, { 'x-auth-delivery': 'bearer' }]) {
      const { data } = await browser.run(operations.verificationLink, { token }, headers);
      expect(data?.['verificationLink']).toEqual({ status: 'OPEN', email: null, isEarlierSignUp: false });
    }
    const tampered = new Browser(service);
    for (const [name, value] of browser.cookies)
      tampered.cookies.set(name, `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`);
    expect(await look(tampered, token)).toEqual({ status: 'OPEN', email: null, isEarlierSignUp: false });
  });

  // Contract: accounts#browser-of-the-sign-up — Reading a verification link changes nothing
  it('reports an expired and an invalid link, and reading it changes nothing', async () => {
    const [email, browser] = [newAddress(), new Browser(service)];
    await signUpIn(browser, email);
    const token = await newestVerificationToken(service, email);
    await moveTime(email, `email_validation_expires_at = now() - interval '1 second'`);
    await expectNoEffect(service, async () => {
      expect(await look(browser, token)).toEqual({ status: 'EXPIRED', email, isEarlierSignUp: false });
      expect(await look(browser, '0'.repeat(64))).toEqual({ status: 'INVALID', email: null, isEarlierSignUp: false });
      expect(await look(browser, 'short')).toEqual({ status: 'INVALID', email: null, isEarlierSignUp: false });
      return browser.run(operations.verificationLink, { token });
    });
    await letAnHourPass(email);
    await resend(email);
    expect(await look(browser, token)).toEqual({ status: 'EXPIRED', email: null, isEarlierSignUp: false });
  });

  it('is removed from the browser after a sign-in with the address', async () => {
    const [email, browser] = [newAddress(), new Browser(service)];
    await signUpIn(browser, email);
    expect([...browser.cookies.keys()]).toEqual(['pending_sign_ups']);
    await browser.run(operations.validate, { token: await newestVerificationToken(service, email) });
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect([...browser.cookies.keys()].toSorted()).toEqual(['auth_access', 'auth_refresh']);
  });
});

describe('confirmSignUp', () => {
  // Contract: accounts#confirmation-in-another-browser — In any other browser the password of the sign-up confirms and
  //   signs in
  it('verifies the address by the password of the sign-up, and signs in', async () => {
    const [email, browser] = [newAddress(), new Browser(service)];
    const answer = await confirm(await signUp(service, email), goodPassword, browser);
    expect(answer.data).toMatchObject({
      confirmSignUp: { status: 'VERIFIED', auth: { accessToken: null, user: { email } } },
    });
    expect((await browser.run(operations.me)).data).toMatchObject({ me: { email } });
    expect(await rowsOf(email)).toMatchObject([{ unverified: false }]);
  });

  // Contract: accounts#confirmation-in-another-browser — Another browser confirms by the password: another password is
  //   refused
  it('refuses any other password like a sign-in, and the link remains valid', async () => {
    const email = newAddress();
    const token = await signUp(service, email, strangersPassword);
    for (const password of [goodPassword, '', `${strangersPassword} `]) {
      const refused = await expectRefusal(service, 'INVALID_CREDENTIALS', () => confirm(token, password));
      expect(refused.text).not.toContain(email);
    }
    expect(await liveOf(service, email)).toEqual([]);
    expect((await confirm(token, strangersPassword)).data).toMatchObject({ confirmSignUp: { status: 'VERIFIED' } });
  });

  // Contract: accounts#confirmation-in-another-browser — Another browser confirms by the password: a link that is not
  //   open
  it('needs no password for a link that is not open: it answers as validateEmail does', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    await moveTime(email, `email_validation_expires_at = now() - interval '1 second'`);
    const soon = await expectNoEffect(service, () => confirm(token, 'Wrong.horse7'));
    expect(soon.data).toEqual({ confirmSignUp: { status: 'EXPIRED', auth: null } });
    await letAnHourPass(email);
    const late = await confirm(token, 'Wrong.horse7');
    expect(late.data).toEqual({ confirmSignUp: { status: 'EXPIRED_RESENT', auth: null } });
    const used = await signUp(service, newAddress());
    await confirm(used, goodPassword);
    const again = await expectNoEffect(service, () => confirm(used, goodPassword));
    expect(again.data).toEqual({ confirmSignUp: { status: 'INVALID', auth: null } });
  });

  it.each(['rejectSignUp', 'confirmSignUp', 'resendVerification'] as const)(
    '%s must be the only mutation of its request',
    async (field) => {
      const fields = {
        rejectSignUp: `rejectSignUp(token: "${'0'.repeat(64)}")`,
        confirmSignUp: `confirmSignUp(input: { token: "", password: "" }) { status }`,
        resendVerification: `resendVerification(email: "a@example.com") { success }`,
      };
      const query = `mutation { one: ${fields[field]} two: ${fields[field]} }`;
      await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => post(service.url, query));
    },
  );
});

describe('A never-verified account', () => {
  // Contract: accounts#rejected-and-abandoned-sign-ups — A never-verified account is deleted 7 days after its last link
  //   expired
  it('is deleted seven days after its last link expired, with its organization, which frees the address', async () => {
    const [over, waiting, verified] = [newAddress(), newAddress(), await register(service)];
    for (const email of [over, waiting]) await signUp(service, email);
    await moveTime(over, `email_validation_expires_at = now() - interval '7 days 1 second'`);
    await moveTime(waiting, `email_validation_expires_at = now() - interval '6 days 23 hours'`);
    const organizations = async () => (await service.sql('SELECT 1 FROM organizations')).length;
    const before = await organizations();
    expect(await runCleanup(service.database)).toMatchObject({ abandoned_sign_ups: 1 });
    expect([await rowsOf(over), (await rowsOf(waiting)).length, (await rowsOf(verified)).length]).toEqual([[], 1, 1]);
    expect(before - (await organizations())).toBe(1);
    await letAnHourPass(over);
    await registerByMail(service, over);
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — A never-verified account is deleted: invitations stay
  it('keeps its invitations, and loses its password and organization once', async () => {
    const [owner, email] = [await newOwner(service), newAddress()];
    const { token } = await inviteByMail(service, owner.tokens, email);
    await signUp(service, email);
    await moveTime(email, `email_validation_expires_at = now() - interval '8 days'`);
    expect(await runCleanup(service.database)).toMatchObject({ abandoned_sign_ups: 1 });
    expect(await rowsOf(email)).toEqual([{ name: '', password: null, unverified: false, member: null }]);
    expect(await preview(service, token)).toMatchObject({ status: 'OPEN' });
    // A second run finds nothing to delete.
    expect(await runCleanup(service.database)).toMatchObject({ abandoned_sign_ups: 0 });
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — A never-verified account stays with another way to sign in,
  //   company or rights
  it.each([
    [
      'has another way to sign in',
      `INSERT INTO external_identities (issuer, subject, user_id) VALUES ('i', gen_random_uuid(), $1)`,
    ],
    ['is a super admin', 'UPDATE users SET is_super_admin = true WHERE id = $1'],
    ['was verified before', 'UPDATE users SET email_validated_at = now() WHERE id = $1'],
    [
      'shares an organization',
      `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), (SELECT id FROM users WHERE id <> $1 LIMIT 1), organization_id, 'MEMBER', now()
       FROM organization_members WHERE user_id = $1`,
    ],
  ])('stays when it %s, even when its link rejects it', async (_what, statement) => {
    const email = newAddress();
    const token = await signUp(service, email);
    const user = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    await service.sql(statement, [user ?? '']);
    await moveTime(email, `email_validation_expires_at = now() - interval '8 days'`);
    expect(await runCleanup(service.database)).toMatchObject({ abandoned_sign_ups: 0 });
    const answer = await expectNoEffect(service, () => reject(token));
    expect(answer.data).toEqual({ rejectSignUp: false });
    await service.sql(
      'UPDATE users SET email_validation_token_hash = NULL, email_validation_expires_at = NULL WHERE id = $1',
      [user ?? ''],
    );
  });

  // Contract: accounts#rejected-and-abandoned-sign-ups — rejectSignUp against inviteMember
  it('can be invited while the sign-up is rejected: the invitation is kept in either order', async () => {
    const [owner, email] = [await newOwner(service), newAddress()];
    const token = await signUp(service, email);
    const [invited] = await Promise.all([inviteByMail(service, owner.tokens, email), reject(token)]);
    expect(await preview(service, invited.token)).toMatchObject({
      status: 'OPEN',
      vToken: expect.any(String) as unknown,
    });
  });
});

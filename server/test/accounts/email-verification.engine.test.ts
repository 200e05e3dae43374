/** The state table "Email verification": sign-up, the link and its lifetime, re-sending, and the check at sign-in. */
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/kernel/secrets.ts';
import { expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  registerByMail,
  signIn,
  signUp,
} from '../support/clients/clients.ts';
import { testFixture } from '../support/fixture.ts';
import { type Service, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const trySignUp = (email: string, more: Record<string, string> = {}, at: Service = service): Promise<Answer> =>
  post(at.url, operations.signUp, { input: { email, name: 'Test Person', password: goodPassword, ...more } });

const trySignIn = (email: string, password = goodPassword): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } });

const validate = (token: string): Promise<Answer> => post(service.url, operations.validate, { token });

const statusIn = ({ data }: Answer): unknown => data?.['validateEmail'];
const status = (name: string) => ({ status: name });

const facts = async (email: string, at: Service = service) => {
  const [row] = await at.sql<{ verified: boolean; token: Buffer | null; life: number | null; hash: string }>(
    `SELECT email_validated_at IS NOT NULL AS verified, email_validation_token_hash AS token, password_hash AS hash,
       extract(epoch FROM email_validation_expires_at - created_at)::integer AS life FROM users WHERE email = $1`,
    [email],
  );
  return row;
};

const sentMinutesAgo = (email: string, minutes: number): Promise<unknown> =>
  service.sql(`UPDATE users SET account_mail_sent_at = now() - $2 * interval '1 minute' WHERE email = $1`, [
    email,
    minutes,
  ]);

const letCooldownPass = (email: string): Promise<unknown> => sentMinutesAgo(email, 61);

const expireToken = (email: string): Promise<unknown> =>
  service.sql(`UPDATE users SET email_validation_expires_at = now() - interval '1 second' WHERE email = $1`, [email]);

const countMails = async (email: string): Promise<number> => (await service.mailsTo(email)).length;

describe('Email verification', () => {
  // Contract: accounts#sign-up-with-a-password — none → unverified, signUpWithPassword with a new address: token, 24
  //   hours, verification e-mail
  // Contract: accounts#verification-state — An unverified account has one token, stored as a hash, for 24 hours
  it('creates an unverified user and queues one verification mail whose link lives 24 hours', async () => {
    const email = newAddress();
    const answer = await trySignUp(email);
    expect(answer.data).toEqual({ signUpWithPassword: { success: true, verificationRequired: true } });
    const mails = await service.mailsTo(email);
    const token = await newestVerificationToken(service, email);
    const link = `${service.config.frontendUrl}/verify/${token}`;
    expect(mails).toMatchObject([{ to: email, links: [link, `${link}/reject`] }]);
    expect(mails[0]?.html).toContain(`/verify/${token}`);
    expect(await facts(email)).toMatchObject({ verified: false, token: sha256(token), life: 24 * 60 * 60 });
  });

  // Contract: accounts#contents-of-the-verification-mail — {frontend_url}/verify/<token> with optional ?redirect=<path>
  it('carries an internal redirect in the link and drops any other', async () => {
    const [inside, outside] = [newAddress(), newAddress()];
    await trySignUp(inside, { redirect: '/invitation/abc?x=1' });
    await trySignUp(outside, { redirect: '//evil.example' });
    const [mail] = await service.mailsTo(inside);
    expect(mail?.links[0]).toMatch(/\/verify\/[0-9a-f]{64}\?redirect=%2Finvitation%2Fabc%3Fx%3D1$/);
    expect((await service.mailsTo(outside))[0]?.text).not.toContain('redirect');
  });

  // Contract: application#way-back-to-a-front-end — The link of the mail carries an absolute URL of an allowed origin,
  //   parsed
  it('carries an absolute redirect to a front end in its parsed form, and drops any other', async () => {
    const origins = ['https://app.acme.example'];
    const withOrigins = await testFixture(startService({}, 'none', { application: { origins } }));
    const linkAfter = async (redirect: string): Promise<string | undefined> => {
      const email = newAddress();
      await trySignUp(email, { redirect }, withOrigins);
      return (await withOrigins.mailsTo(email))[0]?.links[0];
    };
    const target = encodeURIComponent('https://app.acme.example/notes?x=1');
    expect(await linkAfter('https://APP.acme.example/notes?x=1')).toMatch(
      new RegExp(`/verify/\\w{64}\\?redirect=${target}$`),
    );
    for (const dropped of ['https://app.acme.example.evil.example/', 'https://@app.acme.example/'])
      expect(await linkAfter(dropped)).toMatch(/\/verify\/\w{64}$/);
  });

  it('drops a redirect that a link cannot carry, for new and known addresses alike', async () => {
    const [fresh, known] = [newAddress(), await registerByMail(service)];
    const answers = [];
    for (const email of [fresh, known]) answers.push(await trySignUp(email, { redirect: '/\ud800' }));
    expect(answers.map(({ status: code, text }) => [code, text])).toEqual(Array(2).fill([200, answers[1]?.text]));
    expect((await service.mailsTo(fresh))[0]?.text).not.toContain('redirect');
  });

  // Contract: accounts#sign-up-with-a-password — A new user gets a default organization with the role OWNER
  it('gives a new user an organization of their own as its OWNER', async () => {
    const email = newAddress();
    await trySignUp(email);
    const rows = await service.sql(
      `SELECT m.role, m.id = u.current_membership AS current, s.status, s.product FROM users u
       JOIN organization_members m ON m.user_id = u.id JOIN subscriptions s USING (organization_id) WHERE email = $1`,
      [email],
    );
    expect(rows).toEqual([{ role: 'OWNER', current: true, status: 'ACTIVE', product: 'free' }]);
  });

  // Contract: accounts#sign-up-with-a-password — Sign-ups of one address at the same time
  it('creates one account for many concurrent sign-ups with one address', async () => {
    const email = newAddress();
    const spellings = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? email : email.toUpperCase()));
    const answers = await Promise.all(spellings.map((spelling) => trySignUp(spelling)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const rows = await service.sql(
      'SELECT 1 FROM users u JOIN organization_members m ON m.user_id = u.id WHERE u.email = $1',
      [email],
    );
    expect([rows.length, await countMails(email)]).toEqual([1, 1]);
    const [orphans] = await service.sql(
      `SELECT count(*)::integer AS count FROM organizations o
       WHERE NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.organization_id = o.id)`,
    );
    expect(orphans).toEqual({ count: 0 });
  });

  // Contract: accounts#disabled-verification — EMAIL_VERIFICATION_ENABLED=false
  it('leaves the user verified and queues no mail when verification is disabled', async () => {
    const unverified = await testFixture(startService({ EMAIL_VERIFICATION_ENABLED: 'false' }));
    const email = newAddress();
    const answer = await trySignUp(email, {}, unverified);
    expect(answer.data).toEqual({ signUpWithPassword: { success: true, verificationRequired: false } });
    expect(await facts(email, unverified)).toMatchObject({ verified: true, token: null });
    await signIn(unverified, email);
    const again = await trySignUp(email, {}, unverified);
    expect(again.text).toBe(answer.text);
    expect(await unverified.mailsTo(email)).toEqual([]);
  });

  // Contract: accounts#sign-up-with-a-known-address — none → unchanged, signUpWithPassword with a registered address:
  //   success true
  it('answers a sign-up of a registered address like a new one and changes nothing', async () => {
    const [email, fresh] = [await registerByMail(service), newAddress()];
    const before = await facts(email);
    const known = await expectNoEffect(service, () => trySignUp(email, { name: 'Other', password: 'Another.1pass' }));
    const unknown = await trySignUp(fresh);
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()]);
    expect(await facts(email)).toEqual(before);
    await signIn(service, email);
  });

  // Contract: accounts#sign-up-with-a-known-address — A registered owner gets a mail that says so
  it('mails the owner of a registered address, at most once an hour', async () => {
    const email = await registerByMail(service);
    await trySignUp(email);
    expect(await countMails(email)).toBe(1);
    await letCooldownPass(email);
    await trySignUp(email);
    await trySignUp(email);
    const [newest, ...older] = await service.mailsTo(email);
    expect(older).toHaveLength(1);
    expect(newest).toMatchObject({
      subject: 'You already have an account',
      links: [`${service.config.frontendUrl}/signin`],
    });
  });

  // Contract: accounts#one-mail-an-hour — Sign-up of an unverified address again re-sends after the cooldown
  it('sends an unverified address a new link only when the last one is more than an hour old', async () => {
    const email = newAddress();
    const first = await signUp(service, email);
    await expectNoEffect(service, () => trySignUp(email));
    await sentMinutesAgo(email, 59);
    await expectNoEffect(service, () => trySignUp(email));
    await letCooldownPass(email);
    await trySignUp(email);
    const second = await newestVerificationToken(service, email);
    expect(await countMails(email)).toBe(2);
    expect(second).not.toBe(first);
    expect(statusIn(await validate(second))).toEqual(status('VERIFIED'));
  });

  // Contract: accounts#validating-a-token — unverified → verified, validateEmail with a valid token
  it('verifies the address with the link from the mail and clears the token', async () => {
    const email = newAddress();
    const answer = await validate(await signUp(service, email));
    expect(statusIn(answer)).toEqual(status('VERIFIED'));
    expect(await facts(email)).toMatchObject({ verified: true, token: null });
    await signIn(service, email);
  });

  // Contract: accounts#validating-a-token — A token works once
  it('answers INVALID to a used token', async () => {
    const token = await signUp(service, newAddress());
    await validate(token);
    const again = await expectNoEffect(service, () => validate(token));
    expect(statusIn(again)).toEqual(status('INVALID'));
  });

  // Contract: accounts#validating-a-token — Only one of many callers uses the token
  it('verifies once when a link is confirmed many times concurrently', async () => {
    const token = await signUp(service, newAddress());
    const answers = await Promise.all(Array.from({ length: 6 }, () => validate(token)));
    expect(answers.filter((answer) => JSON.stringify(statusIn(answer)).includes('VERIFIED'))).toHaveLength(1);
  });

  // Contract: accounts#validating-a-token — unverified → unverified, validateEmail with an expired token, last send
  //   over an hour ago
  it('answers EXPIRED_RESENT to an expired token and sends one fresh link', async () => {
    const email = newAddress();
    const expired = await signUp(service, email);
    await expireToken(email);
    await letCooldownPass(email);
    const answers = await Promise.all([validate(expired), validate(expired)]);
    expect(answers.map(statusIn)).toEqual(expect.arrayContaining([status('EXPIRED_RESENT'), status('EXPIRED')]));
    const fresh = await newestVerificationToken(service, email);
    expect(await countMails(email)).toBe(2);
    expect(await facts(email)).toMatchObject({ verified: false, token: sha256(fresh) });
    expect(statusIn(await validate(fresh))).toEqual(status('VERIFIED'));
  });

  // Contract: accounts#validating-a-token — unverified → unverified, validateEmail with an expired token within the
  //   cooldown
  it('answers EXPIRED within the cooldown and sends nothing', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    await expireToken(email);
    const answer = await expectNoEffect(service, () => validate(token));
    expect(statusIn(answer)).toEqual(status('EXPIRED'));
  });

  // Contract: accounts#validating-a-token — A replaced token answers EXPIRED within the cooldown, INVALID afterwards
  it('answers a replaced token with EXPIRED for an hour and with INVALID after that', async () => {
    const email = newAddress();
    const replaced = await signUp(service, email);
    await letCooldownPass(email);
    await trySignUp(email);
    const within = await expectNoEffect(service, () => validate(replaced));
    expect(statusIn(within)).toEqual(status('EXPIRED'));
    await letCooldownPass(email);
    const after = await expectNoEffect(service, () => validate(replaced));
    expect(statusIn(after)).toEqual(status('INVALID'));
  });

  // Contract: accounts#validating-a-token — validateEmail with an unknown or malformed token
  it('answers INVALID to an unknown token and stores nothing', async () => {
    const known = await signUp(service, newAddress());
    const tokens = ['0'.repeat(64), known.toUpperCase(), known.slice(1), `${known}0`, ` ${known}`, `${known}\n`, ''];
    for (const token of tokens) {
      const answer = await expectNoEffect(service, () => validate(token));
      expect([answer.status, statusIn(answer)]).toEqual([200, status('INVALID')]);
    }
  });

  // Contract: accounts#sign-in-before-verification — unverified → unverified, signInWithPassword while the token is set
  it('refuses the sign-in of an unverified user who knows the password with EMAIL_NOT_VERIFIED', async () => {
    const email = newAddress();
    await signUp(service, email);
    await expectRefusal(service, 'EMAIL_NOT_VERIFIED', () => trySignIn(email));
    await service.sql('UPDATE users SET email_validated_at = now() WHERE email = $1', [email]);
    await expectRefusal(service, 'EMAIL_NOT_VERIFIED', () => trySignIn(email));
  });

  // Contract: accounts#sign-in-before-verification — EMAIL_NOT_VERIFIED only with the right password
  it('refuses an unverified user with a wrong password like any other wrong password', async () => {
    const email = newAddress();
    await signUp(service, email);
    const unverified = await expectRefusal(service, 'INVALID_CREDENTIALS', () => trySignIn(email, 'Wrong.horse7'));
    const unknown = await trySignIn(newAddress(), 'Wrong.horse7');
    expect(unverified.text).toBe(unknown.text);
  });
});

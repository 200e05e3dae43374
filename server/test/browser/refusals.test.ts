/** What the portal shows after a refusal or a failure, and that neither signs the user out. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  answerInstead,
  button,
  emptyCache,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  isHome,
  openStage,
  signInNewPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { focused } from '../support/browser/keyboard.ts';
import { goodPassword, newAddress, newestVerificationToken, register, signUp } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';

const unavailable = { status: 503, body: 'upstream is starting', headers: { 'content-type': 'text/plain' } };

const refusal = (status: number, extensions: Record<string, unknown>) => ({
  status,
  headers: { 'content-type': 'application/graphql-response+json' },
  body: JSON.stringify({ errors: [{ message: 'Refused', extensions }], data: null }),
});

describe.skipIf(chromiumPath === null)('The portal', () => {
  const stage = fixture(openStage);

  const openSignIn = async (): Promise<Page> => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    return page;
  };

  const open = async (token: string): Promise<Page> => {
    const { page } = await stage.newVisitor();
    await page.goto(`/verify/${token}`);
    return page;
  };

  /** The same, and confirms by the password. */
  const confirm = async (token: string, password = goodPassword): Promise<Page> => {
    const page = await open(token);
    await field(page, 'Password').fill(password);
    await button(page, 'Confirm and sign in').click();
    return page;
  };

  const renew = async (token: string): Promise<Page> => {
    const page = await open(token);
    await heading(page, 'This link has expired').waitFor();
    await button(page, 'Send a new link').click();
    return page;
  };

  const moveTime = (email: string, assignments: string): Promise<unknown> =>
    stage.service.sql(`UPDATE users SET ${assignments} WHERE email = $1`, [email]);

  it('refuses a wrong password and an unknown address in the same words', async () => {
    const page = await openSignIn();
    await fillSignIn(page, await register(stage.service), 'Wrong.horse7');
    const alert = page.getByRole('alert');
    await alert.getByText('The e-mail address or the password is wrong.').waitFor();
    const words = await alert.textContent();
    await focused(field(page, 'Password'));
    await page.reload();
    await fillSignIn(page, newAddress());
    await alert.getByText('The e-mail address or the password is wrong.').waitFor();
    expect(await alert.textContent()).toBe(words);
  });

  it('reports, with the right password, that the address is not confirmed, and sends the mail again', async () => {
    const email = newAddress();
    await signUp(stage.service, email);
    const page = await openSignIn();
    await fillSignIn(page, email);
    await page.getByText('Your e-mail address is not confirmed yet').waitFor();
    await moveTime(email, "account_mail_sent_at = now() - interval '2 hours'");
    await button(page, 'Send again').click();
    await page.getByText('another one is on its way').waitFor();
    expect(await stage.service.mailsTo(email)).toHaveLength(2);
  });

  it('requires missing input before it sends a request', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin');
    await button(page, 'Sign in').click();
    await page.getByText('Enter your e-mail address.').waitFor();
    await page.getByText('Enter your password.').waitFor();
    expect(await field(page, 'E-mail address').getAttribute('aria-invalid')).toBe('true');
    await page.goto('/signup');
    await fillSignUp(page, 'no-address', 'weak');
    await page.getByText('This does not look like an e-mail address.').waitFor();
    await page.getByText('This password does not meet every rule below.').waitFor();
    await field(page, 'Password').fill(`Aa1!${'😀'.repeat(30)}`);
    await page.getByText('This password takes more than 72 bytes.').waitFor();
    expect(visitor.operations().filter((name) => name !== 'FetchMe')).toEqual([]);
  });

  it("shows the server's reason at its field", async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signup');
    await answerInstead(
      page,
      'SignUp',
      refusal(400, { code: 'BAD_USER_INPUT', fields: { email: 'This domain takes no mail.' } }),
    );
    await fillSignUp(page, newAddress());
    await page.getByText('This domain takes no mail.').waitFor();
    const email = field(page, 'E-mail address');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    await focused(email);
  });

  // Contract: portal#waiting-for-the-mail — sign-up with existing e-mail: no account-existence signal on the page
  it('answers a sign-up of a registered address like any other', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signup');
    await fillSignUp(page, await register(stage.service));
    await heading(page, 'Check your e-mail').waitFor();
  });

  it('reports that a used or unknown link does not work', async () => {
    const email = newAddress();
    const token = await signUp(stage.service, email);
    const late = await open(token);
    await isHome(await confirm(token));
    for (const dead of [token, '0'.repeat(64), 'cut-short']) {
      await heading(await open(dead), 'This link does not work').waitFor();
    }
    await field(late, 'Password').fill(goodPassword);
    await button(late, 'Confirm and sign in').click();
    await heading(late, 'This link does not work').waitFor();
  });

  it('sends a new link to the address that is entered where a link no longer says whose it was', async () => {
    const email = newAddress();
    await signUp(stage.service, email);
    await moveTime(email, "account_mail_sent_at = now() - interval '2 hours'");
    const page = await open('0'.repeat(64));
    await button(page, 'Send a new link').click();
    await page.getByText('Enter your e-mail address.').waitFor();
    expect(await stage.service.mailsTo(email)).toHaveLength(1);
    await field(page, 'E-mail address').fill(email);
    await button(page, 'Send a new link').click();
    await page.getByText('another one is on its way').waitFor();
    expect(await stage.service.mailsTo(email)).toHaveLength(2);
  });

  it('offers to delete an account only where there is one, and reports a failed lookup', async () => {
    const token = await signUp(stage.service, newAddress());
    const { page } = await stage.newVisitor();
    const restore = await answerInstead(page, 'FetchVerificationLink', refusal(500, { code: 'INTERNAL' }));
    await page.goto(`/verify/${token}/reject`);
    await page.getByText('Something went wrong').waitFor();
    expect(await button(page, 'Delete the account').count()).toBe(0);
    await restore();
    await button(page, 'Try again').click();
    await button(page, 'Delete the account').waitFor();
    await isHome(await confirm(token));
    await page.reload();
    await heading(page, 'This link does not work').waitFor();
    expect(await button(page, 'Delete the account').count()).toBe(0);
  });

  // Contract: portal#confirmation-of-an-address — The link of another person's sign-up does not activate their password
  it("does not activate another person's password for the owner of the address, who can delete the account", async () => {
    const email = newAddress();
    const token = await signUp(stage.service, email, 'Stranger.pass1');
    const page = await confirm(token);
    await page.getByText('This is not the password of the account').waitFor();
    expect(
      await stage.service.sql('SELECT 1 FROM users WHERE email = $1 AND email_validation_token_hash IS NOT NULL', [
        email,
      ]),
    ).toHaveLength(1);
    await page.getByRole('link', { name: 'I did not ask for this account' }).click();
    await button(page, 'Delete the account').click();
    await heading(page, 'The account is deleted').waitFor();
  });

  // Contract: portal#confirmation-of-an-address — A person who chose a password in this browser is told in time that
  //   another one counts
  it('says after a second sign-up that the first password counts, and how to begin anew', async () => {
    const email = newAddress();
    await signUp(stage.service, email, 'Stranger.pass1');
    const { page } = await stage.newVisitor();
    await page.goto('/signup');
    await fillSignUp(page, email);
    await page.getByText('the password of that first time counts').waitFor();
    await page.goto(`/verify/${await newestVerificationToken(stage.service, email)}`);
    await page.getByText('The password of an earlier sign-up counts').waitFor();
    expect(await button(page, 'Confirm').count()).toBe(0);
    await page.getByRole('link', { name: 'Delete that account and begin anew' }).click();
    await button(page, 'Delete the account').click();
    await heading(page, 'The account is deleted').waitFor();
  });

  // Contract: portal#confirmation-of-an-address — validateEmail EXPIRED_RESENT, in the portal
  it('sends a new link for an expired one, and the new one works', async () => {
    const email = newAddress();
    const token = await signUp(stage.service, email);
    await moveTime(
      email,
      "email_validation_expires_at = now() - interval '1 second', account_mail_sent_at = now() - interval '25 hours'",
    );
    const page = await renew(token);
    await heading(page, 'We have sent you a new link').waitFor();
    const fresh = await newestVerificationToken(stage.service, email);
    expect(fresh).not.toBe(token);
    await heading(await renew(token), 'A message is on its way already').waitFor();
    await isHome(await confirm(fresh));
  });

  it('reports for an expired link that a newer mail was sent within the hour, and sends another one after it', async () => {
    const email = newAddress();
    const token = await signUp(stage.service, email);
    await moveTime(email, "email_validation_expires_at = now() - interval '1 second'");
    const page = await renew(token);
    await heading(page, 'A message is on its way already').waitFor();
    await moveTime(email, "account_mail_sent_at = now() - interval '2 hours'");
    await button(page, 'Send a new link').click();
    await heading(page, 'We have sent you a new link').waitFor();
    expect(await stage.service.mailsTo(email)).toHaveLength(2);
  });

  it('says of an open page, whose link a newer mail has replaced, that this mail counts', async () => {
    const email = newAddress();
    const page = await open(await signUp(stage.service, email));
    await field(page, 'Password').fill(goodPassword);
    await moveTime(email, "account_mail_sent_at = now() - interval '2 hours'");
    await signUp(stage.service, email);
    await button(page, 'Confirm and sign in').click();
    await heading(page, 'A message is on its way already').waitFor();
    await button(page, 'Send a new link').waitFor();
  });

  // Contract: portal#answers-that-sign-out — Only a refusal of the credential signs out: not a 503, a rate limit or a
  //   defect
  it.each([
    ['an unavailable service', unavailable, 'Not available right now'],
    [
      'a rate limit',
      refusal(429, { code: 'RATE_LIMITED', retryAfterSeconds: 42 }),
      'Please wait 42 seconds and try again.',
    ],
    ['an internal error', refusal(500, { code: 'INTERNAL', correlationId: 'a1b2' }), 'Something went wrong'],
  ])('signs no user out for %s', async (_, answer, words) => {
    const { visitor, page } = await signInNewPerson(stage);
    const restore = await answerInstead(page, 'FetchMe', answer);
    await page.reload();
    await page.getByText(words).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    expect(visitor.count('RefreshAccess')).toBe(0);
    await restore();
    await button(page, 'Try again').click();
    await isHome(page);
  });

  it('keeps the page when a query of an open page fails, and does not sign out when a refresh fails', async () => {
    const { page } = await signInNewPerson(stage);
    await page.getByText('This device').waitFor();
    const restore = await answerInstead(page, 'SignOutEverywhere', unavailable);
    await button(page, 'Sign out everywhere').click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await dialog.getByText('Nothing has been lost, and you have not been signed out.').waitFor();
    await restore();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await stage.service.sql(
      "UPDATE credentials SET expires_at = now() - interval '1 second' WHERE kind = 'user_session'",
    );
    const restoreRefresh = await answerInstead(page, 'RefreshAccess', unavailable);
    await page.reload();
    await heading(page, 'Not available right now').waitFor();
    await restoreRefresh();
    await button(page, 'Try again').click();
    await isHome(page);
  });

  it('reports a missing connection, and continues automatically when it is back', async () => {
    const { visitor } = await signInNewPerson(stage, emptyCache);
    const { page, context } = visitor;
    // A page that does not query the signed-in user.
    await page.goto(`/verify/${'0'.repeat(64)}`);
    await heading(page, 'This link does not work').waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Gatehouse' }).click();
    await heading(page, 'No connection').waitFor();
    await context.setOffline(false);
    await isHome(page);
  });

  // Contract: portal#answers-that-sign-out — Error page with the correlation id
  it('shows the reference of an internal error', async () => {
    const page = await openSignIn();
    await answerInstead(page, 'SignIn', refusal(500, { code: 'INTERNAL', correlationId: 'd3f0-11ec' }));
    await fillSignIn(page, 'somebody@example.com', goodPassword);
    const alert = page.getByRole('alert');
    await alert.getByText('Something went wrong').waitFor();
    await alert.getByText('Reference: d3f0-11ec').waitFor();
    expect(await field(page, 'E-mail address').inputValue()).toBe('somebody@example.com');
  });

  it('reports an unknown URL, signed in or not', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/no/such/page');
    await heading(page, 'Page not found').waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await heading(page, 'Sign in').waitFor();
  });
});

/** The whole journey of a person through the portal: sign up, confirm the address, sign in, use the pages, sign out. */
import { describe, expect, it } from 'vitest';
import {
  button,
  expireAccess,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  isHome,
  isSignInPage,
  liveFamilies,
  openStage,
  signInNewPerson,
  signInPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { goodPassword, newAddress, signUp } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import type { PortalForm } from '../support/gatehouse/gatehouse.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const forms: readonly Exclude<PortalForm, 'none'>[] = ['one origin', 'two origins'];

describe.skipIf(chromiumPath === null).each(forms)('The journey with %s', (portal) => {
  const stage = fixture(() => openStage({ portal }));

  const isUnverified = async (email: string): Promise<boolean> =>
    (await stage.service.sql.value<boolean>(
      'SELECT email_validation_token_hash IS NOT NULL AS unverified FROM users WHERE email = $1',
      [email],
    )) ?? false;

  // Contract: portal#whole-journey — The whole journey, on one origin and on two
  // Contract: portal#confirmation-of-an-address — /verify/:token: nothing happens until the person confirms
  it('leads from sign-up through the mailbox and the confirmation to the home page', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const email = newAddress();

    await page.goto('/');
    await isSignInPage(page);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await fillSignUp(page, email);
    await heading(page, 'Check your e-mail').waitFor();
    await page.getByText(email).waitFor();

    await stage.service.mailsTo(email);
    await page.getByRole('link', { name: 'Open the development mailbox' }).click();
    const mail = page.getByRole('article').filter({ hasText: email });
    await mail.getByRole('link', { name: '/verify/' }).first().click();

    await heading(page, 'Confirm your e-mail address').waitFor();
    await expect.poll(() => new URL(page.url()).origin).toBe(stage.service.portalUrl);
    // The page has loaded completely, and has not used the link.
    await page.waitForLoadState('networkidle');
    expect(visitor.count('ValidateEmail')).toBe(0);
    expect(await isUnverified(email)).toBe(true);

    await button(page, 'Confirm').click();
    await isSignInPage(page);
    await page.getByText('Sign in with the password that you chose when you first signed up.').waitFor();
    expect(visitor.count('ValidateEmail')).toBe(1);
    expect(await isUnverified(email)).toBe(false);

    expect(await field(page, 'E-mail address').inputValue()).toBe(email);
    expect(page.url()).not.toContain('@');
    await fillSignIn(page, email);
    await isHome(page);
    const profile = page.getByRole('region', { name: 'Who you are here' });
    await profile.getByText(email).waitFor();
    await profile.getByText(/^Owner/).waitFor();
    const devices = page.getByRole('region', { name: 'Your devices' });
    await devices.getByText('This device').waitFor();
    await devices.getByText('In use now').waitFor();
    expect(await devices.getByRole('listitem').count()).toBe(1);
    const apiUrls = new Set(visitor.requests.map((request) => request.url()));
    expect([...apiUrls]).toEqual([`${stage.service.url}/graphql`]);
  });

  // Contract: portal#whole-journey — The link in the mail, by its own button
  // Contract: portal#confirmation-of-an-address — /verify/:token in another browser: the password confirms and signs in
  it("follows the mail's own button in the mailbox", async () => {
    const { page } = await stage.newVisitor();
    const email = newAddress();
    await signUp(stage.service, email);
    await page.goto(`${stage.service.url}/dev/mailbox`);
    await page.locator('iframe').first().contentFrame().getByRole('link', { name: 'Confirm my address' }).click();
    await heading(page, 'Confirm your e-mail address').waitFor();
    expect(await isUnverified(email)).toBe(true);
    // In another browser than the one that signed up, the password confirms and signs in.
    await field(page, 'Password').fill(goodPassword);
    await button(page, 'Confirm and sign in').click();
    await isHome(page);
    expect(await isUnverified(email)).toBe(false);
  });

  // Contract: portal#confirmation-of-an-address — /verify/:token/reject: nothing happens until the button is pressed
  it('deletes an unwanted sign-up when the button is pressed, and not before', async () => {
    const { page } = await stage.newVisitor();
    const email = newAddress();
    await signUp(stage.service, email);
    await page.goto(`${stage.service.url}/dev/mailbox`);
    await page.locator('iframe').first().contentFrame().getByRole('link', { name: 'I did not ask for this' }).click();
    await heading(page, 'Delete this account?').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await isUnverified(email)).toBe(true);
    await button(page, 'Delete the account').click();
    await heading(page, 'The account is deleted').waitFor();
    expect(await stage.service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
  });

  // Contract: portal#waiting-for-the-mail — Check your e-mail: a reload stays there, Send again needs no password
  it('stays on the page that awaits the mail over a reload, and sends it again without a password', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const email = newAddress();
    await page.goto('/signup');
    await fillSignUp(page, email);
    await heading(page, 'Check your e-mail').waitFor();
    await page.reload();
    await heading(page, 'Check your e-mail').waitFor();
    await page.getByText(email).waitFor();
    expect(page.url()).not.toContain('@');
    await stage.service.sql(`UPDATE users SET account_mail_sent_at = now() - interval '2 hours' WHERE email = $1`, [
      email,
    ]);
    await button(page, 'Send again').click();
    await page.getByText('another one is on its way').waitFor();
    expect(await stage.service.mailsTo(email)).toHaveLength(2);
    expect(visitor.count('SignUp')).toBe(1);
    await button(page, 'Use another address').click();
    await heading(page, 'Create your account').waitFor();
    await page.reload();
    await heading(page, 'Create your account').waitFor();
  });

  it('stays signed in over a reload and over the expiry of the access token', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    await expireAccess(stage.service);
    await visitor.page.reload();
    await isHome(visitor.page);
    expect(visitor.count('RefreshAccess')).toBe(1);
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  // Contract: portal#own-devices — My devices: sign out another one
  it('signs out another device, which notices at its next request', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const other = await signInPerson(stage, email, { userAgent: firefox });
    await visitor.page.reload();
    await button(visitor.page, 'Sign out Firefox on Windows').click();
    const dialog = visitor.page.getByRole('alertdialog', { name: 'Sign out Firefox on Windows?' });
    await dialog.getByRole('button', { name: 'Sign out device' }).click();
    await visitor.page.getByText('Firefox on Windows is signed out.').waitFor();
    await visitor.page.getByRole('listitem').filter({ hasText: 'Firefox on Windows' }).waitFor({ state: 'detached' });
    expect(await liveFamilies(stage.service, email)).toBe(1);

    await other.page.reload();
    await isSignInPage(other.page);
    await visitor.page.reload();
    await isHome(visitor.page);
  });

  // Contract: portal#own-devices — My devices: sign out this one; cookies cleared for portal
  it('signs out this device at the top of the page and from the list', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    await button(page, 'Sign out').click();
    await page.getByText('You have signed out.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await visitor.context.cookies()).toEqual([]);
    expect(await liveFamilies(stage.service, email)).toBe(0);

    await fillSignIn(page, email);
    await isHome(page);
    await button(page, 'Sign out this device').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out device' }).click();
    await page.getByText('You have signed out.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
  });

  // Contract: portal#own-devices — My devices: sign out everywhere
  it('signs out everywhere', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const other = await signInPerson(stage, email);
    await button(visitor.page, 'Sign out everywhere').click();
    const dialog = visitor.page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await visitor.page.getByText('You are signed out on every device.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
    await other.page.reload();
    await isSignInPage(other.page);
    await visitor.page.goto('/');
    await isSignInPage(visitor.page);
  });
});

/** Recent sign-ins and suspension in Chromium. */
import { describe, expect, it } from 'vitest';
import { newSuperAdmin, runAs } from '../../support/actors/tenants.ts';
import { button, fillSignIn, isSignInPage, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { operations, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Sign-ins in the portal', () => {
  const stage = fixture(openStage);

  const signInWrongly = (email: string) =>
    post(stage.service.url, operations.signIn, { input: { email, password: 'Wrong.horse7' } });

  // Contract: incidents#history-of-sign-ins — mySignIns in the portal
  it('are listed at /account/security, those that were refused too, ten at a time', async () => {
    const { page, email } = await signInNewPerson(stage);
    for (let turn = 0; turn < 11; turn += 1) await signInWrongly(email);
    await page.goto('/account/security');
    await page.getByRole('heading', { name: 'Recent sign-ins' }).waitFor();
    const rows = page.getByRole('listitem').filter({ hasText: 'Password' });
    await rows.getByText('Wrong password, code or passkey').first().waitFor();
    expect(await rows.count()).toBe(10);
    const directory = process.env['SCREENSHOTS'];
    if (directory !== undefined) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const [name, width] of [
          ['wide', 1280],
          ['phone', 390],
        ] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: `${directory}/sign-ins-${scheme}-${name}.png`, fullPage: true });
        }
      }
    }
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.getByText('Signed in').waitFor();
    expect(await rows.count()).toBe(12);
  });

  // Contract: incidents#refusal-of-a-suspended-person — ACCOUNT_SUSPENDED in the portal
  it('are refused with a sentence to a suspended person, whose open page leads to the sign-in', async () => {
    const { page, email, visitor } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    await page.goto('/account/security');
    await button(page, 'Set up').waitFor();
    const root = await newSuperAdmin(stage.service);
    const id = await stage.service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    await runAs(stage.service, root, operations.suspendUser, { id, reason: 'A test' });
    await button(page, 'Set up').click();
    await isSignInPage(page);
    await fillSignIn(page, email);
    await page.getByText('Your account is suspended').waitFor();
    await page.goto('/signin?error=ACCOUNT_SUSPENDED');
    await page.getByText('Your account is suspended, so you cannot sign in until it is reinstated.').waitFor();
  });
});

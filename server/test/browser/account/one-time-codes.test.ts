/** One-time codes in Chromium: set-up, the second step of a sign-in, recovery codes, and turning off. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addOneTimeCodes, currentCode, freshCode, wrongCode } from '../../support/actors/one-time-codes.ts';
import {
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  openStage,
  signInNewPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { registerAndSignIn } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('One-time codes', () => {
  const stage = fixture(openStage);

  /** A person with one-time codes, at the second step of a sign-in. */
  const atSecondStep = async () => {
    const { email, tokens } = await registerAndSignIn(stage.service);
    const codes = await addOneTimeCodes(stage.service, tokens);
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin?redirect=/account/security');
    await fillSignIn(page, email);
    await heading(page, 'Enter your code').waitFor();
    return { ...codes, email, visitor, page };
  };

  const submit = async (page: Page, label: string, code: string): Promise<void> => {
    await field(page, label).fill(code);
    await button(page, 'Sign in').click();
  };

  const keyShown = async (page: Page): Promise<string> =>
    ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');

  // Contract: account#set-up-of-one-time-codes — one-time codes in the portal, from the QR code to the sign-in
  it('are set up with a QR code, asked for at the next sign-in, and turned off', async () => {
    const { page, email } = await signInNewPerson(stage);
    await page.goto('/account/security');
    await button(page, 'Set up').click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = await keyShown(page);
    expect(await page.getByRole('link', { name: 'Open an app on this device' }).getAttribute('href')).toContain(
      `secret=${secret}`,
    );
    await field(page, 'Six-digit code that the app shows').fill(await wrongCode(stage.service, secret));
    await button(page, 'Turn on').click();
    await page.getByText('Check that the clock of your device is right').waitFor();
    await field(page, 'Six-digit code that the app shows').fill(await currentCode(stage.service, secret));
    await button(page, 'Turn on').click();
    await page.getByText('Keep these recovery codes').waitFor();
    const codes = await page.locator('ol code').allTextContents();
    expect(codes).toHaveLength(10);
    const download = page.waitForEvent('download');
    await button(page, 'Download').click();
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
    await button(page, 'I have kept them').click();
    await page.getByText('10 recovery codes are left.').waitFor();
    expect(await page.getByText(codes[0] ?? '').count()).toBe(0);

    await button(page, 'Sign out').click();
    await isSignInPage(page);
    await fillSignIn(page, email);
    await heading(page, 'Enter your code').waitFor();
    await submit(page, 'Six-digit code', await freshCode(stage.service, secret));
    await isHome(page);

    await page.goto('/account/security');
    await button(page, 'Turn off').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('One-time codes are off.').waitFor();
    await button(page, 'Set up').waitFor();
  });

  it('are asked for by number first, and a recovery code takes their place', async () => {
    const { page, recoveryCodes, secret } = await atSecondStep();
    const code = field(page, 'Six-digit code');
    await focused(code);
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await code.getAttribute('inputmode')).toBe('numeric');
    await submit(page, 'Six-digit code', await wrongCode(stage.service, secret));
    await page.getByText('The code is wrong, or it was used already.').waitFor();
    await button(page, 'Use a recovery code').click();
    await submit(page, 'Recovery code', (recoveryCodes[0] ?? '').toLowerCase());
    await page.waitForURL('**/account/security');
    await page.getByText('9 recovery codes are left.').waitFor();
    await page.getByText('With a passkey or a second factor.').waitFor();
  });

  it('lead back to the form when the sign-in is over', async () => {
    const { page, secret } = await atSecondStep();
    await stage.service.sql(`UPDATE second_factor_challenges SET expires_at = now() - interval '1 second'`);
    await submit(page, 'Six-digit code', await freshCode(stage.service, secret));
    await heading(page, 'This sign-in has ended').waitFor();
    await button(page, 'Sign in again').click();
    await isSignInPage(page);
    expect(page.url()).toContain('redirect=');
  });

  it('confirm a change in the dialog, where a password alone does not', async () => {
    const { page, recoveryCodes, secret } = await atSecondStep();
    await submit(page, 'Six-digit code', await freshCode(stage.service, secret));
    await page.getByText('10 recovery codes are left.').waitFor();
    await stage.service.sql(`UPDATE credentials SET authenticated_at = now() - interval '11 minutes'`);
    await button(page, 'New recovery codes').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Code of your authenticator app, or a recovery code').fill(recoveryCodes[0] ?? '');
    expect(await dialog.getByLabel('Your password').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Confirm with the code' }).click();
    await page.getByText('Keep these recovery codes').waitFor();
    expect(await page.locator('ol code').allTextContents()).not.toContain(recoveryCodes[1]);
  });
});

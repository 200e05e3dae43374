/** The answer of the sign-in page to a forgotten password: the same for every address, for what the service has. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { passkeySettings } from '../../support/actors/passkeys.ts';
import { field, fillSignIn, heading, openStage, type Stage } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused, tabTo } from '../../support/browser/keyboard.ts';
import { providerEnvironment } from '../../support/browser/states/provider-states.ts';
import { newAddress, register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

const question = (page: Page) => page.getByText('Forgot your password?');
const answer = (page: Page) => page.getByRole('group').filter({ has: question(page) });

const openSignIn = async (stage: Stage) => {
  const visitor = await stage.newVisitor();
  await visitor.page.goto('/signin');
  await heading(visitor.page, 'Sign in').waitFor();
  return visitor;
};

/** The opened answer of a new visitor. */
const answerOf = async (stage: Stage): Promise<string> => {
  const { page } = await openSignIn(stage);
  await question(page).click();
  return (await answer(page).textContent()) ?? '';
};

describe.skipIf(chromiumPath === null)('A forgotten password', () => {
  const stage = fixture(openStage);

  // Contract: account#no-password-reset — there is no password reset, and the sign-in page says what there is
  it('is answered by keyboard, and nothing is sent', async () => {
    const { page, requests } = await openSignIn(stage);
    await page.getByText('ask the people who run').waitFor({ state: 'hidden' });
    await field(page, 'Password').focus();
    await tabTo(page, question(page));
    await page.keyboard.press('Enter');
    await page.getByText('A password cannot be reset by mail.').waitFor();
    await focused(question(page));
    expect(await answer(page).textContent()).not.toMatch(/passkey|connected to/);
    expect(await answer(page).getByRole('link').count()).toBe(0);
    expect(requests.filter((request) => request.postData()?.includes('SignIn'))).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('ask the people who run').waitFor({ state: 'hidden' });
  });

  it('has the same answer whether or not the address has an account', async () => {
    const words: (string | null)[] = [];
    for (const email of [await register(stage.service), newAddress()]) {
      const { page } = await openSignIn(stage);
      await fillSignIn(page, email, 'Wrong.horse7');
      await page.getByText('The e-mail address or the password is wrong.').waitFor();
      await question(page).click();
      words.push(await answer(page).textContent());
    }
    expect(words[0]).toBe(words[1]);
    expect(words[0]).toContain('ask the people who run Gatehouse.');
  });
});

describe.skipIf(chromiumPath === null)('A forgotten password, where there are other ways to sign in', () => {
  const brand = { support: 'mailto:help@acme.example' };
  const stage = fixture(() =>
    openStage({
      environment: { ...passkeySettings, ...providerEnvironment },
      application: { name: 'Acme Notes', brand },
    }),
  );
  const passkeys = fixture(() => openStage({ environment: passkeySettings }));
  const provider = fixture(() => openStage({ environment: providerEnvironment }));

  it('leads to a passkey, to the provider, and to the support of the application', async () => {
    const { page } = await openSignIn(stage);
    await question(page).click();
    const text = await answer(page).textContent();
    expect(text).toContain('If your account has a passkey or is connected to Google, sign in that way');
    expect(text).toContain('ask the people who run Acme Notes.');
    const link = answer(page).getByRole('link', { name: 'Ask for help' });
    expect(await link.getAttribute('href')).toBe(brand.support);
  });

  it('leads to a passkey alone, or to the provider alone', async () => {
    const [withPasskeys, withProvider] = [await answerOf(passkeys), await answerOf(provider)];
    expect(withPasskeys).toContain('If your account has a passkey, sign in with it');
    expect(withPasskeys).not.toContain('Google');
    expect(withProvider).toContain('If your account is connected to Google, continue with Google');
    expect(withProvider).not.toContain('passkey');
  });
});

/** Which language a browser shows, what it loads for it, and the choice of another one. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { field, heading, openStage } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('The language of the portal', () => {
  const opened = fixture(openStage);
  afterAll(() => opened.close());

  const attributes = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

  /** Languages of the files of messages that the page has loaded. */
  const loadedLanguages = async (page: Page): Promise<readonly (string | undefined)[]> => {
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    return [...new Set(names.flatMap((name) => (name.endsWith('.json') ? [name.split('.').at(-2)] : [])))];
  };

  it('is that of the browser, and no other is loaded', async () => {
    const { page } = await opened.newVisitor({ locale: 'fr-CA' });
    await page.goto('/signin');
    await heading(page, 'Se connecter').waitFor();
    expect(await attributes(page)).toEqual(['fr', 'ltr']);
    expect(await loadedLanguages(page)).toEqual(['fr']);
  });

  it('is that of ?lang, which the browser remembers and the address loses', async () => {
    const { page } = await opened.newVisitor();
    await page.goto('/signin?lang=ar&redirect=%2Fplan');
    await heading(page, 'تسجيل الدخول').waitFor();
    expect(await attributes(page)).toEqual(['ar', 'rtl']);
    expect(new URL(page.url()).search).toBe('?redirect=%2Fplan');
    await page.goto('/signup');
    await heading(page, 'إنشاء حسابك').waitFor();
  });

  it('is the next one when ?lang names none', async () => {
    const { page } = await opened.newVisitor({ locale: 'es-MX' });
    await page.goto('/signin?lang=xx');
    await heading(page, 'Iniciar sesión').waitFor();
    expect(await attributes(page)).toEqual(['es', 'ltr']);
  });

  it('can be chosen on a page, which keeps what was typed, and stays chosen', async () => {
    const { page } = await opened.newVisitor();
    await page.goto('/signin');
    await field(page, 'E-mail address').fill('typed@example.com');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await heading(page, 'Anmelden').waitFor();
    expect(await field(page, 'E-Mail-Adresse').inputValue()).toBe('typed@example.com');
    await page.reload();
    await heading(page, 'Anmelden').waitFor();
    expect(await page.getByRole('combobox', { name: 'Sprache' }).inputValue()).toBe('de');
  });

  it('stays as it is when another one cannot be loaded', async () => {
    const visitor = await opened.newVisitor();
    visitor.forgiveComplaints();
    const { page } = visitor;
    await page.goto('/signin');
    await page.route('**/*.de.json', (route) => route.abort());
    const choice = page.getByRole('combobox', { name: 'Language' });
    await choice.selectOption('Deutsch');
    await expect.poll(() => choice.inputValue()).toBe('en');
    expect(await attributes(page)).toEqual(['en', 'ltr']);
    expect(await heading(page, 'Sign in').isVisible()).toBe(true);
  });

  it('tries again when the first messages cannot be loaded', async () => {
    const visitor = await opened.newVisitor();
    visitor.forgiveComplaints();
    const { page } = visitor;
    let failures = 0;
    await page.route('**/main-*.json', (route) => {
      failures += 1;
      return failures === 1 ? route.abort() : route.continue();
    });
    await page.route('/', (route) => (route.request().method() === 'HEAD' ? route.abort() : route.continue()));
    await page.goto('/signin');
    await heading(page, 'Sign in').waitFor();
    expect(failures).toBe(2);
  });

  it('shows how an external sign-in ended when the first messages come after the answer', async () => {
    const visitor = await opened.newVisitor();
    visitor.forgiveComplaints();
    const { page } = visitor;
    await page.route('**/main-*.json', async (route) => {
      await page.waitForURL('**/signin?error=EXCHANGE_REFUSED');
      await route.continue();
    });
    await page.goto('/signin?oauth_exchange=1');
    await page.getByText('Signing in took too long').waitFor();
  });
});

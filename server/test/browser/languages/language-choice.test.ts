/** Which language a browser shows, what it loads for it, and the choice of another one. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { field, heading, openStage, signInNewPerson, signInPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { until } from '../../support/checks/concurrency.ts';
import { goodPassword, newAddress } from '../../support/clients/clients.ts';
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
    await expect.poll(() => loadedLanguages(page)).toEqual(['fr']);
  });

  it('is that of ?lang, which the browser remembers and the address loses', async () => {
    const { page } = await opened.newVisitor();
    await page.goto('/signin?lang=ar&redirect=%2Fplan');
    await heading(page, 'تسجيل الدخول').waitFor();
    expect(await attributes(page)).toEqual(['ar', 'rtl']);
    await expect.poll(() => new URL(page.url()).search).toBe('?redirect=%2Fplan');
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
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await heading(page, 'Anmelden').waitFor();
    expect(await field(page, 'E-Mail-Adresse').inputValue()).toBe('typed@example.com');
    await page.reload();
    await heading(page, 'Anmelden').waitFor();
    expect(await page.getByRole('combobox', { name: 'Sprache' }).inputValue()).toBe('de');
  });

  it('is remembered anew for the pages of the server, when their cookie has ended before', async () => {
    const { page, context } = await opened.newVisitor();
    await page.goto('/signin?lang=de');
    await heading(page, 'Anmelden').waitFor();
    await context.clearCookies();
    await page.goto('/signup');
    await heading(page, 'Konto erstellen').waitFor();
    const [cookie] = await context.cookies(`${opened.service.portalUrl}/auth/pages`);
    expect(cookie).toMatchObject({ name: 'gatehouse_language', value: 'de', path: '/auth', sameSite: 'Lax' });
  });

  // Contract: account#name-and-language — setLanguage in the portal, which shows the language wherever the person signs
  //   in
  it('is saved to the account of who is signed in, and wins on another device', async () => {
    const { visitor, email } = await signInNewPerson(opened);
    const { sql } = opened.service;
    const stored = () => sql.value<string>('SELECT language FROM users WHERE email = $1', [email]);
    expect(await stored()).toBeNull();
    await visitor.page.getByRole('combobox', { name: 'Language' }).selectOption('fr');
    await visitor.page.getByRole('combobox', { name: 'Langue' }).waitFor();
    await until('the choice is saved', async () => (await stored()) === 'fr');
    const at = { path: '/', title: 'Bonjour Test Person' };
    const { page } = await signInPerson(opened, email, { at });
    expect(await attributes(page)).toEqual(['fr', 'ltr']);
  });

  it('is that of the mails and of the server’s own pages, for a person without an account', async () => {
    const visitor = await opened.newVisitor({ locale: 'fr-CA' });
    // The page of a request that does not exist is an answer 410.
    visitor.forgiveComplaints();
    const { page } = visitor;
    const email = newAddress();
    await page.goto('/signup?lang=ja');
    await heading(page, 'アカウントの作成').waitFor();
    await field(page, '名前').fill('Test Person');
    await field(page, 'メールアドレス').fill(email);
    await field(page, 'パスワード').fill(goodPassword);
    await page.getByRole('button', { name: 'アカウントを作成' }).click();
    await heading(page, 'メールを確認してください').waitFor();
    const [mail] = await opened.service.mailsTo(email);
    expect(mail?.subject).toBe('メールアドレスを確認してください');
    await page.goto('/auth/mcp/continue/0190f0a0-0000-7000-8000-000000000001');
    await heading(page, 'このリクエストは終了しました').waitFor();
    expect(await attributes(page)).toEqual(['ja', 'ltr']);
  });

  it('stays as it is when another one cannot be loaded', async () => {
    const visitor = await opened.newVisitor();
    visitor.forgiveComplaints();
    const { page } = visitor;
    await page.goto('/signin');
    await page.route('**/*.de.json', (route) => route.abort());
    const choice = page.getByRole('combobox', { name: 'Language' });
    await choice.selectOption('de');
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

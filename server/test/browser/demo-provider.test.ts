/** `npm start` in a browser: the way in by the demo provider works out of the box, and its pages are for everyone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings, overflowAt360 } from '../support/browser/accessibility.ts';
import { button, field, heading, openBrowser, type Visitor } from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { tabTo } from '../support/browser/keyboard.ts';
import { until } from '../support/checks/concurrency.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { type Developing, serveDevelopment } from '../support/gatehouse/development.ts';

describe.skipIf(chromiumPath === null)('The demo provider in a browser', () => {
  let stored: TestDatabase;
  let service: Developing;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    stored = await createTestDatabase();
    [service, browser] = await Promise.all([serveDevelopment(stored, { CONSENT_BANNER: 'false' }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await stored.drop();
  });

  /** A visitor who is asked who they are. */
  const beAsked = async (visitor?: Visitor): Promise<Visitor> => {
    const asked = visitor ?? (await browser.newVisitor(service.url));
    await asked.page.goto('/signin');
    await asked.page.getByRole('link', { name: 'Continue with demo Google' }).click();
    await heading(asked.page, 'Who are you?').waitFor();
    return asked;
  };

  const choose = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();

  const hasComeIn = (page: Page, name: string): Promise<void> => heading(page, `Hello, ${name}`).waitFor();

  // Specification: External sign-in — Development works out of the box, by a provider that comes along
  it('lets somebody new in, and asks the same browser again for the next', async () => {
    const visitor = await beAsked();
    expect(new URL(visitor.page.url()).origin).toBe(service.issuer);
    await choose(visitor.page, 'Nina Castell');
    await hasComeIn(visitor.page, 'Nina Castell');
    await button(visitor.page, 'Sign out').first().click();
    await beAsked(visitor);
    await choose(visitor.page, 'María de los Ángeles');
    await visitor.page.getByRole('heading', { level: 1, name: /^Hello, María/ }).waitFor();
  });

  it('lets somebody of the demo data in by their address, and tells them by mail', async () => {
    const { page } = await beAsked();
    await choose(page, 'Ada Marlow');
    await hasComeIn(page, 'Ada Marlow');
    await page.getByText('Acme Instruments').first().waitFor();
    await until('the mail is there', async () => {
      const mailbox = await fetch(`${service.url}/dev/mailbox.json`);
      return (await mailbox.text()).includes('"to":"ada@acme.example"');
    });
  });

  it.each([
    { who: 'Grace Okafor', sentence: /^Your e-mail address is not confirmed at demo Google yet/ },
    { who: 'Sam Overby', sentence: /^An account needs an e-mail address/ },
    { who: 'Cancel', sentence: /^You did not go through with it at demo Google/ },
  ])('leads back to the sign-in page with a sentence for $who', async ({ who, sentence }) => {
    const { page } = await beAsked();
    await choose(page, who);
    await page.getByText(sentence).waitFor();
    expect(new URL(page.url()).origin).toBe(service.url);
  });

  it('lets whoever is typed in, by keyboard alone', async () => {
    const { page } = await beAsked();
    const summary = page.getByText('Somebody else', { exact: true });
    await tabTo(page, summary);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Robin Typed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('robin@typed.example');
    await page.keyboard.press('Enter');
    await hasComeIn(page, 'Robin Typed');
    await page.getByText('robin@typed.example').first().waitFor();
  });

  it('says that there is nothing to answer on the way back through the history', async () => {
    const visitor = await beAsked();
    const { page } = visitor;
    const question = page.url();
    await choose(page, 'Nina Castell');
    await hasComeIn(page, 'Nina Castell');
    visitor.forgiveComplaints();
    const answer = await page.goto(question);
    expect(answer?.status()).toBe(400);
    await page.getByRole('link', { name: 'Sign in to Gatehouse' }).click();
    await hasComeIn(page, 'Nina Castell');
  });

  it('has pages for everyone: no finding of axe in either scheme, nothing cut off at 360 pixels', async () => {
    const { page } = await beAsked();
    await page.getByText('Somebody else', { exact: true }).click();
    await field(page, 'Name').waitFor();
    for (const address of [page.url(), `${service.issuer}/`]) {
      if (address !== page.url()) await page.goto(address);
      expect(await findings(page)).toEqual([]);
      expect(await overflowAt360(page)).toBe(0);
    }
  });
});

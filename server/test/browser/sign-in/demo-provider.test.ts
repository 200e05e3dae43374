/** `npm start` in a browser: sign-in by the demo provider works out of the box, and its pages are accessible. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import { button, field, heading } from '../../support/browser/browser.ts';
import { shareBrowser } from '../../support/browser/browsing.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { tabTo } from '../../support/browser/keyboard.ts';
import type { Visitor } from '../../support/browser/visitors.ts';
import { until } from '../../support/checks/concurrency.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { fixture } from '../../support/fixture.ts';
import { serveDevelopment } from '../../support/gatehouse/development.ts';

describe.skipIf(chromiumPath === null)('The demo provider in a browser', () => {
  const stored = fixture(createTestDatabase, (stored) => stored.drop());
  const service = fixture(
    () => serveDevelopment(stored, { CONSENT_BANNER: 'false' }),
    (started) => started.stop(),
  );
  const browser = fixture(shareBrowser);

  const beAsked = async (visitor?: Visitor): Promise<Visitor> => {
    const asked = visitor ?? (await browser.newVisitor(service.url));
    await asked.page.goto('/signin');
    await asked.page.getByRole('link', { name: 'Continue with demo Google' }).click();
    await heading(asked.page, 'Who are you?').waitFor();
    return asked;
  };

  const choose = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();

  const isSignedInAs = (page: Page, name: string): Promise<void> => heading(page, `Hello, ${name}`).waitFor();

  // Contract: accounts#identity-provider — Development works out of the box, with the built-in provider
  it('signs a new person in, and asks again for an account at the next sign-in of the browser', async () => {
    const visitor = await beAsked();
    expect(new URL(visitor.page.url()).origin).toBe(service.issuer);
    await choose(visitor.page, 'Nina Castell');
    await isSignedInAs(visitor.page, 'Nina Castell');
    await button(visitor.page, 'Sign out').first().click();
    await beAsked(visitor);
    await choose(visitor.page, 'María de los Ángeles');
    await visitor.page.getByRole('heading', { level: 1, name: /^Hello, María/ }).waitFor();
  });

  it('signs in a person of the demo data by their address, and mails them', async () => {
    const { page } = await beAsked();
    await choose(page, 'Ada Marlow');
    await isSignedInAs(page, 'Ada Marlow');
    await page.getByText('Acme Instruments').first().waitFor();
    await until('the mail is there', async () => {
      const mailbox = await fetch(`${service.url}/dev/mailbox.json`);
      return (await mailbox.text()).includes('"to":"ada@acme.example"');
    });
  });

  it.each([
    { who: 'Grace Okafor', sentence: /^Your e-mail address is not confirmed at demo Google yet/ },
    { who: 'Sam Overby', sentence: /^An account needs an e-mail address/ },
    { who: 'Cancel', sentence: /^You cancelled at demo Google/ },
  ])('leads back to the sign-in page with a sentence for $who', async ({ who, sentence }) => {
    const { page } = await beAsked();
    await choose(page, who);
    await page.getByText(sentence).waitFor();
    await expect.poll(() => new URL(page.url()).origin).toBe(service.url);
  });

  it('signs in any typed person, by keyboard alone', async () => {
    const { page } = await beAsked();
    const summary = page.getByText('Another person', { exact: true });
    await tabTo(page, summary);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Robin Typed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('robin@typed.example');
    await page.keyboard.press('Enter');
    await isSignedInAs(page, 'Robin Typed');
    await page.getByText('robin@typed.example').first().waitFor();
  });

  it('explains, after going back in the history, that the question is already answered', async () => {
    const visitor = await beAsked();
    const { page } = visitor;
    const question = page.url();
    await choose(page, 'Nina Castell');
    await isSignedInAs(page, 'Nina Castell');
    visitor.forgiveComplaints();
    const answer = await page.goto(question);
    expect(answer?.status()).toBe(400);
    await page.getByRole('link', { name: 'Sign in to Gatehouse' }).click();
    await isSignedInAs(page, 'Nina Castell');
  });

  it('has accessible pages: no axe findings in either scheme, nothing cut off at 360 pixels', async () => {
    const { page } = await beAsked();
    await page.getByText('Another person', { exact: true }).click();
    await field(page, 'Name').waitFor();
    for (const address of [page.url(), `${service.issuer}/`]) {
      if (address !== page.url()) await page.goto(address);
      expect(await findings(page)).toEqual([]);
      expect(await overflowAt360(page)).toBe(0);
    }
  });
});

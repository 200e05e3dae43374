/** Every page and state for everyone: no finding of axe in either colour scheme and width, keyboard alone, 360 px. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  openStage,
  type Stage,
  signInPerson,
  type Visitor,
} from '../support/browser.ts';
import { chromiumPath } from '../support/chromium.ts';
import { goodPassword, operations, post, register } from '../support/clients.ts';
import { personConsentStates, visitorConsentStates } from '../support/consent-states.ts';
import { mcpStates } from '../support/mcp-states.ts';
import { personStates, type Show, visitorStates } from '../support/page-states.ts';
import { providerEnvironment, providerPersonStates, providerVisitorStates } from '../support/provider-states.ts';
import { superAdminStates } from '../support/super-admin-states.ts';
import { createSuperAdminAccount } from '../support/super-admins.ts';

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

// A mail stands in the mail program's page, which brings the landmarks.
const pageRules = ['landmark-one-main', 'region'];

/** Resolves when the page has been drawn with whatever was changed before. */
const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** What axe finds in either scheme and at either width, in words. */
const findings = async (page: Page, withoutRules: string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await twoFrames(page);
    // Ended or replaced by the next: either way nothing moves any more.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().disableRules(withoutRules).analyze();
    const words = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    found.push(...words.map((word) => `${colorScheme}, ${viewport.width} px: ${word}`));
  }
  return found;
};

const overflowAt360 = async (page: Page): Promise<number> => {
  await page.setViewportSize({ width: 360, height: 740 });
  // An open menu follows its button a frame after the width has changed.
  await twoFrames(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
};

describe.skipIf(chromiumPath === null)('Accessibility', () => {
  let stage: Stage;
  let email: string;
  let superAdmin: string;
  beforeAll(async () => {
    stage = await openStage({ environment: providerEnvironment });
    email = await register(stage.service);
    superAdmin = await createSuperAdminAccount(stage.service);
    const input = { email, password: goodPassword };
    await post(stage.service.url, operations.signIn, { input }, { 'user-agent': 'curl/8.14.1' });
  });
  afterAll(() => stage.close());

  const examine = async (visitor: Visitor, show: Show): Promise<void> => {
    await show(visitor.page, stage);
    const isMail = visitor.page.url() === 'about:blank';
    expect(await findings(visitor.page, isMail ? pageRules : [])).toEqual([]);
    expect(await overflowAt360(visitor.page)).toBe(0);
  };

  const allVisitorStates = { ...visitorStates, ...providerVisitorStates, ...visitorConsentStates };
  it.each(Object.entries(allVisitorStates))('has no findings: %s', { timeout: 60_000 }, async (_, show) => {
    await examine(await stage.newVisitor(), show);
  });

  const allPersonStates = { ...personStates, ...providerPersonStates, ...personConsentStates };
  it.each(Object.entries(allPersonStates))(
    'has no findings when signed in: %s',
    { timeout: 60_000 },
    async (_, show) => {
      await examine(await signInPerson(stage, email), show);
    },
  );

  it.each(Object.entries({ ...superAdminStates, ...mcpStates }))(
    'has no findings for a super admin: %s',
    { timeout: 60_000 },
    async (_, show) => {
      const visitor = await stage.newVisitor();
      await visitor.page.goto('/signin');
      await fillSignIn(visitor.page, superAdmin);
      await heading(visitor.page, 'Hello, Super Admin').waitFor();
      await examine(visitor, show);
    },
  );

  it('lets the keyboard alone sign in, open, cancel and confirm a dialog', async () => {
    const person = await register(stage.service);
    const input = { email: person, password: goodPassword };
    await post(stage.service.url, operations.signIn, { input }, { 'user-agent': 'curl/8.14.1' });
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    await heading(page, 'Sign in').waitFor();
    await tabTo(page, () => field(page, 'E-mail address'));
    await page.keyboard.type(person);
    await page.keyboard.press('Tab');
    await page.keyboard.type(goodPassword);
    await page.keyboard.press('Enter');
    await isHome(page);

    const opener = () => button(page, 'Sign out curl');
    await opener().waitFor();
    await tabTo(page, opener);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Sign out curl?' });
    await dialog.waitFor();
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    const confirm = dialog.getByRole('button', { name: 'Sign out device' });
    await tabTo(page, () => cancel, 0);
    // The focus goes round inside the dialog.
    await page.keyboard.press('Tab');
    await tabTo(page, () => confirm, 0);
    await page.keyboard.press('Tab');
    await tabTo(page, () => cancel, 1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await tabTo(page, opener, 0);

    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(page, () => confirm, 2);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'curl is signed out.');
  });
});

/** Presses Tab until an element has the focus, within so many presses. */
const tabTo = async (page: Page, target: () => ReturnType<typeof button>, presses = 20): Promise<void> => {
  for (let press = 0; ; press += 1) {
    if (await target().evaluate((element) => element === document.activeElement)) return;
    if (press === presses) throw new Error(`The keyboard does not reach ${target().toString()}`);
    await page.keyboard.press('Tab');
  }
};

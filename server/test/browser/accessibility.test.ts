/** Every page and state for everyone: no finding of axe in either width, of its colours in either scheme, keyboard alone, 360 px. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings, overflowAt360 } from '../support/accessibility.ts';
import {
  button,
  field,
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

// A mail stands in the mail program's page, which brings the landmarks.
const pageRules = ['landmark-one-main', 'region'];

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

  it('is looked for by a check that finds what is wrong, in either scheme', async () => {
    const { page } = await stage.newVisitor();
    const pale = 'color: light-dark(#aaa, #555); background: light-dark(#fff, #000)';
    await page.setContent(
      `<html lang="en" style="color-scheme: light dark"><title>Wrong</title><main><h1>Wrong</h1>
       <button></button><p style="${pale}">Pale</p></main></html>`,
    );
    const words = (await findings(page)).map((word) => word.replace(/: <.*/s, ''));
    expect(words).toEqual(
      [1280, 390].flatMap((width) => [
        `light, ${width} px: button-name`,
        `light, ${width} px: color-contrast`,
        `dark, ${width} px: color-contrast`,
      ]),
    );
  });

  const allVisitorStates = { ...visitorStates, ...providerVisitorStates, ...visitorConsentStates };
  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, signed out
  it.each(Object.entries(allVisitorStates))('has no findings: %s', { timeout: 60_000 }, async (_, show) => {
    await examine(await stage.newVisitor(), show);
  });

  const allPersonStates = { ...personStates, ...providerPersonStates, ...personConsentStates };
  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, signed in
  it.each(Object.entries(allPersonStates))(
    'has no findings when signed in: %s',
    { timeout: 60_000 },
    async (_, show) => {
      await examine(await signInPerson(stage, email), show);
    },
  );

  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, of a super admin
  it.each(Object.entries({ ...superAdminStates, ...mcpStates }))(
    'has no findings for a super admin: %s',
    { timeout: 60_000 },
    async (_, show) => {
      await examine(await signInPerson(stage, superAdmin, { at: { path: '/', title: 'Hello, Super Admin' } }), show);
    },
  );

  // Specification: Portal — Keyboard
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

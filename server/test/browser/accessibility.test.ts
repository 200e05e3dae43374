/** The check that finds what is wrong with a page; every page and state of a super admin; and the keyboard alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings, twoFrames } from '../support/accessibility.ts';
import { button, field, heading, isHome, signInPerson } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium.ts';
import { goodPassword, register } from '../support/clients.ts';
import { type ExaminedStage, examine, openExaminedStage, signInWithCurl } from '../support/examined-pages.ts';
import { mcpStates } from '../support/mcp-states.ts';
import { superAdminStates } from '../support/super-admin-states.ts';

describe.skipIf(chromiumPath === null)('Accessibility', () => {
  let examined: ExaminedStage;
  beforeAll(async () => {
    examined = await openExaminedStage();
  });
  afterAll(() => examined.stage.close());

  it('is looked for by a check that finds what is wrong, in either scheme', async () => {
    const { page } = await examined.stage.newVisitor();
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

  // Specification: Portal — No axe findings, phone and wide, of colours also in the dark, of a super admin
  it.each(Object.entries({ ...superAdminStates, ...mcpStates }))(
    'has no findings for a super admin: %s',
    async (_, show) => {
      const { stage, superAdmin } = examined;
      const at = { path: '/', title: 'Hello, Super Admin' };
      await examine(stage, await signInPerson(stage, superAdmin, { at }), show);
    },
  );

  // Specification: Portal — Keyboard
  it('lets the keyboard alone sign in, open, cancel and confirm a dialog', async () => {
    const { stage } = examined;
    const person = await register(stage.service);
    await signInWithCurl(stage, person);
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
    await tabTo(page, () => cancel, 0);
    await tabTo(page, () => confirm, 2);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'curl is signed out.');
  });
});

/** Presses Tab until an element has the focus, within so many presses. */
const tabTo = async (page: Page, target: () => ReturnType<typeof button>, presses = 20): Promise<void> => {
  const isFocused = () => target().evaluate((element) => element === document.activeElement);
  for (let press = 0; press < presses; press += 1) {
    if (await isFocused()) return;
    await page.keyboard.press('Tab');
    // A dialog that opens, closes or goes round moves the focus a frame later.
    await twoFrames(page);
  }
  await expect.poll(isFocused, { message: `The keyboard does not reach ${target().toString()}` }).toBe(true);
};

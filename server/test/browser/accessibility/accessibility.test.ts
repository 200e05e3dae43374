/** The accessibility check itself, and the keyboard alone; `states` has every page and state. */
import { describe, expect, it } from 'vitest';
import { findings } from '../../support/browser/accessibility.ts';
import { button, field, heading, isHome, openStage } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { signInWithCurl } from '../../support/browser/examined-pages.ts';
import { focused, tabTo } from '../../support/browser/keyboard.ts';
import { goodPassword, register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Accessibility', () => {
  const stage = fixture(openStage);

  it('is tested by a check that finds faults in either scheme', async () => {
    const { page } = await stage.newVisitor();
    const pale = 'color: light-dark(#aaa, #555); background: light-dark(#fff, #000)';
    await page.setContent(
      `<html lang="en" style="color-scheme: light dark"><title>Wrong</title><main><h1>Wrong</h1>
       <button></button><p style="${pale}">Pale</p></main></html>`,
    );
    const words = (await findings(page)).map((word) => word.replace(/: <.*/s, ''));
    expect(words.sort()).toEqual(
      [1280, 390]
        .flatMap((width) => [
          `light, ${width} px: button-name`,
          `light, ${width} px: color-contrast`,
          `dark, ${width} px: color-contrast`,
        ])
        .sort(),
    );
  });

  // Contract: portal#accessibility-of-pages — Keyboard
  it('lets a user sign in, open, cancel and confirm a dialog by keyboard alone', async () => {
    const person = await register(stage.service);
    await signInWithCurl(stage, person);
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    await heading(page, 'Sign in').waitFor();
    await tabTo(page, field(page, 'E-mail address'));
    await page.keyboard.type(person);
    await page.keyboard.press('Tab');
    await page.keyboard.type(goodPassword);
    await page.keyboard.press('Enter');
    await isHome(page);

    const opener = button(page, 'Sign out curl');
    await opener.waitFor();
    await tabTo(page, opener);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Sign out curl?' });
    await dialog.waitFor();
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    const confirm = dialog.getByRole('button', { name: 'Sign out device' });
    await focused(cancel);
    // The focus wraps around inside the dialog.
    await page.keyboard.press('Tab');
    await focused(confirm);
    await page.keyboard.press('Tab');
    await focused(cancel);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused(opener);

    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await focused(cancel);
    await page.keyboard.press('Tab');
    await focused(confirm);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'curl is signed out.');
  });
});

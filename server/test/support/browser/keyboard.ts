/** Focus by keyboard: the focused element of a page, and the way to it with Tab. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Resolves when an element has the focus. A page that opens or closes a part moves the focus some frames later. */
export const focused = (target: Locator): Promise<void> =>
  expect.poll(() => hasFocus(target), { message: `The focus does not reach ${target.toString()}` }).toBe(true);

/** Presses Tab until an element has the focus, up to 20 times. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  for (let press = 0; press < 20 && !(await hasFocus(target)); press += 1) await page.keyboard.press('Tab');
  await focused(target);
};

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

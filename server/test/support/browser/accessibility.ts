/**
 * Accessibility problems of a page: the findings of axe at either width, of all its rules in the light scheme and of
 * its colour rules in the dark one, and cut off content. Uses axe itself, because its package for Playwright injects it
 * again for each check.
 */
import { readFileSync } from 'node:fs';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Neighbours differ in one setting: only a new width needs another layout. */
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

/** The dark scheme is the same page in other colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Reports only violations. Stylesheets are not fetched again, for a rule about screen orientation. Frames contain mails
 * without scripts to answer axe; they are checked as pages of their own.
 */
const always: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };

/** Sentences. @param withoutRules that do not apply to the page; none of those about colours */
export const findings = async (page: Page, withoutRules: readonly string[] = []): Promise<readonly string[]> => {
  const all: RunOptions = { rules: Object.fromEntries(withoutRules.map((rule) => [rule, { enabled: false }])) };
  const ofColours: RunOptions = { runOnly: { type: 'rule', values: rulesOfColours } };
  const found: string[] = [];
  await page.evaluate(axe);
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await twoFrames(page);
    await untilStill(page);
    const violations = await violationsOf(page, colorScheme === 'dark' ? ofColours : all);
    const words = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    found.push(...words.map((word) => `${colorScheme}, ${viewport.width} px: ${word}`));
  }
  return found;
};

/** How many pixels of the page are outside a screen of 360. */
export const overflowAt360 = async (page: Page): Promise<number> => {
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = (): number => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  // An open menu follows its button some frames after the width has changed. What is too wide stays so.
  await page.waitForFunction(overflowEnded).catch(() => undefined);
  return page.evaluate(overflow);
};

/** Runs in the page. */
const overflowEnded = (): boolean => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

/**
 * axe examines the page without the focus guards that Base UI puts at both ends of an open menu or dialog. They are
 * hidden from assistive technology and can be focused by design; axe accepts that only where its samples of the window
 * find a modal backdrop, and the backdrop of a menu has a gap at the menu's button.
 */
const examined = { exclude: ['[data-base-ui-focus-guard]'] };

const violationsOf = (page: Page, rules: RunOptions): Promise<readonly Result[]> =>
  page.evaluate<readonly Result[]>(
    `axe.run(${JSON.stringify(examined)}, ${JSON.stringify({ ...always, ...rules })}).then(({ violations }) => violations)`,
  );

/** Resolves when the page has been rendered with all earlier changes. */
export const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Resolves when nothing moves any more. Finishes each animation; that may start others. */
export const untilStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (;;) {
      // An animation with a fill mode remains in the list after its end.
      const moving = document.getAnimations().filter(({ playState }) => playState !== 'finished');
      if (moving.length === 0) return;
      for (const animation of moving) animation.finish();
      await new Promise((done) => requestAnimationFrame(done));
    }
  });

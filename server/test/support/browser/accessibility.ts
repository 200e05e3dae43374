/**
 * Accessibility problems of a page: the findings of axe at either width, of all its rules in the first scheme and of
 * its colour rules in the other one, and cut off content. Uses axe itself, because its package for Playwright injects
 * it again for each check.
 */
import { readFileSync } from 'node:fs';
import type { Result, RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Sends axe to the pages of a context once, instead of once for each page that is examined: half a megabyte, which
 * takes as long as the examination. A page runs it when it is examined.
 */
export const announceAxe = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`globalThis.loadAxe = function () { ${axe} };`);

const loadAxe = async (page: Page): Promise<void> => {
  const isLoaded = await page.evaluate(`globalThis.loadAxe !== undefined && (globalThis.loadAxe(), true)`);
  if (isLoaded !== true) await page.evaluate(axe);
};

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly rules: 'all' | 'of colours';
}

const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

/** Neighbours differ in one setting: only a new width needs another layout. */
export const fourLooks: readonly Look[] = [
  { colorScheme: 'light', viewport: wide, rules: 'all' },
  { colorScheme: 'dark', viewport: wide, rules: 'of colours' },
  { colorScheme: 'dark', viewport: narrow, rules: 'of colours' },
  { colorScheme: 'light', viewport: narrow, rules: 'all' },
];

/** Either width and either scheme, in half of the time: each pair has a scheme at the width where the other has not. */
export const pairsOfLooks: readonly (readonly Look[])[] = [
  [
    { colorScheme: 'light', viewport: wide, rules: 'all' },
    { colorScheme: 'dark', viewport: narrow, rules: 'all' },
  ],
  [
    { colorScheme: 'dark', viewport: wide, rules: 'all' },
    { colorScheme: 'light', viewport: narrow, rules: 'all' },
  ],
];

/** The dark scheme is the same page in other colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Reports only violations. Stylesheets are not fetched again, for a rule about screen orientation. Frames contain mails
 * without scripts to answer axe; they are checked as pages of their own.
 */
const always: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };

/** Sentences. @param withoutRules that do not apply to the page; none of those about colours */
export const findings = async (
  page: Page,
  { withoutRules = [], looks = fourLooks }: { withoutRules?: readonly string[]; looks?: readonly Look[] } = {},
): Promise<readonly string[]> => {
  const all: RunOptions = { rules: Object.fromEntries(withoutRules.map((rule) => [rule, { enabled: false }])) };
  const ofColours: RunOptions = { runOnly: { type: 'rule', values: rulesOfColours } };
  const found: string[] = [];
  await loadAxe(page);
  for (const { colorScheme, viewport, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await twoFrames(page);
    await untilStill(page);
    const violations = await violationsOf(page, rules === 'all' ? all : ofColours);
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

/**
 * The accessibility problems of a page: the findings of axe in either width, of all its rules in the light scheme and
 * of those about colours in the dark one, and what is cut off. Axe itself, not its package for Playwright, which puts
 * it into the page anew for each look.
 */
import { readFileSync } from 'node:fs';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Next to each other stand two that differ in one thing: a page is laid out anew for a width only. */
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

/** The dark scheme is the same page in other colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Only what is wrong is asked for. Stylesheets are not fetched anew, for a rule about screens that turn. Frames hold
 * mails, which run no script to answer axe; they are looked at as pages of their own.
 */
const always: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };

/** In words. @param withoutRules that the page need not keep; none of those about colours */
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

/** How many pixels of the page lie beside a screen of 360. */
export const overflowAt360 = async (page: Page): Promise<number> => {
  await page.setViewportSize({ width: 360, height: 740 });
  // An open menu follows its button a frame after the width has changed.
  await twoFrames(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
};

const violationsOf = (page: Page, rules: RunOptions): Promise<readonly Result[]> =>
  page.evaluate<readonly Result[]>(
    `axe.run(document, ${JSON.stringify({ ...always, ...rules })}).then(({ violations }) => violations)`,
  );

/** Resolves when the page has been drawn with all earlier changes. */
export const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Resolves when nothing moves any more. Finishes each animation; that may start others. */
const untilStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (;;) {
      // What fills stays in the list when it has ended.
      const moving = document.getAnimations().filter(({ playState }) => playState !== 'finished');
      if (moving.length === 0) return;
      for (const animation of moving) animation.finish();
      await new Promise((done) => requestAnimationFrame(done));
    }
  });

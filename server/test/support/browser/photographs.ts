/** Photographs a state of a page in every look, on a stage of its own: no other state can change the picture. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { looks, pictureName, stateName, viewports } from '../../../../scripts/gallery/pictures.ts';
import { twoFrames, untilStill } from './accessibility.ts';
import { openStageIn, signedInVisitor } from './browser.ts';
import type { Browsing } from './browsing.ts';
import { type ExaminedStage, openExaminedStage } from './examined-pages.ts';
import type { Audience } from './states/all-states.ts';
import type { Show } from './states/page-states.ts';
import { steadyDates, steadyTexts } from './steady-page.ts';
import type { Visitor } from './visitors.ts';

export interface Subject {
  readonly audience: Audience;
  readonly title: string;
  readonly show: Show;
}

interface Result {
  readonly folder: string;
  /** BCP 47 tag. */
  readonly language: string;
}

export const photograph = async (
  browsing: Browsing,
  { audience, title, show }: Subject,
  { folder, language }: Result,
): Promise<void> => {
  const examined = await openExaminedStage((settings) => openStageIn(browsing, settings));
  try {
    const visitor = await visitorOf(examined, audience);
    await steadyDates(visitor.context);
    const isQuiet = watchRequests(visitor.page);
    await show(visitor.page, examined.stage);
    await untilLoaded(visitor.page, isQuiet);
    await speak(visitor.page, language);
    await takePictures(visitor.page, join(folder, stateName(audience, title)));
    // Before its service, whose end would be an error in its console.
    await visitor.context.close();
  } finally {
    await examined.stage.close();
  }
};

const visitorOf = async ({ stage, email, superAdmin }: ExaminedStage, audience: Audience): Promise<Visitor> => {
  if (audience === 'visitor') return stage.newVisitor();
  const visitor = await signedInVisitor(stage, audience === 'person' ? email : superAdmin);
  // The first use of a session is written some time later: here before any page can show it, in each run.
  const headers = { origin: new URL(stage.service.portalUrl).origin };
  await visitor.context.request.post(`${stage.service.url}/graphql`, { headers, data: { query: '{ me { id } }' } });
  await stage.service.flush();
  return visitor;
};

/** @returns whether every request that the page has made is answered */
const watchRequests = (page: Page): (() => boolean) => {
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  const end = (request: Request): boolean => open.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => open.size === 0;
};

/** A state awaits its words; what comes after them, such as the drawing beside a form, is awaited here. */
const untilLoaded = async (page: Page, isQuiet: () => boolean): Promise<void> => {
  await page.waitForLoadState('networkidle');
  for (let quiet = 0; quiet < 3; quiet = isQuiet() ? quiet + 1 : 0) await twoFrames(page);
};

/**
 * The page as it is, in another language: the states find their buttons by English words, so the language is chosen
 * afterwards. A page without a choice of the language, such as a mail, stays as it is.
 */
export const speak = async (page: Page, language: string): Promise<void> => {
  if (language === 'en') return;
  const hasChanged = await page.evaluate((tag) => {
    const select = document.querySelector('footer select');
    if (!(select instanceof HTMLSelectElement)) return false;
    if (!Array.from(select.options, ({ value }) => value).includes(tag)) select.add(new Option(tag, tag));
    select.value = tag;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }, language);
  if (hasChanged) await page.waitForFunction((tag) => document.documentElement.lang === tag, language);
};

/** @param place path of the pictures without their looks */
const takePictures = async (page: Page, place: string): Promise<void> => {
  await mkdir(dirname(place), { recursive: true });
  // What lies under the pointer would be highlighted, and the layouts have different things there.
  await page.mouse.move(0, 0);
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.scheme });
    await page.setViewportSize(viewports[look.width]);
    // A click scrolls to its button, and how far depends on how much of the page was there.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await steadyTexts(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await twoFrames(page);
    await untilStill(page);
    await page.screenshot({ path: pictureName(place, look), fullPage: true, animations: 'disabled', caret: 'hide' });
  }
};

/** The languages of the portal in tests: switching, text that is no message, and boxes that are too narrow. */
import type { Page, Response } from 'playwright-core';
import { twoFrames } from './accessibility.ts';
import type { Visitor } from './browser.ts';

/** Shows the page as it is in another language, also in one that the portal does not offer. */
export const switchTo = async (page: Page, language: string): Promise<void> => {
  await page.evaluate((tag) => {
    const select = document.querySelector('footer select');
    if (!(select instanceof HTMLSelectElement)) throw new Error('The page has no choice of the language.');
    if (!Array.from(select.options, ({ value }) => value).includes(tag)) select.add(new Option(tag, tag));
    select.value = tag;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, language);
  await page.waitForFunction((tag) => document.documentElement.lang === tag, language);
  await page.waitForFunction(() => document.querySelector('footer select[aria-busy]') === null);
  await twoFrames(page);
};

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** Every text that the API sends to a visitor: names, addresses and the like, which no translation touches. */
export const collectData = ({ context }: Visitor): (() => Promise<ReadonlySet<string>>) => {
  const answers: Promise<readonly string[]>[] = [];
  context.on('response', (response: Response) => {
    if (new URL(response.url()).pathname !== '/graphql') return;
    answers.push(response.json().then(stringsIn, () => []));
  });
  return async () => new Set((await Promise.all(answers)).flat().filter((text) => text.length > 1));
};

/** Names that are the same in every language: of this service, of programs and of systems. */
const properNames = [
  ...['Gatehouse', 'Google', 'Headless Chrome', 'Chrome', 'Linux', 'curl', 'node', 'Unknown'],
  ...['Deutsch', 'English', 'Français', 'Español', 'Português'],
];

interface ShownText {
  readonly text: string;
  readonly where: string;
}

/** Visible text and accessible names, without code, typed values, and the names of the languages. */
const shownTexts = (page: Page): Promise<readonly ShownText[]> =>
  page.evaluate(() => {
    const skipped = 'code, pre, kbd, script, style, noscript, option, iframe, [data-snippet]';
    const attributes = ['aria-label', 'title', 'placeholder', 'alt'];
    const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    const found: { text: string; where: string }[] = [{ text: document.title, where: 'title' }];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || element.closest(skipped) !== null || !isVisible(element)) continue;
      found.push({ text: node.textContent ?? '', where: element.outerHTML.slice(0, 160) });
    }
    for (const element of document.body.querySelectorAll(attributes.map((name) => `[${name}]`).join())) {
      if (element.closest(skipped) !== null || !isVisible(element)) continue;
      for (const name of attributes) {
        found.push({ text: element.getAttribute(name) ?? '', where: `${name} of ${element.outerHTML.slice(0, 120)}` });
      }
    }
    return found;
  });

const address = /[\w.+-]+@[\w.-]+|https?:\/\/\S+|[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** An English word: the letters of the pseudo-language are no ASCII letters. */
const word = /[A-Za-z]{3,}/;

/** @param data texts of the API @returns texts of the page that are no messages, each with its element */
export const untranslated = async (page: Page, data: ReadonlySet<string>): Promise<readonly string[]> => {
  const known = [...data, ...properNames].sort((left, right) => right.length - left.length);
  return (await shownTexts(page)).flatMap(({ text, where }) => {
    const rest = known.reduce((left, name) => left.replaceAll(name, ' '), text.replace(address, ' '));
    return word.test(rest) ? [`${rest.trim()} (${where})`] : [];
  });
};

/** How many pixels of the page are outside a screen of this width. */
export const overflowAt = async (page: Page, width: number): Promise<number> => {
  await page.setViewportSize({ width, height: 800 });
  await twoFrames(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
};

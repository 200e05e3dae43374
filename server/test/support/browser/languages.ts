/** The languages of the portal in tests: switching, text that is no message, and boxes that are too narrow. */
import type { Page, Response } from 'playwright-core';
import { twoFrames } from './accessibility.ts';

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

/** Details of an audit are JSON in a text. */
const stringsInText = (text: string): readonly string[] => {
  try {
    return text.startsWith('{') ? [text, ...stringsIn(JSON.parse(text))] : [text];
  } catch {
    return [text];
  }
};

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return stringsInText(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/**
 * Every text that the API sends to a page from now on: names, addresses and the like, which no translation touches.
 * @returns the texts so far, and ends the collection
 */
export const collectData = (page: Page): (() => Promise<ReadonlySet<string>>) => {
  const answers: Promise<readonly string[]>[] = [];
  const collect = (response: Response): void => {
    if (new URL(response.url()).pathname !== '/graphql') return;
    answers.push(response.json().then(stringsIn, () => []));
  };
  page.on('response', collect);
  return async () => {
    page.off('response', collect);
    return new Set((await Promise.all(answers)).flat().filter((text) => text.length > 1));
  };
};

/** Names that are the same in every language: of this service, of programs and of systems. */
const properNames =
  'Gatehouse|Google|Headless Chrome|Chrome|Linux|curl|node|UTC|Deutsch|English|Français|Español|Português'.split('|');

interface ShownText {
  readonly text: string;
  readonly where: string;
}

/** Code and the like, typed values, and the names of the languages. */
const skipped = 'code, pre, kbd, script, style, noscript, option, iframe';
const attributes = ['aria-label', 'title', 'placeholder', 'alt'];

const isExamined = `((element) => element?.checkVisibility({ visibilityProperty: true })
  && element.closest(${JSON.stringify(skipped)}) === null)`;

/** Visible text nodes, each with its element. */
const visibleTexts = (page: Page): Promise<readonly ShownText[]> =>
  page.evaluate<readonly ShownText[]>(`(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!${isExamined}(node.parentElement)) continue;
      found.push({ text: node.textContent, where: node.parentElement.outerHTML.slice(0, 160) });
    }
    return found;
  })()`);

/** Texts of attributes that people read or hear, each with its element, and the title of the document. */
const namingTexts = (page: Page): Promise<readonly ShownText[]> =>
  page.evaluate<readonly ShownText[]>(`[
    { text: document.title, where: 'title' },
    ...${JSON.stringify(attributes)}.flatMap((name) =>
      [...document.body.querySelectorAll('[' + name + ']')].filter(${isExamined}).map((element) =>
        ({ text: element.getAttribute(name), where: name + ' of ' + element.outerHTML.slice(0, 120) }))),
  ]`);

const shownTexts = async (page: Page): Promise<readonly ShownText[]> => [
  ...(await visibleTexts(page)),
  ...(await namingTexts(page)),
];

const address = /[\w.+-]+@[\w.-]+|\w+:\/\/\S+|[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** An English word: the letters of the pseudo-language are no ASCII letters. */
const word = /[A-Za-z]{3,}/;

/** What a person typed, into a field or the address. */
const typedTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => [
    ...Array.from(document.querySelectorAll('input'), ({ value }) => value).filter((value) => value !== ''),
    ...new URL(window.location.href).searchParams.values(),
  ]);

/** @param data texts of the API @returns texts of the page that are no messages, each with its element */
export const untranslated = async (page: Page, data: ReadonlySet<string>): Promise<readonly string[]> => {
  const known = [...data, ...(await typedTexts(page)), ...properNames].sort(
    (left, right) => right.length - left.length,
  );
  return (await shownTexts(page)).flatMap(({ text, where }) => {
    const rest = known.reduce((left, name) => left.replaceAll(name, ' '), text.replace(address, ' '));
    return word.test(rest) ? [`${rest.trim()} (${where})`] : [];
  });
};

/**
 * How many pixels of the page are outside a screen of this width: an open menu follows its button some frames later.
 */
export const overflowAt = async (page: Page, width: number): Promise<number> => {
  await page.setViewportSize({ width, height: 800 });
  await twoFrames(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
};

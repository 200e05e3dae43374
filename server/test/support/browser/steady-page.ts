/**
 * A page that looks the same in every run: dates, addresses, ids and ports that differ from run to run are replaced
 * where they are shown. The clocks of the browser and of the service stay as they are, because sessions depend on both.
 */
import type { BrowserContext, Frame, Page } from 'playwright-core';

/** The instant that pictures show in place of now. */
const shownNow = Date.UTC(2027, 0, 15, 10, 20);

/** How the server writes instants into mails and the mailbox, and `shownNow` in each form. */
const datesOfServer = [
  { from: '\\d{1,2} [A-Z][a-z]+ 20\\d\\d at \\d\\d:\\d\\d', to: '15 January 2027 at 10:20' },
  { from: '20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d', to: '2027-01-15 10:20:00' },
];

const replacements = [
  { from: '(?:127\\.0\\.0\\.1|localhost):\\d{4,5}', to: 'gatehouse.example' },
  { from: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', to: '01890a5d-ac96-774b-bcce-b302099a8057' },
  { from: '\\b[0-9a-f]{64}\\b', to: '0'.repeat(64) },
  // A link that holds the address of the service, encoded.
  { from: 'eyJ[\\w=%-]{20,}', to: btoa('{"url":"http://gatehouse.example/mcp"}') },
];

/**
 * Dates that pages format from here on: an instant near now is shown as far from `shownNow` as it is from now, in steps
 * of five minutes, a whole hour as a whole hour, and the beginning of a day as the beginning of a day. Instants of the
 * states themselves are far from now, and stay.
 */
export const steadyDates = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((shown) => {
    const [step, hour, day] = [300_000, 3_600_000, 86_400_000];
    const near = 40 * day;
    const startOf = (unit: number, instant: number): number => Math.floor(instant / unit) * unit;
    const moved = (unit: number, instant: number, now: number): number =>
      instant - startOf(unit, now) + startOf(unit, shown);
    const steady = (at: Date | number | undefined): number => {
      const now = Date.now();
      const instant = at === undefined ? now : Number(at);
      if (Math.abs(instant - now) > near) return instant;
      if (instant % day === 0 && instant <= now) return moved(day, instant, now);
      if (instant % hour === 0) return moved(hour, instant, now);
      return shown + Math.round((instant - now) / step) * step;
    };
    const { prototype } = Intl.DateTimeFormat;
    const original = Object.getOwnPropertyDescriptor(prototype, 'format');
    Object.defineProperty(prototype, 'format', {
      configurable: true,
      get(this: Intl.DateTimeFormat) {
        const format = original?.get?.call(this) as (at: number) => string;
        return (at?: Date | number) => format(steady(at));
      },
    });
  }, shownNow);

/** Replaces what differs in the texts and fields that the page and its frames show now. */
export const steadyTexts = async (page: Page): Promise<void> => {
  const isOfServer = page.url() === 'about:blank' || page.url().includes('/dev/mailbox');
  const rules = isOfServer ? [...replacements, ...datesOfServer] : replacements;
  for (const frame of page.frames()) await replaceIn(frame, rules);
};

const replaceIn = (frame: Frame, rules: readonly { readonly from: string; readonly to: string }[]): Promise<void> =>
  frame.evaluate((given) => {
    const people = new Map<string, string>();
    /** Each person of the tests has a random address: they are numbered in the order of the page. */
    const numbered = (person: string): string => {
      const name = people.get(person) ?? `person-${people.size + 1}`;
      people.set(person, name);
      return name;
    };
    const steady = (text: string): string =>
      given.reduce(
        (left, { from, to }) => left.replace(new RegExp(from, 'g'), to),
        text.replace(/person-\d+-\d+-\w+/g, numbered),
      );
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      if (steady(text) !== text) node.nodeValue = steady(text);
    }
    for (const field of document.querySelectorAll('input, textarea')) {
      const { value } = field as HTMLInputElement;
      if (steady(value) !== value) (field as HTMLInputElement).value = steady(value);
    }
  }, rules);

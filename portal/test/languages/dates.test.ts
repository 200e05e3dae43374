/** Dates in the language of the page and the time zone of the browser. */
import { describe, expect, it } from 'vitest';
import { dateFormatter } from '../../src/components/dates.tsx';
import { formattingLocale } from '../../src/languages/preference.ts';

const instant = '2026-02-03T23:30:00.000Z';
const form = { dateStyle: 'medium', timeStyle: 'short' } as const;

describe('a date', () => {
  // Contract: operation#dates-and-pasted-links — Dates in the portal are written in the browser's languages
  it.each([
    { language: 'en', accepted: ['en-GB'], date: '3 Feb 2026, 23:30' },
    { language: 'en', accepted: ['en-US'], date: 'Feb 3, 2026, 11:30 PM' },
    { language: 'de', accepted: ['de-CH', 'en'], date: '03.02.2026, 23:30' },
    { language: 'de', accepted: ['en-GB', 'fr'], date: '03.02.2026, 23:30' },
    { language: 'fr', accepted: ['fr', 'en'], date: '3 févr. 2026, 23:30' },
    { language: 'ja', accepted: ['ja-JP', 'en'], date: '2026/02/03 23:30' },
  ] as const)('is formatted in $language for $accepted', ({ language, accepted, date }) => {
    const locale = formattingLocale(language, accepted);
    // A narrow no-break space separates time and day period.
    expect(dateFormatter(locale, 'UTC')(instant, form).replaceAll(/\s/gu, ' ')).toBe(date);
  });

  it('has the digits and the calendar of the texts in Arabic', () => {
    expect(formattingLocale('ar', ['ar-SA'])).toBe('ar-SA-u-ca-gregory-nu-latn');
    expect(dateFormatter(formattingLocale('ar', ['ar-SA']), 'UTC')(instant, { dateStyle: 'short' })).toMatch(/2026/);
  });

  it('is in the time zone of the browser', () => {
    expect(dateFormatter('en-GB', 'Asia/Tokyo')(instant, form)).toBe('4 Feb 2026, 08:30');
  });

  it('passes over values that are not language tags, such as a POSIX locale', () => {
    expect(formattingLocale('de', ['de_DE@posix', 'de-', 'de-AT'])).toBe('de-AT');
    expect(formattingLocale('en', [])).toBe('en');
  });
});

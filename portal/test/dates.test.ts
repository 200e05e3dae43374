/** Dates in the browser's own languages and time zone. */
import { describe, expect, it } from 'vitest';
import { dateWriter } from '../src/components/dates.tsx';

const instant = '2026-02-03T23:30:00.000Z';
const form = { dateStyle: 'medium', timeStyle: 'short' } as const;

describe('a date', () => {
  // Specification: Many processes and starts — Dates in the portal are written in the browser's languages
  it.each([
    { languages: ['en-GB'], date: '3 Feb 2026, 23:30' },
    { languages: ['en-US'], date: 'Feb 3, 2026, 11:30 PM' },
    { languages: ['de-CH', 'en'], date: '03.02.2026, 23:30' },
    { languages: ['fr', 'en'], date: '3 févr. 2026, 23:30' },
  ])('stands as people write it who read $languages', ({ languages, date }) => {
    // Between time and day period stands a narrow space.
    expect(dateWriter(languages, 'UTC')(instant, form).replaceAll(/\s/gu, ' ')).toBe(date);
  });

  it('stands in the time zone of the browser', () => {
    expect(dateWriter(['en-GB'], 'Asia/Tokyo')(instant, form)).toBe('4 Feb 2026, 08:30');
  });

  it('passes over what is no language, such as a locale of the system', () => {
    expect(dateWriter(['C', 'en-US@posix', 'xx-', 'de'], 'UTC')(instant, { dateStyle: 'short' })).toBe('03.02.26');
    expect(dateWriter([], 'UTC')(instant, { dateStyle: 'short' })).toMatch(/26/);
  });
});

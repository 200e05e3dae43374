/** Dates in the browser's own languages and time zone. */
import { describe, expect, it } from 'vitest';
import { dateFormatter } from '../src/components/dates.tsx';

const instant = '2026-02-03T23:30:00.000Z';
const form = { dateStyle: 'medium', timeStyle: 'short' } as const;

describe('a date', () => {
  // Specification: Many processes and starts — Dates in the portal are written in the browser's languages
  it.each([
    { languages: ['en-GB'], date: '3 Feb 2026, 23:30' },
    { languages: ['en-US'], date: 'Feb 3, 2026, 11:30 PM' },
    { languages: ['de-CH', 'en'], date: '03.02.2026, 23:30' },
    { languages: ['fr', 'en'], date: '3 févr. 2026, 23:30' },
  ])('is formatted for $languages', ({ languages, date }) => {
    // A narrow no-break space separates time and day period.
    expect(dateFormatter(languages, 'UTC')(instant, form).replaceAll(/\s/gu, ' ')).toBe(date);
  });

  it('is in the time zone of the browser', () => {
    expect(dateFormatter(['en-GB'], 'Asia/Tokyo')(instant, form)).toBe('4 Feb 2026, 08:30');
  });

  it('ignores values that are not language tags, such as a POSIX locale', () => {
    expect(dateFormatter(['C', 'en-US@posix', 'xx-', 'de'], 'UTC')(instant, { dateStyle: 'short' })).toBe('03.02.26');
    expect(dateFormatter([], 'UTC')(instant, { dateStyle: 'short' })).toMatch(/26/);
  });
});

/** Dates and times in the languages and the time zone of this browser. */
import type { ReactNode } from 'react';
import type { useFormatter } from 'use-intl';

/** Dates as the person at this browser writes them: in the languages that it asks for, in its time zone. */

type DateForm = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

/**
 * @param languages what the browser asks for, the most wanted first; what is no language is passed over
 * @param timeZone that of the browser where it is left out
 * @returns writes an instant, as the service or `Date` has it, in the given form
 */
export const dateWriter = (
  languages: readonly string[],
  timeZone?: string,
): ((at: string | Date, form: DateForm) => string) => {
  const locales = languages.filter(isLanguage);
  return (at, form) => new Intl.DateTimeFormat(locales, { ...form, timeZone }).format(new Date(at));
};

/** Some browsers name a locale of the system, such as `en-US@posix` or `C`, which is none of BCP 47. */
const isLanguage = (language: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
};

/** Reads the browser's languages each time, for they can change while the page is open. */
export const formatDate = (at: string | Date, form: DateForm): string => dateWriter(navigator.languages)(at, form);

export const sinceWhen = (seen: Date, now: Date, format: ReturnType<typeof useFormatter>, justNow: string): string =>
  now.getTime() - seen.getTime() < 90_000 ? justNow : format.relativeTime(seen, now);

interface InstantProps {
  /** As the service writes it. */
  readonly at: string;
  readonly children: ReactNode;
}

export const Instant = ({ at, children }: InstantProps) => (
  <time dateTime={at} title={formatDate(at, { dateStyle: 'long', timeStyle: 'medium' })}>
    {children}
  </time>
);

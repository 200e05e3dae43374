/** Dates and times in the languages and the time zone of this browser. */
import type { ReactNode } from 'react';

type DateStyles = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

/**
 * @param languages accepted languages, most preferred first; values that are not BCP 47 tags are skipped
 * @param timeZone the browser's own when omitted
 * @returns formats an instant, an ISO 8601 string or a `Date`, in the given styles
 */
export const dateFormatter = (
  languages: readonly string[],
  timeZone?: string,
): ((at: string | Date, form: DateStyles) => string) => {
  const locales = languages.filter(isLanguage);
  return (at, form) => new Intl.DateTimeFormat(locales, { ...form, timeZone }).format(new Date(at));
};

/** Some browsers report a POSIX locale such as `en-US@posix` or `C`, which is not a BCP 47 tag. */
const isLanguage = (language: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
};

/** Reads `navigator.languages` on each call, because they can change while the page is open. */
export const formatDate = (at: string | Date, form: DateStyles): string => dateFormatter(navigator.languages)(at, form);

interface InstantProps {
  /** ISO 8601, as the service returns it. */
  readonly at: string;
  readonly children: ReactNode;
}

export const Instant = ({ at, children }: InstantProps) => (
  <time dateTime={at} title={formatDate(at, { dateStyle: 'long', timeStyle: 'medium' })}>
    {children}
  </time>
);

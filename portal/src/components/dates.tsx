/** Dates and times in the language of the page and the time zone of this browser. */
import type { ReactNode } from 'react';
import { catalogue } from '../languages/catalogue.ts';

type DateStyles = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

/**
 * @param locale a BCP 47 tag
 * @param timeZone the browser's own when omitted
 * @returns formats an instant, an ISO 8601 string or a `Date`, in the given styles
 * @internal A test covers the cases that no request reaches.
 */
export const dateFormatter =
  (locale: string, timeZone?: string): ((at: string | Date, form: DateStyles) => string) =>
  (at, form) =>
    new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(new Date(at));

/**
 * By language and styles. To make one costs more than to use it a hundred times, and a table shows three in each row.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/** In the language that is shown, and the region of it that the browser prefers. */
export const formatDate = (at: string | Date, form: DateStyles): string => {
  const { locale } = catalogue().shown();
  const key = `${locale} ${form.dateStyle} ${form.timeStyle}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, form);
  formats.set(key, format);
  return format.format(new Date(at));
};

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

/** Dates and times in the language of the page and the time zone of this browser. */
import type { ReactNode } from 'react';
import { catalogue } from '../languages/catalogue.ts';

type DateStyles = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

/**
 * @param locale a BCP 47 tag
 * @param timeZone the browser's own when omitted
 * @returns formats an instant, an ISO 8601 string or a `Date`, in the given styles
 */
export const dateFormatter =
  (locale: string, timeZone?: string): ((at: string | Date, form: DateStyles) => string) =>
  (at, form) =>
    new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(new Date(at));

/** In the language that is shown, and the region of it that the browser prefers. */
export const formatDate = (at: string | Date, form: DateStyles): string =>
  dateFormatter(catalogue().shown().locale)(at, form);

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

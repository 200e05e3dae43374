/** A field for a local time, and its conversion to the instant in the URL. */
import { useEffect, useState } from 'react';
import { Field } from '../forms/field.tsx';

interface TimeFieldProps {
  readonly label: string;
  readonly instant: string | undefined;
  readonly onChange: (instant: string | undefined) => void;
}

/** A local time; the URL has the instant. Applied once it is complete. */
export const TimeField = ({ label, instant, onChange }: TimeFieldProps) => {
  const [text, setText] = useState(toLocalTime(instant));
  useEffect(() => setText(toLocalTime(instant)), [instant]);
  return (
    <Field
      type="datetime-local"
      label={label}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        const next = fromLocalTime(event.target.value);
        if (next !== undefined || event.target.value === '') onChange(next);
      }}
    />
  );
};

/**
 * Value of a `datetime-local` input: local, to the minute, without a zone. Empty for no instant.
 * @internal A test covers the cases that no request reaches.
 */
export const toLocalTime = (instant: string | undefined): string => {
  if (instant === undefined) return '';
  const moment = new Date(instant);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
};

/**
 * Undefined for an incomplete time, or a year outside 2000 to 9998.
 * @internal A test covers the cases that no request reaches.
 */
export const fromLocalTime = (text: string): string | undefined => {
  const moment = new Date(text);
  if (text === '' || Number.isNaN(moment.getTime())) return undefined;
  const year = moment.getFullYear();
  return year < 2000 || year > 9998 ? undefined : moment.toISOString();
};

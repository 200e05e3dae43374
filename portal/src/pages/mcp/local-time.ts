/** Instants as fields for a date and a time have them: local, to the minute, without a zone. */

/** Empty for no instant. */
export const toLocalTime = (instant: string | undefined): string => {
  if (instant === undefined) return '';
  const moment = new Date(instant);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
};

/** Undefined for a time that is not complete, or lies beyond the years that people mean. */
export const fromLocalTime = (text: string): string | undefined => {
  const moment = new Date(text);
  if (text === '' || Number.isNaN(moment.getTime())) return undefined;
  const year = moment.getFullYear();
  return year < 2000 || year > 9998 ? undefined : moment.toISOString();
};

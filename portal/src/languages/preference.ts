/** Which language the portal begins with: `?lang`, the remembered choice, the browser's languages, English. */
import { allLanguages, type Language, offeredLanguages, sourceLanguage, traitsOf } from './languages.ts';

interface Wishes {
  /** The parameter `lang` of the address. */
  readonly asked: string | null;
  /** The choice that this browser remembers. */
  readonly remembered: string | null;
  /** `navigator.languages`, most preferred first. */
  readonly accepted: readonly string[];
}

/** The language itself, without region and script: `pt` of `pt-BR` and of the POSIX form `pt_BR.UTF-8`. */
const baseOf = (tag: string): string => tag.toLowerCase().split(/[-_.@]/)[0] ?? '';

/** @returns the language of a tag, whole or of its base; undefined when there is none */
const matching = (tag: string | null, among: readonly Language[]): Language | undefined => {
  if (tag === null) return undefined;
  const wanted = tag.toLowerCase();
  return (
    among.find((language) => language.toLowerCase() === wanted) ??
    among.find((language) => language.toLowerCase() === baseOf(tag))
  );
};

/** A wish for a language that does not exist is passed over. */
export const chooseLanguage = ({ asked, remembered, accepted }: Wishes): Language => {
  const byBrowser = accepted.map((tag) => matching(tag, offeredLanguages)).find((language) => language !== undefined);
  return matching(asked, allLanguages) ?? matching(remembered, allLanguages) ?? byBrowser ?? sourceLanguage;
};

/** Some browsers report a POSIX locale such as `en-US@posix`, which is not a BCP 47 tag. */
const isTag = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
};

/**
 * The locale of dates and numbers: that of the first accepted region of the language, so that `en-GB` keeps its dates.
 * Arabic has the digits and the calendar of the codes and dates in the texts. The pseudo-language has Japanese dates,
 * which no English text can be mistaken for.
 */
export const formattingLocale = (language: Language, accepted: readonly string[]): string => {
  if (traitsOf(language).isPseudo) return 'ja';
  const tag = accepted.find((wanted) => baseOf(wanted) === language && isTag(wanted)) ?? language;
  if (traitsOf(language).direction === 'ltr') return tag;
  return new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString();
};

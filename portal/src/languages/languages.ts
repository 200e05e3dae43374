/** The languages of the portal: the one list that the build, the choice, the switcher and the tests read. */

interface LanguageFacts {
  /** Its name in itself, for the switcher. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** A language of tests: only `?lang` chooses it, and the switcher leaves it out. */
  readonly isPseudo?: true;
}

/** By BCP 47 tag. A language is listed when every message is translated (`test/translations.test.ts`). */
const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  /** English with accents, brackets and longer texts: shows text that is no message, and boxes that are too narrow. */
  'en-XA': { name: 'Pseudo', direction: 'ltr', isPseudo: true },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

export type Language = keyof typeof languages;

export const sourceLanguage: Language = 'en';

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

export const allLanguages: readonly Language[] = Object.keys(languages).filter(isLanguage);

export const factsOf = (language: Language): LanguageFacts => languages[language];

/** Languages that people can choose. */
export const offeredLanguages: readonly Language[] = allLanguages.filter((language) => !factsOf(language).isPseudo);

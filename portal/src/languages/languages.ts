/**
 * The languages of the portal: those of the service, and one of tests. The build, the choice and the switcher read
 * them.
 */
import { languageTraits, type Language as Spoken, languages as spoken } from '../../../server/src/kernel/languages.ts';

interface LanguageTraits {
  /** Its name in itself, for the switcher. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** A language of tests: only `?lang` chooses it, and the switcher leaves it out. */
  readonly isPseudo?: true;
}

/** English with accents, brackets and longer texts: shows text that is no message, and boxes that are too narrow. */
const pseudo = 'en-XA';
const pseudoTraits: LanguageTraits = { name: 'Pseudo', direction: 'ltr', isPseudo: true };

/** By BCP 47 tag. A language is listed when every message is translated (`test/translations.test.ts`). */
export type Language = Spoken | typeof pseudo;

export const sourceLanguage: Language = 'en';

export const allLanguages: readonly Language[] = [...spoken, pseudo];

export const traitsOf = (language: Language): LanguageTraits =>
  language === pseudo ? pseudoTraits : languageTraits(language);

/** In the language itself. A language leaves this list when a speaker has read its texts. */
const machineTranslated: Partial<Record<Language, string>> = {
  de: 'maschinell übersetzt',
  es: 'traducción automática',
  fr: 'traduction automatique',
  pt: 'tradução automática',
  ja: '機械翻訳',
  ar: 'ترجمة آلية',
};

/** The name of a language in itself, and whether its texts are a machine's. */
export const labelOf = (language: Language): string => {
  const { name } = traitsOf(language);
  const note = machineTranslated[language];
  return note === undefined ? name : `${name} (${note})`;
};

/** Languages that people can choose. */
export const offeredLanguages: readonly Language[] = allLanguages.filter((language) => !traitsOf(language).isPseudo);

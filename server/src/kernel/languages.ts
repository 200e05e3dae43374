/** The languages that people are spoken to in, and which of them a person asks for. */

interface LanguageTraits {
  /** Its name in itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** The locale of dates and numbers: Latin digits and the Gregorian calendar, as the texts have them. */
  readonly locale: string;
}

/** By BCP 47 tag. */
const facts = {
  en: { name: 'English', direction: 'ltr', locale: 'en-GB' },
  de: { name: 'Deutsch', direction: 'ltr', locale: 'de' },
  es: { name: 'Español', direction: 'ltr', locale: 'es' },
  fr: { name: 'Français', direction: 'ltr', locale: 'fr' },
  pt: { name: 'Português', direction: 'ltr', locale: 'pt' },
  ja: { name: '日本語', direction: 'ltr', locale: 'ja' },
  ar: { name: 'العربية', direction: 'rtl', locale: 'ar-u-ca-gregory-nu-latn' },
} as const satisfies Readonly<Record<string, LanguageTraits>>;

export type Language = keyof typeof facts;

/** The language of a person who asks for none that exists. */
export const sourceLanguage: Language = 'en';

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(facts, tag);

export const languages: readonly Language[] = Object.keys(facts).filter(isLanguage);

export const languageTraits = (language: Language): LanguageTraits => facts[language];

/** The longest tag and header that are read. */
const [longestTag, longestHeader] = [100, 2000];

/**
 * The language of a tag or language range (RFC 4647, section 3.4, lookup): `pt-BR` and `pt-Latn-BR` are `pt`.
 * @param tag any text, such as the parameter `lang` of an address
 * @returns null when there is none
 */
export const languageOf = (tag: string): Language | null => {
  if (tag.length > longestTag) return null;
  const subtags = tag.trim().toLowerCase().split('-');
  while (subtags.length > 0) {
    const shorter = subtags.join('-');
    if (isLanguage(shorter)) return shorter;
    subtags.pop();
  }
  return null;
};

/** A quality value of RFC 9110 section 12.4.2. */
const quality = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

interface AcceptedRange {
  readonly range: string;
  /** From 0, which is not acceptable, to 1. */
  readonly weight: number;
}

/** @returns null for a part that is malformed, which is passed over */
const acceptedRange = (part: string): AcceptedRange | null => {
  const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
  const [parameter] = parameters;
  if (parameters.length > 1 || range === '') return null;
  if (parameter === undefined) return { range, weight: 1 };
  const [name, value = ''] = parameter.split('=').map((text) => text.trim());
  return name?.toLowerCase() === 'q' && quality.test(value) ? { range, weight: Number(value) } : null;
};

/**
 * The language that a request prefers among those that exist; null when it names none of them.
 * @param header Accept-Language (RFC 9110, section 12.5.4), as it was sent
 */
export const acceptedLanguage = (header: string | undefined): Language | null => {
  if (header === undefined || header.length > longestHeader) return null;
  const ranges = header.split(',').flatMap((part) => acceptedRange(part) ?? []);
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ range }) => range.toLowerCase()));
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  for (const { range } of wanted) {
    const language = languageOf(range);
    if (language !== null && !refused.has(language)) return language;
  }
  return null;
};

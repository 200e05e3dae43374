/** Fills in the texts of pages, as HTML. The texts of a language and the formatter are loaded with its first page. */
import type { IntlMessageFormat } from 'intl-messageformat';
import { type Language, languageTraits } from '../../kernel/languages.ts';
import { escapeHtml, escapeSigns } from '../../platform/mail/message.ts';
import {
  type PageKey,
  type PagePart,
  type PageTexts,
  type PageValues,
  type ValuesOfText,
  valuesOfPageTexts,
} from './page-texts.ts';

/** Importers with a literal path each, which bundlers find. */
const loaders: Readonly<Record<Language, () => Promise<{ readonly default: PageTexts }>>> = {
  en: () => import('./texts/en.json', { with: { type: 'json' } }),
  de: () => import('./texts/de.json', { with: { type: 'json' } }),
  es: () => import('./texts/es.json', { with: { type: 'json' } }),
  fr: () => import('./texts/fr.json', { with: { type: 'json' } }),
  pt: () => import('./texts/pt.json', { with: { type: 'json' } }),
  ja: () => import('./texts/ja.json', { with: { type: 'json' } }),
  ar: () => import('./texts/ar.json', { with: { type: 'json' } }),
};

/** @internal A test runs it alone. */
export const loadPageTexts = async (language: Language): Promise<PageTexts> => (await loaders[language]()).default;

/** The words of pages in one language. */
export interface Words {
  readonly language: Language;
  /** A text as HTML, escaped with what it is filled in with. @param values by placeholder; of a link, its URL */
  readonly say: <Key extends PageKey, Part extends PagePart<Key>>(
    key: Key,
    part: Part,
    ...values: keyof PageValues<Key, Part> extends never ? [] : [PageValues<Key, Part>]
  ) => string;
}

export const wordsIn = async (language: Language): Promise<Words> => {
  const [texts, { IntlMessageFormat: Message }] = await Promise.all([
    loadPageTexts(language),
    import('intl-messageformat'),
  ]);
  return {
    language,
    say: (key, part, ...[values = {}]) => {
      const kinds = valuesOfPageTexts.get(`${key}.${part}`) ?? {};
      const message = new Message(String(texts[key][part]), languageTraits(language).locale);
      return formatted(message, filledIn(Object.entries(values), kinds, language));
    },
  };
};

/** A part of a text that is HTML already. */
class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Chunk = string | Html;
type Filled = Readonly<Record<string, Html | ((chunks: Chunk[]) => Html)>>;

/** What is no HTML yet is a part of the text itself, whose spaces count: a French one does not break before a colon. */
const joined = (chunks: readonly unknown[]): string =>
  chunks.map((chunk) => (chunk instanceof Html ? chunk.source : escapeSigns(String(chunk)))).join('');

const formatted = (message: IntlMessageFormat, values: Filled): string =>
  joined(message.formatToParts<Html>({ ...values }).map(({ value }): unknown => value)).trim();

const filledIn = (values: readonly (readonly [string, unknown])[], kinds: ValuesOfText, language: Language): Filled =>
  Object.fromEntries(
    values.map(([name, value]): [string, Filled[string]] => {
      const kind = kinds[name];
      if (kind === 'link') return [name, (chunks: Chunk[]) => linkTo(String(value), chunks)];
      if (kind === 'duration') return [name, new Html(escapeHtml(durationIn(language, Number(value))))];
      return [name, new Html(`<bdi>${escapeHtml(String(value))}</bdi>`)];
    }),
  );

const linkTo = (url: string, chunks: readonly Chunk[]): Html =>
  new Html(`<a href="${escapeHtml(url)}">${joined(chunks)}</a>`);

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Seconds in words, in the largest unit with a count of at least two. */
const durationIn = (language: Language, seconds: number): string => {
  const [unit, each] = units.find(([, size]) => seconds >= 2 * size) ?? (['second', 1] as const);
  const { locale } = languageTraits(language);
  const form = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  const words = form.format(Math.floor(seconds / each));
  // Japanese texts have no space between digits and letters.
  return language === 'ja' ? words.replaceAll(/\s/g, '') : words;
};

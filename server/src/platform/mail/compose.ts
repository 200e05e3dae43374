/**
 * Fills in a mail in a language: its ICU messages (`texts/`), or those by which the application replaces them. The
 * texts of a language and the formatter are loaded with the first mail that takes them.
 */
import type { IntlMessageFormat } from 'intl-messageformat';
import { getOrInsert } from '../../kernel/collections.ts';
import { type Language, languageTraits } from '../../kernel/languages.ts';
import { shownAddress } from '../../kernel/shown-address.ts';
import { type Mail, type MailTexts, mails, type ValueKind } from './mails.ts';
import { instantInWords, type MailContent, verbatim, verbatimMarks } from './message.ts';

/** Messages that the application replaces, by language and key (`passkeyAdded.subject`); checked at start. */
export type MailOverrides = { readonly [Tag in Language]?: Readonly<Record<string, string>> };

/** Importers with a literal path each, which bundlers find. */
const loaders: Readonly<Record<Language, () => Promise<{ readonly default: MailTexts }>>> = {
  en: () => import('./texts/en.json', { with: { type: 'json' } }),
  de: () => import('./texts/de.json', { with: { type: 'json' } }),
  es: () => import('./texts/es.json', { with: { type: 'json' } }),
  fr: () => import('./texts/fr.json', { with: { type: 'json' } }),
  pt: () => import('./texts/pt.json', { with: { type: 'json' } }),
  ja: () => import('./texts/ja.json', { with: { type: 'json' } }),
  ar: () => import('./texts/ar.json', { with: { type: 'json' } }),
};

/** An `import()` of a loaded module takes half as long as a mail. A failed one is not kept. */
const loaded = new Map<Language, MailTexts>();

/** @internal A test runs it alone. */
export const loadTexts = async (language: Language): Promise<MailTexts> => {
  const texts = loaded.get(language) ?? (await loaders[language]()).default;
  loaded.set(language, texts);
  return texts;
};

type Group = Readonly<Record<string, string>>;
type Shown = Readonly<Record<string, string | number>>;

/** Messages of one mail, or the shared ones, by the last part of their keys; compiled when they are first used. */
type Format = (group: string, texts: Group, part: string, values: Shown) => string;

export interface Composer {
  compose(mail: Mail, language: Language): Promise<MailContent>;
}

/** Isolates a value in a text of the other direction: its own direction decides its order (Unicode Annex 9). */
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Values are untrusted: one that breaks lines must not begin a paragraph, and none passes for a verbatim address. */
const inOneLine = (text: string): string => text.replaceAll(verbatimMarks, '').replaceAll(/\s+/g, ' ').trim();

/** Addresses of other forms could pass for the URL of a page. */
const plainAddress = /^(?!www\.)[\w.+-]+@[^@/]+$/;

const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}\u061c\u200e\u200f]/u;

/** In its own letters where these run as the text around it does. */
const addressInText = (email: string): string => {
  const own = shownAddress(email);
  const address = rightToLeft.test(own) ? email : own;
  return plainAddress.test(address) ? verbatim(address) : inOneLine(address);
};

export const createComposer = (overrides: MailOverrides = {}): Composer => {
  const compiled = new Map<string, IntlMessageFormat>();
  const formatIn = async (language: Language): Promise<Format> => {
    const { IntlMessageFormat: Message } = await import('intl-messageformat');
    return (group, texts, part, values) => {
      const key = `${group}.${part}`;
      const message = getOrInsert(compiled, `${language} ${key}`, () => {
        const text = overrides[language]?.[key] ?? texts[part] ?? '';
        return new Message(text, languageTraits(language).locale, undefined, { ignoreTag: true });
      });
      return String(message.format(values));
    };
  };
  return {
    async compose(mail, language) {
      return written(mail, language, await loadTexts(language), await formatIn(language));
    },
  };
};

const written = (mail: Mail, language: Language, all: MailTexts, format: Format): MailContent => {
  const kinds: Readonly<Record<string, ValueKind>> = mails[mail.mail].values;
  const shared = (part: keyof MailTexts['shared'], values: Shown = {}) =>
    format('shared', { ...all.shared }, part, values);
  const values = Object.fromEntries(
    Object.entries(mail.values).map(([name, value]: [string, string | number | Date | null]) => [
      name,
      shown(value ?? shared('identityProvider'), kinds[name], language),
    ]),
  );
  const part = (name: string): string => format(mail.mail, all[mail.mail], name, values);
  const [action, secondAction] = mail.links;
  return {
    to: mail.to,
    language,
    subject: part('subject'),
    greeting: 'name' in kinds ? shared('greeting', values) : shared('greetingWithoutName'),
    paragraphs: part('body').split(/\n{2,}/),
    ...(action === undefined ? {} : { action: { label: part('action'), url: action } }),
    ...(secondAction === undefined ? {} : { secondAction: { label: part('secondAction'), url: secondAction } }),
    remark: part('remark'),
    support: shared('support'),
    openAddress: shared('openAddress'),
  };
};

const shown = (value: string | number | Date, kind: ValueKind | undefined, language: Language): string | number => {
  if (typeof value === 'number') return value;
  if (value instanceof Date) return instantInWords(value, language);
  if (kind === 'address') return addressInText(value);
  const isUntrusted = kind === 'text' || kind === 'provider';
  if (!isUntrusted) return value;
  const isToIsolate = languageTraits(language).direction === 'rtl' || rightToLeft.test(value);
  return isToIsolate ? isolated(inOneLine(value)) : inOneLine(value);
};

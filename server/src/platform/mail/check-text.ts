/** Checks a text of a mail that the application replaces, as it is filled in later. Loaded only where there is one. */
import { IntlMessageFormat } from 'intl-messageformat';
import { type Language, languageFacts } from '../../kernel/languages.ts';
import { nearestOf } from '../../kernel/spelling.ts';
import type { ValueKind } from './mails.ts';

type Kinds = Readonly<Record<string, ValueKind>>;
type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** A placeholder of a message, and what the message does with it. */
interface Placeholder {
  readonly name: string;
  readonly use: 'argument' | 'select' | 'plural' | 'other';
  /** Of a select or plural: the cases that it names. */
  readonly cases: readonly string[];
}

/** @throws Error: it is no ICU message */
export const parseText = (text: string, language: Language): IntlMessageFormat =>
  new IntlMessageFormat(text, languageFacts(language).locale, undefined, { ignoreTag: true });

/** The number of an element that is a placeholder alone, `{name}`; literals differ from it in nothing else. */
const argumentType = 1;

const placeholdersIn = (elements: readonly Element[]): readonly Placeholder[] =>
  elements.flatMap((element): readonly Placeholder[] => {
    if (!('value' in element)) return [];
    if ('options' in element) {
      const { value: name, options } = element;
      const use = 'pluralType' in element ? 'plural' : 'select';
      const inner = Object.values(options).flatMap((option) => placeholdersIn(option.value));
      return [{ name, use, cases: Object.keys(options) }, ...inner];
    }
    if ('style' in element) return [{ name: element.value, use: 'other', cases: [] }];
    const isArgument = Number(element.type) === argumentType;
    return isArgument ? [{ name: element.value, use: 'argument', cases: [] }] : [];
  });

export const placeholdersOf = (message: IntlMessageFormat): readonly Placeholder[] => placeholdersIn(message.getAst());

/**
 * @param kinds what the text may be filled in with, by name
 * @returns what is wrong with it, the end of a sentence; null when nothing is
 */
export const textFault = (text: string, language: Language, kinds: Kinds): string | null => {
  try {
    const placeholders = placeholdersOf(parseText(text, language));
    return (
      placeholders.map((placeholder) => placeholderFault(placeholder, kinds)).find((found) => found !== null) ?? null
    );
  } catch {
    return 'is no ICU message: each { that begins a placeholder ends with }, and a select or plural has the case other.';
  }
};

const placeholderFault = ({ name, use, cases }: Placeholder, kinds: Kinds): string | null => {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return unknownPlaceholder(name, Object.keys(kinds));
  if (use === 'argument') return null;
  if (use === 'plural' && kind === 'count') return null;
  if (use === 'select' && typeof kind !== 'string') {
    const wrong = cases.find((word) => word !== 'other' && !kind.includes(word));
    return wrong === undefined ? null : `{${name}} is never ${wrong}, but ${kind.join(', ')}.`;
  }
  return `{${name}} is filled in as it is: write {${name}} alone.`;
};

const unknownPlaceholder = (name: string, known: readonly string[]): string => {
  const nearest = nearestOf(name, known);
  if (nearest !== null) return `there is no {${name}}; did you mean {${nearest}}?`;
  const names = known.map((one) => `{${one}}`).join(', ');
  return known.length === 0 ? `there is no {${name}}.` : `there is no {${name}}, but ${names}.`;
};

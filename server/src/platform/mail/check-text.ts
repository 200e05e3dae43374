/** Checks a text of a mail that the application replaces, as it is filled in later. Loaded only where there is one. */
import { IntlMessageFormat } from 'intl-messageformat';
import { type Language, languageTraits } from '../../kernel/languages.ts';
import { type Kinds, type Placeholder, placeholderFault, quotationFault } from '../../kernel/placeholders.ts';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/**
 * @throws Error: it is no ICU message
 * @internal A test runs it alone.
 */
export const parseText = (text: string, language: Language): IntlMessageFormat =>
  new IntlMessageFormat(text, languageTraits(language).locale, undefined, { ignoreTag: true });

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

/** @internal A test runs it alone. */
export const placeholdersOf = (message: IntlMessageFormat): readonly Placeholder[] => placeholdersIn(message.getAst());

/** The end of a sentence on what is wrong, or null. @param kinds what it may be filled in with, by name */
export const textFault = (text: string, language: Language, kinds: Kinds): string | null => {
  try {
    const placeholders = placeholdersOf(parseText(text, language));
    const faults = placeholders.map((placeholder) => placeholderFault(placeholder, kinds));
    return faults.find((found) => found !== null) ?? quotationFault(text, kinds);
  } catch {
    return 'is no ICU message: each { that begins a placeholder ends with }, and a select or plural has the case other.';
  }
};

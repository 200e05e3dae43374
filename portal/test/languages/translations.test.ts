/** Every language has every message, with the placeholders and the plural forms that it needs. */
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { branchesOf, nodesOf, placeholdersIn } from '../../../server/src/kernel/compiled-messages.ts';
import { flatMessages, namespacesByFile, readMessages } from '../../scripts/messages/message-files.ts';
import { type Language, offeredLanguages, sourceLanguage } from '../../src/languages/languages.ts';

const read = (language: Language): ReadonlyMap<string, string> => new Map(flatMessages(readMessages(language)));

const kinds = ['pound', 'select', 'plural', 'ordinal', 'number', 'date', 'time'];

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Arguments with their kind and the branches of a select, and tags. Plural forms differ between languages. */
const placeholders = (nodes: readonly unknown[]): readonly string[] =>
  nodes.flatMap((node): readonly string[] => {
    if (!isList(node)) return [];
    const [name, type] = node;
    const kind = typeof type === 'number' ? kinds[type] : undefined;
    const branches = branchesOf(node);
    if (branches !== undefined) {
      const forms = type === 1 ? Object.keys(branches).sort().join(' ') : '';
      return [
        `{${String(name)}, ${kind ?? ''} ${forms}}`,
        ...Object.values(branches).flatMap((b) => placeholders(nodesOf(b))),
      ];
    }
    if (node.length === 1) return [`{${String(name)}}`];
    return kind !== undefined ? [`{${String(name)}, ${kind}}`] : [`<${String(name)}>`, ...placeholders(node.slice(1))];
  });

const placeholdersOf = (message: string): readonly string[] => distinct(placeholders(nodesOf(compile(message))));

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** The forms of each plural in a message. */
const pluralForms = (message: string): readonly (readonly string[])[] =>
  placeholdersIn(compile(message)).flatMap(({ use, cases }) => (use === 'plural' ? [cases] : []));

describe('English', () => {
  it('has each namespace in one file', () => {
    const names = namespacesByFile();
    expect(distinct(names.flat())).toEqual(names.flat().sort());
  });
});

it('A line of French never breaks before a sign of two parts, or inside of quotation marks', () => {
  const faults = [...read('fr')].filter(([, text]) => /[ \n][?!:;»]|«[ \n]/.test(text));
  expect(faults).toEqual([]);
});

const translations = offeredLanguages.filter((language) => language !== sourceLanguage);

describe.each(translations)('the translation %s', (language) => {
  it('has the keys of English, and no others', () => {
    const [english, translated] = [read(sourceLanguage), read(language)];
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('has no empty message, and none with a straight quotation mark or a missing placeholder', () => {
    const [english, translated] = [read(sourceLanguage), read(language)];
    const faults = [...translated].flatMap(([key, text]) => {
      if (text.trim() === '' || /['"]/.test(text)) return [`${key}: ${text}`];
      const wanted = placeholdersOf(english.get(key) ?? '').join(' ');
      const had = placeholdersOf(text).join(' ');
      return wanted === had ? [] : [`${key}: ${wanted} in English, ${had} in the translation`];
    });
    expect(faults).toEqual([]);
  });

  it('has the plural forms of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    // Romance languages have "many" for whole millions, which no count here reaches: "other" covers it.
    const wanted = pluralCategories.filter((category) => category !== 'many' || pluralCategories.length > 3);
    const faults = [...read(language)].flatMap(([key, text]) =>
      pluralForms(text).flatMap((forms) => {
        const missing = wanted.filter((category) => !forms.includes(category) && !isExact(category, forms));
        const superfluous = forms.filter((form) => !form.startsWith('=') && !pluralCategories.some((c) => c === form));
        return [...missing, ...superfluous].map((form) => `${key}: ${form}`);
      }),
    );
    expect(faults).toEqual([]);
  });
});

/** Zero, one and two may be given as numbers where the category has no other number: `=0` for zero, `=2` for two. */
const isExact = (category: string, forms: readonly string[]): boolean =>
  (category === 'zero' && forms.includes('=0')) || (category === 'two' && forms.includes('=2'));

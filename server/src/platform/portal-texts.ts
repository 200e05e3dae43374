/**
 * Texts of the portal that the application replaces: the messages that there are, what a text may be, and the file of a
 * language as the portal loads it. The compiler is loaded only for such texts.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompiledMessage } from 'icu-minify/format';
import { z } from 'zod';
import { orNull } from '../kernel/attempts.ts';
import { isolatedArguments, placeholdersIn } from '../kernel/compiled-messages.ts';
import { type Language, languageTraits } from '../kernel/languages.ts';
import { type Kinds, type Placeholder, placeholderFault, quotationFault } from '../kernel/placeholders.ts';

/** Messages that the application replaces, by language and key (`signIn.title`); checked at start. */
export type PortalOverrides = { readonly [Tag in Language]?: Readonly<Record<string, string>> };

type Compile = (text: string) => CompiledMessage;

/** Compiles as the build of the portal does. It throws for a text that is no ICU message. */
export const loadCompiler = async (): Promise<Compile> => (await import('icu-minify/compile')).default;

const Messages = z.record(z.string(), z.string());

/** English messages of the built portal by key (`portal/scripts/messages/plugin.ts`); null without a build. */
export const readPortalMessages = async (directory: string): Promise<ReadonlyMap<string, string> | null> => {
  try {
    const text = await readFile(join(directory, '.vite', 'messages.json'), 'utf8');
    return new Map(Object.entries(Messages.parse(JSON.parse(text))));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};

/** The placeholders of a message, as its English text shows them. */
const kindsOf = (english: CompiledMessage): Kinds => {
  const placeholders = placeholdersIn(english);
  // A placeholder that is only written in one place may be a number in another.
  const inOrder = [...placeholders.filter(isWritten), ...placeholders.filter((each) => !isWritten(each))];
  return Object.fromEntries(inOrder.map((placeholder) => [placeholder.name, kindOf(placeholder)]));
};

const isWritten = ({ use }: Placeholder): boolean => use === 'argument';

const kindOf = ({ use, cases }: Placeholder): Kinds[string] => {
  if (use === 'select') return cases;
  if (use === 'plural' || use === 'number') return 'count';
  return use;
};

/** Syntax that the compiler takes and does not heed: it would be shown as written, or count wrongly. */
const passedOver: readonly (readonly [form: RegExp, fault: string])[] = [
  [/<[a-z][\w.-]*\s*\/>/i, 'a tag has an end of its own, as in <tag></tag>.'],
  [/,\s*(?:plural|selectordinal)\s*,\s*offset\s*:/, 'a plural has no offset here.'],
];

/** The end of a sentence on what is wrong, or null. @param english the message that the text replaces */
export const portalTextFault = (text: string, english: string, compile: Compile): string | null => {
  const unknown = passedOver.find(([form]) => form.test(text));
  if (unknown !== undefined) return unknown[1];
  const kinds = kindsOf(compile(english));
  const compiled = orNull(() => compile(text));
  if (compiled === null) {
    return 'is no ICU message: each { that begins a placeholder ends with }, each <tag> with </tag>, and a select or plural has the case other.';
  }
  const faults = placeholdersIn(compiled).map((placeholder) => placeholderFault(placeholder, kinds));
  return faults.find((found) => found !== null) ?? quotationFault(text, kinds);
};

/** @returns the texts of a language as the portal loads them: compiled, by the parts of their keys, as JSON */
export const portalTextsFile = (
  texts: Readonly<Record<string, string>>,
  language: Language,
  compile: Compile,
): string => {
  const tree: Tree = {};
  const isRightToLeft = languageTraits(language).direction === 'rtl';
  for (const [key, text] of Object.entries(texts)) {
    const compiled = compile(text);
    put(tree, key.split('.'), isRightToLeft ? isolatedArguments(compiled) : compiled);
  }
  return JSON.stringify(tree);
};

interface Tree {
  [key: string]: unknown;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const put = (tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const present = tree[key];
  const group = isTree(present) ? present : {};
  tree[key] = group;
  put(group, rest, value);
};

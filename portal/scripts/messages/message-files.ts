/** The messages in the files of `src/messages`: a folder for each language, with the same folders by subject in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import { isolatedArguments } from '../../../server/src/kernel/compiled-messages.ts';
import { type Language, sourceLanguage, traitsOf } from '../../src/languages/languages.ts';
import { pseudoMessage } from './pseudo-language.ts';

const messagesFolder = fileURLToPath(new URL('../../src/messages', import.meta.url));

const pseudoLanguage: Language = 'en-XA';

export interface Tree {
  readonly [key: string]: string | Tree;
}

const folderOf = (language: Language): string =>
  join(messagesFolder, language === pseudoLanguage ? sourceLanguage : language);

/** Files of messages, within the folder of a language. */
const messageFiles = (): readonly string[] =>
  readdirSync(folderOf(sourceLanguage), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((part) => typeof part === 'string' || isTree(part));

/** @throws when the file is no object of texts */
const readFile = (language: Language, name: string): Tree => {
  const file = join(folderOf(language), name);
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isTree(content)) throw new Error(`${file} is no object of texts`);
  return content;
};

/**
 * English namespaces of each file.
 * @internal A test compares it with the files.
 */
export const namespacesByFile = (): readonly (readonly string[])[] =>
  messageFiles().map((name) => Object.keys(readFile(sourceLanguage, name)));

/**
 * @returns the messages of every file of a language, by namespace, in ICU syntax
 * @throws when a message is missing that English has, or superfluous
 */
export const readMessages = (language: Language): Tree => {
  const messages = Object.fromEntries(messageFiles().flatMap((name) => Object.entries(readFile(language, name))));
  if (language !== sourceLanguage) requireSameKeys(language, messages);
  return messages;
};

const requireSameKeys = (language: Language, messages: Tree): void => {
  const [wanted, had] = [keysOf(readMessages(sourceLanguage)), keysOf(messages)];
  const missing = [...wanted].filter((key) => !had.has(key));
  const superfluous = [...had].filter((key) => !wanted.has(key));
  if (missing.length + superfluous.length === 0) return;
  throw new Error(`Messages in ${language}: missing ${list(missing)}; not in English ${list(superfluous)}`);
};

const keysOf = (messages: Tree): ReadonlySet<string> => new Set(flatMessages(messages).map(([key]) => key));

const list = (keys: readonly string[]): string => (keys.length === 0 ? 'none' : keys.join(', '));

/** @returns the messages by their whole keys, such as `signIn.title` */
export const flatMessages = (tree: Tree, prefix = ''): readonly (readonly [string, string])[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as const] : flatMessages(value, `${prefix}${key}.`),
  );

const compileTree = (tree: string | Tree, compileText: (text: string) => unknown): unknown =>
  typeof tree === 'string'
    ? compileText(tree)
    : Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, compileTree(part, compileText)]));

const at = (tree: string | Tree | undefined, keys: readonly string[]): string | Tree | undefined => {
  const [key, ...rest] = keys;
  if (key === undefined) return tree;
  return typeof tree === 'object' ? at(tree[key], rest) : undefined;
};

const wrapped = (keys: readonly string[], value: unknown): unknown =>
  keys.reduceRight((inner, key) => ({ [key]: inner }), value);

const compilerOf = (language: Language): ((text: string) => unknown) => {
  if (language === pseudoLanguage) return (text) => pseudoMessage(compile(text));
  return traitsOf(language).direction === 'rtl' ? (text) => isolatedArguments(compile(text)) : compile;
};

/** @returns the messages at the paths, compiled, as the portal loads them @throws when there are none at a path */
export const compiledPart = (messages: Tree, paths: readonly string[], language: Language): Record<string, unknown> => {
  const compileText = compilerOf(language);
  const part: Record<string, unknown> = {};
  for (const path of paths) {
    const [name, ...keys] = path.split('.');
    const tree = at(messages, path.split('.'));
    if (tree === undefined || name === undefined) throw new Error(`There are no messages ${path} in ${language}`);
    const value = wrapped(keys, compileTree(tree, compileText));
    const present = part[name];
    part[name] = typeof present === 'object' ? { ...present, ...Object(value) } : value;
  }
  return part;
};

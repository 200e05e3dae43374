/**
 * Compiles the messages while building, so that the portal ships their formatter (a few hundred bytes) and not the
 * ICU parser (about a tenth of the sign-in page). The development server keeps the parser and reads the files as they
 * are.
 */
import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

const messagesFolder = fileURLToPath(new URL('../src/messages', import.meta.url));

/** Files that bring the words of others together and have none of their own. */
const assemblies: readonly string[] = ['index.ts', 'signed-in.ts'];

const holdsWords = (file: string): boolean => dirname(file) === messagesFolder && !assemblies.includes(basename(file));

const compileTree = (tree: unknown): unknown => {
  if (typeof tree === 'string') return compile(tree);
  if (typeof tree !== 'object' || tree === null) throw new Error('A message is neither a text nor a group of messages');
  return Object.fromEntries(Object.entries(tree).map(([key, message]) => [key, compileTree(message)]));
};

const compileFile = async (file: string): Promise<string> => {
  const words: unknown = await import(pathToFileURL(file).href);
  return Object.entries(words ?? {})
    .map(([name, tree]) => `export const ${name} = ${JSON.stringify(compileTree(tree))};`)
    .join('\n');
};

export const precompiledMessages = (): Plugin => ({
  name: 'gatehouse-precompiled-messages',
  apply: 'build',
  config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
  load: async (id) => (holdsWords(id) ? { code: await compileFile(id), moduleType: 'js' } : undefined),
});

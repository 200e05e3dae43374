/**
 * Precompiles the messages, so that the bundle has use-intl's small formatter instead of the ICU parser (about a tenth
 * of the sign-in page). The development server keeps the parser.
 */
import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

const messagesFolder = fileURLToPath(new URL('../src/messages', import.meta.url));

/** Files that only assemble the messages of others. */
const assemblies: readonly string[] = ['index.ts', 'signed-in.ts'];

const holdsMessages = (file: string): boolean =>
  dirname(file) === messagesFolder && !assemblies.includes(basename(file));

const compileTree = (tree: unknown): unknown => {
  if (typeof tree === 'string') return compile(tree);
  if (typeof tree !== 'object' || tree === null) throw new Error('A message is neither a text nor a group of messages');
  return Object.fromEntries(Object.entries(tree).map(([key, message]) => [key, compileTree(message)]));
};

const compileFile = async (file: string): Promise<string> => {
  const messages: unknown = await import(pathToFileURL(file).href);
  return Object.entries(messages ?? {})
    .map(([name, tree]) => `export const ${name} = ${JSON.stringify(compileTree(tree))};`)
    .join('\n');
};

export const precompiledMessages = (): Plugin => ({
  name: 'gatehouse-precompiled-messages',
  apply: 'build',
  config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
  load: async (id) => (holdsMessages(id) ? { code: await compileFile(id), moduleType: 'js' } : undefined),
});

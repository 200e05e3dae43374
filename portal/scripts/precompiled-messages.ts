/**
 * Compiles the messages while building, so that the portal ships their formatter (a few hundred bytes) and not the
 * ICU parser (about a tenth of the sign-in page). The development server keeps the parser and reads the file as it is.
 */
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import { messages } from '../src/messages/index.ts';

const messagesFile = fileURLToPath(new URL('../src/messages/index.ts', import.meta.url));

interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

const compileTree = (tree: MessageTree): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(tree).map(([key, message]) => [
      key,
      typeof message === 'string' ? compile(message) : compileTree(message),
    ]),
  );

export const precompiledMessages = (): Plugin => ({
  name: 'gatehouse-precompiled-messages',
  apply: 'build',
  config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
  load: (id) =>
    id === messagesFile
      ? { code: `export const messages = ${JSON.stringify(compileTree(messages))};`, moduleType: 'js' }
      : undefined,
});

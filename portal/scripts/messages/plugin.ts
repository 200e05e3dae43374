/**
 * Gives each dynamically imported module its messages: a file per language beside the chunk, with the messages that the
 * module shows and no others, loaded at the same time as the chunk. The messages are precompiled, so that the bundle
 * has use-intl's small formatter instead of the ICU parser. The English messages with their keys are listed beside the
 * manifest: the service checks the texts of an adopter against them.
 */
import { createHash } from 'node:crypto';
import { dirname, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { allLanguages, type Language, sourceLanguage } from '../../src/languages/languages.ts';
import { compiledPart, flatMessages, readMessages, type Tree } from './message-files.ts';
import { dynamicImport, neededMessages, staticModules } from './needed-messages.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const entry = resolve(source, 'main.tsx');
const entryPartFile = resolve(source, 'languages/entry-part.ts');
const formatterFile = resolve(source, 'languages/format-message.ts');
const catalogueFile = resolve(source, 'languages/catalogue.ts');

const partFile = /\/assets\/([\w-]+)\.([\w-]+)\.json$/;

/**
 * Parts by name. The name has a digest of the texts in every language: such a file never changes, and may be kept by
 * caches for ever.
 */
const createParts = () => {
  const parts = new Map<string, readonly string[]>();
  let texts: readonly (readonly [Language, Tree])[] | undefined;
  const readAll = () => (texts ??= allLanguages.map((language) => [language, readMessages(language)] as const));
  const contents = (paths: readonly string[]): ReadonlyMap<Language, string> =>
    new Map(
      readAll().map(([language, tree]) => [language, JSON.stringify(compiledPart(tree, paths, language))] as const),
    );
  /** @returns the name of a module's part; undefined when it needs none */
  const nameOf = (module: string, given: readonly string[]): string | undefined => {
    const paths = neededMessages(module, given);
    if (paths.length === 0) return undefined;
    const digest = createHash('sha256');
    for (const content of contents(paths).values()) digest.update(content);
    const name = `${parse(module).name}-${digest.digest('hex').slice(0, 8)}`;
    parts.set(name, paths);
    return name;
  };
  return { parts, contents, nameOf, forget: () => (texts = undefined) };
};

export const messageParts = (): Plugin => {
  const catalogue = createParts();
  const given = neededMessages(entry);

  /** Puts the loading of its messages around each dynamic import. */
  const withMessages = (code: string, file: string): string | undefined => {
    let changed = code;
    for (const [found, path] of code.matchAll(dynamicImport)) {
      const part = catalogue.nameOf(resolve(dirname(file), path ?? ''), given);
      if (part !== undefined) changed = changed.replace(found, `withMessages('${part}', () => ${found})`);
    }
    if (changed === code) return undefined;
    return `import { withMessages } from ${JSON.stringify(catalogueFile)};\n${changed}`;
  };

  return {
    name: 'gatehouse-message-parts',
    enforce: 'pre',
    config: () => ({ resolve: { alias: [{ find: /^use-intl\/format-message$/, replacement: formatterFile }] } }),
    configureServer: (server) => {
      server.middlewares.use((request, response, next) => {
        const [, name = '', language] = partFile.exec(request.url ?? '') ?? [];
        const paths = catalogue.parts.get(name);
        const wanted = allLanguages.find((known) => known === language);
        if (paths === undefined || wanted === undefined) return next();
        // The files change while the server runs.
        catalogue.forget();
        response.setHeader('content-type', 'application/json');
        response.end(catalogue.contents(paths).get(wanted));
      });
    },
    load: (id) => {
      if (id !== entryPartFile) return undefined;
      return { code: `export const entryPart = '${catalogue.nameOf(entry, [])}';`, moduleType: 'js' };
    },
    transform: {
      filter: { id: /\/src\/.*\.tsx?$/ },
      handler: function (code, id) {
        const changed = withMessages(code, id);
        if (changed === undefined) return undefined;
        for (const [, path] of code.matchAll(dynamicImport)) {
          for (const file of staticModules(resolve(dirname(id), path ?? ''))) this.addWatchFile(file);
        }
        return { code: changed, map: null };
      },
    },
    generateBundle: function () {
      for (const [name, paths] of catalogue.parts) {
        for (const [language, content] of catalogue.contents(paths)) {
          this.emitFile({ type: 'asset', fileName: `assets/${name}.${language}.json`, source: content });
        }
      }
      const english = Object.fromEntries(flatMessages(readMessages(sourceLanguage)));
      this.emitFile({ type: 'asset', fileName: '.vite/messages.json', source: JSON.stringify(english, null, 2) });
    },
  };
};

/** Which messages are loaded with a module, and that no module has them in its own code. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { isolatedArguments } from '../../../server/src/kernel/compiled-messages.ts';
import { compiledPart, readMessages } from '../../scripts/messages/message-files.ts';
import { dynamicImport, neededMessages } from '../../scripts/messages/needed-messages.ts';
import { pseudoMessage } from '../../scripts/messages/pseudo-language.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Modules of the portal. */
const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated/'))
  .map((name) => join(source, name));

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-messages-'));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  return folder;
};

describe('the messages of a module', () => {
  it('are those that it and its static imports show, without what is loaded already', () => {
    const folder = folderOf({
      'page.tsx': `import { Row } from './row.tsx';
        import type { Type } from './types.ts';
        const Lazy = lazyComponent(async () => (await import('./lazy.tsx')).Lazy);
        const t = useTranslations('page'); // useTranslations('comment')`,
      'row.tsx': `export { Deep } from './deep.tsx';\nconst t = useTranslations('row.cells'); useTranslations('common');`,
      'deep.tsx': `useTranslations('row'); useTranslations('plan.scopes');`,
      'types.ts': `useTranslations('types');`,
      'lazy.tsx': `useTranslations('lazy');`,
    });
    const page = join(folder, 'page.tsx').replaceAll('\\', '/');
    expect(neededMessages(page, ['common'])).toEqual(['page', 'plan.scopes', 'row']);
  });

  it('need a namespace that can be read from the source', () => {
    const folder = folderOf({ 'page.tsx': 'const t = useTranslations();' });
    expect(() => neededMessages(join(folder, 'page.tsx'))).toThrow(/needs a namespace/);
  });

  it('exist for every module that is imported dynamically', () => {
    const messages = readMessages('en');
    const imported = modules.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(dynamicImport)].map(([, path]) => resolve(dirname(file), path ?? '')),
    );
    expect(imported.length).toBeGreaterThan(30);
    for (const file of imported) compiledPart(messages, neededMessages(file), 'en');
  });

  it('are in no module: only types of them are imported', () => {
    const importing = modules.filter((file) =>
      /^import (?!type\b)[^;]*from '[./]*\/messages\//m.test(readFileSync(file, 'utf8')),
    );
    expect(importing).toEqual([]);
  });
});

describe('the pseudo-language', () => {
  it('changes every letter of a text, and no argument', () => {
    expect(pseudoMessage(compile('Sign in'))).toMatch(/^⟦Šíǧñ íñ \S+⟧$/);
    expect(
      JSON.stringify(pseudoMessage(compile('{count, plural, one {# day} other {# days}} of {name} <b>left</b>'))),
    ).not.toMatch(/days?"|left/);
    expect(pseudoMessage(compile('For {name}'))).toContainEqual(['name']);
  });
});

describe('a message of a right-to-left language', () => {
  it('isolates what it is filled in with, also in branches and tags', () => {
    expect(isolatedArguments(compile('a {name}.'))).toEqual(['a ', '\u2068', ['name'], '\u2069', '.']);
    expect(isolatedArguments(compile('<b>{name}</b>'))).toEqual([['b', '\u2068', ['name'], '\u2069']]);
    expect(JSON.stringify(isolatedArguments(compile('{n, plural, other {# of {name}}}')))).toContain('\u2068');
    expect(isolatedArguments(compile('plain'))).toBe('plain');
  });
});

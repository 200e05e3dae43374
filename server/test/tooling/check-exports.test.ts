/**
 * The check on exports is itself checked: it is seen to refuse a small tree with an export that no source uses, and
 * only that.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { exportProblems } from '../../../scripts/imports/exports.ts';

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

type Listed = NonNullable<Parameters<typeof exportProblems>[1]>;

/** The problems of a repository with these files and no others. */
const problemsOf = (files: Readonly<Record<string, string>>, listed: Listed = []): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-exports-'));
  trees.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return exportProblems(root, listed);
};

const exporting = 'export const value = 1;\n';

/** A file beside the exporting one, or a test. */
const source = 'server/src/kernel/b.ts';
const test = 'server/test/kernel/a.test.ts';

describe('The check on exports', () => {
  it('refuses an export that no file imports, and names its line', () => {
    expect(problemsOf({ 'server/src/kernel/a.ts': `const own = 1;\n\nexport const value = own;\n` })).toEqual([
      'server/src/kernel/a.ts:3 exports value, which no other file imports',
    ]);
  });

  it.each([
    ['a constant, by name', exporting, `import { value } from './a.ts';\n`],
    ['a constant under another name', exporting, `import { value as other } from './a.ts';\n`],
    ['a type', 'export type Value = number;\n', `import type { Value } from './a.ts';\n`],
    ['the default export', 'export default 1;\n', `import value from './a.ts';\n`],
    ['all names', exporting, `import * as a from './a.ts';\n`],
    ['the module, on demand', exporting, `const a = await import('./a.ts');\n`],
    ['a name, on demand', exporting, `const a = (await import('./a.ts')).value;\n`],
    ['names, on demand', exporting, `const { value: a } = await import('./a.ts');\n`],
  ])('accepts that another source imports %s', (_subject, text, importing) => {
    expect(problemsOf({ 'server/src/kernel/a.ts': text, [source]: importing })).toEqual([]);
  });

  it('refuses each name that others do not import, beside one that they do', () => {
    const text = 'export const value = 1;\nexport interface Other {}\n';
    expect(problemsOf({ 'server/src/kernel/a.ts': text, [source]: `import { value } from './a.ts';\n` })).toEqual([
      'server/src/kernel/a.ts:2 exports Other, which no other file imports',
    ]);
  });

  it('knows the names that are taken of a module on demand', () => {
    const file = { 'server/src/kernel/a.ts': `${exporting}export const other = 2;\n` };
    const problem = ['server/src/kernel/a.ts:2 exports other, which no other file imports'];
    expect(problemsOf({ ...file, [source]: `const a = (await import('./a.ts')).value;\n` })).toEqual(problem);
    expect(problemsOf({ ...file, [source]: `const { value } = await import('./a.ts');\n` })).toEqual(problem);
  });

  it('counts a benchmark and an example as users, and a test not', () => {
    const file = { 'server/src/kernel/a.ts': exporting };
    const importing = `import { value } from '../server/src/kernel/a.ts';\n`;
    expect(problemsOf({ ...file, 'bench/main.ts': importing })).toEqual([]);
    expect(problemsOf({ ...file, 'examples/start.ts': importing })).toEqual([]);
    expect(problemsOf({ ...file, [test]: `import { value } from '../../src/kernel/a.ts';\n` })).toEqual([
      'server/src/kernel/a.ts:1 exports value, which only tests import',
    ]);
  });

  it('follows the imports of the portal, which have no extension', () => {
    const files = { 'portal/src/a.tsx': exporting, 'portal/src/b.ts': `import { value } from './a';\n` };
    expect(problemsOf(files)).toEqual([]);
  });
});

describe('The list of exports that stay', () => {
  const listed: Listed = [{ reason: 'A test goes through it.', exports: { 'server/src/kernel/a.ts': ['value'] } }];

  it('permits an export that only a test imports', () => {
    const files = { 'server/src/kernel/a.ts': exporting, [test]: `import { value } from '../../src/kernel/a.ts';\n` };
    expect(problemsOf(files, listed)).toEqual([]);
  });

  it('must not name an export that a source imports, or that does not exist', () => {
    const stale = ['scripts/imports/listed-exports.ts: server/src/kernel/a.ts value needs no entry'];
    const files = { 'server/src/kernel/a.ts': exporting, [source]: `import { value } from './a.ts';\n` };
    expect(problemsOf(files, listed)).toEqual(stale);
    expect(problemsOf({ 'server/src/kernel/a.ts': '' }, listed)).toEqual(stale);
  });
});

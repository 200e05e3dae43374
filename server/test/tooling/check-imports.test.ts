/** The check of imports itself: each rule refuses a small tree that breaks it, and accepts others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { importProblems } from '../../../scripts/imports/rules.ts';
import { scan } from '../../../scripts/imports/scan.ts';

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

const problemsOf = (files: Readonly<Record<string, string>>): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-imports-'));
  trees.push(root);
  const manifest = {
    'server/package.json': JSON.stringify({ dependencies: { pino: '10.0.0', '@fastify/cookie': '11.0.0' } }),
  };
  for (const [path, text] of Object.entries({ ...manifest, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return importProblems(root);
};

const value = 'export const value = 1;\n';
const importing = (specifier: string): string =>
  `import { value } from '${specifier}';\n\nexport const other = value;\n`;

/** The files of one forbidden import, from the first path to the second, and the import's specifier. */
const refusalOf = (from: string, to: string, specifier: string): string[] =>
  problemsOf({ [`server/src/${from}`]: importing(specifier), [`server/src/${to}`]: value });

describe('Directions between layers', () => {
  it('accepts a tree in which every import leads downwards', () => {
    const problems = problemsOf({
      'server/src/main.ts': `${importing('./app.ts')}import './cli/serve.ts';\nimport './config.ts';\n`,
      'server/src/app.ts': `${importing('./graphql/schema.ts')}import './config.ts';\n`,
      'server/src/cli/serve.ts': importing('../app.ts'),
      'server/src/graphql/schema.ts': importing('../http-kit/cookies.ts'),
      'server/src/http-kit/cookies.ts': importing('../domain/users/user-store.ts'),
      'server/src/domain/users/user-store.ts': importing('../../platform/database/database.ts'),
      'server/src/platform/database/database.ts': importing('../../kernel/clock.ts'),
      'server/src/config.ts': importing('./kernel/clock.ts'),
      'server/src/kernel/clock.ts': value,
    });
    expect(problems).toEqual([]);
  });

  it.each([
    ['platform/mail.ts', 'domain/users/user.ts', '../domain/users/user.ts', 'platform may not import domain'],
    ['domain/users/user.ts', 'http-kit/cookies.ts', '../../http-kit/cookies.ts', 'domain may not import http-kit'],
    ['http-kit/cookies.ts', 'graphql/schema.ts', '../graphql/schema.ts', 'http-kit may not import graphql'],
    ['graphql/schema.ts', 'app.ts', '../app.ts', 'graphql may not import app'],
    ['app.ts', 'main.ts', './main.ts', 'app may not import main'],
    ['app.ts', 'cli/serve.ts', './cli/serve.ts', 'app may not import cli'],
    ['config.ts', 'platform/mail.ts', './platform/mail.ts', 'config may not import platform'],
    ['kernel/clock.ts', 'platform/mail.ts', '../platform/mail.ts', 'kernel may not import platform'],
    ['graphql/schema.ts', 'http/health.ts', '../http/health.ts', 'surface graphql may not import surface http'],
    ['cli/serve.ts', 'graphql/schema.ts', '../graphql/schema.ts', 'surface cli may not import surface graphql'],
  ])('refuses that %s imports %s', (from, to, specifier, reason) => {
    expect(refusalOf(from, to, specifier)).toEqual([`server/src/${from}:1 imports ${specifier}: ${reason}`]);
  });

  it('names the line of the import', () => {
    const problems = problemsOf({
      'server/src/platform/mail.ts': `import { join } from 'node:path';\nimport {\n  value,\n} from '../http-kit/cookies.ts';\n`,
      'server/src/http-kit/cookies.ts': value,
    });
    expect(problems).toEqual([
      'server/src/platform/mail.ts:2 imports ../http-kit/cookies.ts: platform may not import http-kit',
    ]);
  });

  it('checks type imports, dynamic imports and workers too', () => {
    const problems = problemsOf({
      'server/src/platform/a.ts': `import type { A } from '../http-kit/a.ts';\n\nexport const a: A = 1;\n`,
      'server/src/platform/b.ts': `export const b = await import('../http-kit/a.ts');\n`,
      'server/src/platform/c.ts': `export const c = new Worker(new URL('../http-kit/a.ts', import.meta.url));\n`,
      'server/src/http-kit/a.ts': 'export type A = number;\n',
    });
    expect(problems).toHaveLength(3);
    expect(problems.every((problem) => problem.endsWith('platform may not import http-kit'))).toBe(true);
  });

  it('allows the platform to import the types of the configuration, and not its values', () => {
    const config = { 'server/src/config.ts': 'export type Config = object;\n' };
    const types = `import type { Config } from '../config.ts';\n\nexport const seen: Config = {};\n`;
    expect(problemsOf({ ...config, 'server/src/platform/mail.ts': types })).toEqual([]);
    expect(problemsOf({ ...config, 'server/src/platform/mail.ts': importing('../config.ts') })).toEqual([
      'server/src/platform/mail.ts:1 imports ../config.ts: platform may import the configuration for its types only',
    ]);
  });

  it('keeps the kernel free of packages and of the configuration', () => {
    expect(problemsOf({ 'server/src/kernel/clock.ts': importing('pino') })).toEqual([
      'server/src/kernel/clock.ts:1 imports pino: kernel may import nothing but node: built-ins and itself',
    ]);
    expect(problemsOf({ 'server/src/kernel/clock.ts': importing('node:crypto') })).toEqual([]);
    expect(refusalOf('kernel/clock.ts', 'config.ts', '../config.ts')).toHaveLength(1);
  });

  it('refuses an import that leaves the sources of the server', () => {
    const problems = problemsOf({
      'server/src/app.ts': importing('../../portal/src/page.ts'),
      'portal/src/page.ts': value,
    });
    expect(problems).toEqual([
      'server/src/app.ts:1 imports ../../portal/src/page.ts: server/src may not import files outside of it',
    ]);
  });

  it('refuses a package that an installation of the server lacks, and accepts its types', () => {
    const imported = (text: string): string[] => problemsOf({ 'server/src/http/health.ts': text });
    for (const named of ['pino', '@fastify/cookie', '@fastify/cookie/part', 'node:crypto'])
      expect(imported(importing(named))).toEqual([]);
    expect(imported(`import type { A } from 'vitest';\n\nexport const a: A = 1;\n`)).toEqual([]);
    expect(imported(`export const a = await import('oidc-provider');\n`)).toEqual([]);
    expect(imported(importing('oidc-provider'))).toHaveLength(1);
    const lacks = 'which is no dependency of server/package.json: an installation lacks it';
    expect(imported(importing('vitest'))).toEqual([`server/src/http/health.ts:1 imports vitest, ${lacks}`]);
    expect(imported(`export const a = await import('@fastify/other');\n`)).toEqual([
      `server/src/http/health.ts:1 imports @fastify/other, ${lacks}`,
    ]);
  });

  it('refuses a file in an unknown layer', () => {
    expect(problemsOf({ 'server/src/shared/thing.ts': value })).toEqual([
      expect.stringMatching(/^server\/src\/shared\/thing\.ts is in no known layer/),
    ]);
  });
});

describe('Rooms of the domain', () => {
  it('allows a room to import itself and an earlier one', () => {
    const problems = problemsOf({
      'server/src/domain/sessions/rotate-pair.ts': `${importing('./session.ts')}import '../credentials/token.ts';\n`,
      'server/src/domain/sessions/session.ts': value,
      'server/src/domain/credentials/token.ts': value,
    });
    expect(problems).toEqual([]);
  });

  it('refuses an import of a later room', () => {
    expect(refusalOf('domain/users/user.ts', 'domain/sessions/session.ts', '../sessions/session.ts')).toEqual([
      'server/src/domain/users/user.ts:1 imports ../sessions/session.ts: ' +
        'room users of the domain may not import sessions, which comes later',
    ]);
  });

  it('refuses an unknown room, and a file outside of every room', () => {
    const unknown = /is in no known room of the domain/;
    expect(problemsOf({ 'server/src/domain/payments/pay.ts': value })).toEqual([expect.stringMatching(unknown)]);
    expect(problemsOf({ 'server/src/domain/pay.ts': value })).toEqual([expect.stringMatching(unknown)]);
  });
});

describe('Pages of the portal', () => {
  const page = { 'portal/src/pages/members/member-page.tsx': value };

  it('allows a page to import another one and what is below, and the routes to name it', () => {
    const problems = problemsOf({
      ...page,
      'portal/src/pages/plan/plan-page.tsx': `${importing('../members/member-page.tsx')}import '../../lists/rows.tsx';\n`,
      'portal/src/routes/signed-in.ts': `export const load = () => import('../pages/members/member-page.tsx');\n`,
      'portal/src/router.tsx': importing('./pages/members/member-page.tsx'),
      'portal/src/lists/rows.tsx': value,
    });
    expect(problems).toEqual([]);
  });

  it('refuses that anything below the pages imports one, its types and a later load too', () => {
    const problems = problemsOf({
      ...page,
      'portal/src/lists/a.tsx': importing('../pages/members/member-page.tsx'),
      'portal/src/lists/b.tsx': `import type { value } from '../pages/members/member-page.tsx';\n\nexport type B = typeof value;\n`,
      'portal/src/lists/c.tsx': `export const c = () => import('../pages/members/member-page.tsx');\n`,
      'portal/src/main.tsx': importing('./pages/members/member-page.tsx'),
    });
    const refusal = 'only pages and routes may import a page';
    expect(problems.sort()).toEqual([
      `portal/src/lists/a.tsx:1 imports ../pages/members/member-page.tsx: ${refusal}`,
      `portal/src/lists/b.tsx:1 imports ../pages/members/member-page.tsx: ${refusal}`,
      `portal/src/lists/c.tsx:1 imports ../pages/members/member-page.tsx: ${refusal}`,
      `portal/src/main.tsx:1 imports ./pages/members/member-page.tsx: ${refusal}`,
    ]);
  });
});

describe('Shape of the files', () => {
  it.each(['kernel/utils.ts', 'kernel/string-helpers.ts', 'domain/users/user-manager.ts', 'platform/services/mail.ts'])(
    'refuses the meaningless name %s',
    (path) => {
      expect(problemsOf({ [`server/src/${path}`]: value })).toEqual([expect.stringMatching(/has the empty name/)]);
    },
  );

  it('refuses an import whose path is computed', () => {
    const text = `export const load = (name: string) => import(\`./\${name}.ts\`);\n`;
    expect(problemsOf({ 'server/src/kernel/a.ts': text })).toEqual([
      'server/src/kernel/a.ts:1 imports a computed path, which the checks cannot follow',
    ]);
  });
});

describe('Reading a source', () => {
  it('ignores import text in comments, strings, templates and regular expressions', () => {
    const source = [
      `// import { a } from './a.ts';`,
      `/*\nimport { b } from './b.ts';\n*/`,
      `const quote = /['"\`]/;`,
      'const text = `',
      `import { c } from './c.ts';`,
      '`;',
      `const line = "import { d } from './d.ts'";`,
      `import { e } from './e.ts';`,
    ].join('\n');
    expect(scan('a.ts', source).imports.map(({ specifier }) => specifier)).toEqual(['./e.ts']);
  });

  it('distinguishes an import of types from one of values', () => {
    const source = [
      `import type { A } from './a.ts';`,
      `import { type B, type C } from './b.ts';`,
      `import { type D, e } from './c.ts';`,
      `import f from './d.ts';`,
      `export type { G } from './e.ts';`,
    ].join('\n');
    expect(scan('a.ts', source).imports.map(({ typeOnly }) => typeOnly)).toEqual([true, true, false, false, true]);
  });
});

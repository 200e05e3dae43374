/** The check on the code of Markdown pages is itself checked: what it refuses, and what it leaves alone. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declaredCommands, shellProblems } from '../../../scripts/docs/shell-commands.ts';
import { dataProblems, modulesOf, typeProblems } from '../../../scripts/docs/typed-blocks.ts';
import { repositoryRoot } from '../../../scripts/report.ts';

const commands: ReturnType<typeof declaredCommands> = new Map([
  ['doctor', new Set(['--json'])],
  ['migrate', new Set(['--grant-to', '--json'])],
]);

const place = { root: repositoryRoot, page: 'docs/page.md' };

const block = (language: string, code: string): string => `# Page\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;

describe('The commands of a page', () => {
  it.each([
    ['an npm script', 'npm run no-such-script', 'docs/page.md:4: npm has no script no-such-script'],
    ['a script of a workspace', 'npm run start -w portal', 'docs/page.md:4: npm has no script start'],
    ['a command', 'npx gatehouse repair', 'docs/page.md:4: gatehouse has no command repair'],
    ['an option', 'gatehouse doctor --loud', 'docs/page.md:4: gatehouse doctor has no option --loud'],
    [
      'an option on the next line',
      'gatehouse migrate \\\n  --grant-from a',
      'docs/page.md:4: gatehouse migrate has no option --grant-from',
    ],
    ['a file', 'node scripts/missing.ts', 'docs/page.md:4: scripts/missing.ts does not exist'],
  ])('are refused with %s that does not exist', (_, code, problem) => {
    expect(shellProblems(place, block('sh', code), commands)).toEqual([problem]);
  });

  it('are read in sentences too', () => {
    expect(shellProblems(place, 'Run `gatehouse repair` or `npm run fast`.', commands)).toEqual([
      'docs/page.md:1: gatehouse has no command repair',
      'docs/page.md:1: npm has no script fast',
    ]);
  });

  it.each([
    'npm run check && npm run build -w portal',
    'docker compose exec gatehouse gatehouse doctor --json',
    'npm run gatehouse -- doctor --json | jq .',
    '# gatehouse repair\ngatehouse migrate --grant-to app # --loud',
    'cd gatehouse && npm ci',
  ])('may be %s', (code) => {
    expect(shellProblems(place, block('bash', code), commands)).toEqual([]);
  });

  it('are compared with those that the command line declares', () => {
    const declared = declaredCommands();
    expect(declared.get('serve')).toEqual(new Set(['--workers']));
    expect(declared.get('verify-audit')).toEqual(new Set(['--expect', '--json']));
  });
});

describe('The data of a page', () => {
  it.each([
    ['json', '{ "a": 1, }'],
    ['yaml', 'a: [1\n'],
  ])('is refused when it is no %s', (language, code) => {
    expect(dataProblems({ page: 'page.md', markdown: block(language, code) })).toEqual([
      expect.stringMatching(/^page\.md:4: /),
    ]);
  });

  it('passes when it parses', () => {
    expect(dataProblems({ page: 'page.md', markdown: block('yaml', 'a: 1\n---\nb: 2') })).toEqual([]);
  });
});

describe('The TypeScript of a page', () => {
  const problemsOf = (markdown: string): string[] => {
    const results = join(repositoryRoot, 'test-results');
    mkdirSync(results, { recursive: true });
    const folder = mkdtempSync(join(results, 'docs-code-'));
    try {
      return typeProblems(repositoryRoot, folder, modulesOf({ page: 'page.md', markdown }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('is checked with the packages of the repository, and named by its line', () => {
    const markdown = block('ts', `import { createClient } from '@gatehouse/client';\n\ncreateClient({ baseUrl: 1 });`);
    expect(problemsOf(markdown)[0]).toMatch(/^page\.md:6: error TS2769: /);
  });

  it('may be several files of the page', () => {
    const named = (name: string, code: string): string => `**\`${name}\`**\n\n\`\`\`ts\n${code}\n\`\`\`\n\n`;
    const value = named('value.ts', `import process from 'node:process';\n\nexport const value: number = process.pid;`);
    expect(problemsOf(value + named('use.ts', `import { value } from './value.ts';\n\nvalue.toFixed();`))).toEqual([]);
  });

  it.each([
    ['imports nothing', 'const answer: number = "no";'],
    ['leaves something out', `import { a } from 'node:fs';\n// …`],
    ['imports a file that is not on the page', `import { a } from './a.ts';`],
  ])('is no complete module when it %s', (_, code) => {
    expect(modulesOf({ page: 'page.md', markdown: block('ts', code) })).toEqual([]);
  });
});

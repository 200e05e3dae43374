/** The traceability page is printed from comments above tests: which comments count, and which are refused. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { traceabilityPage } from '../../../scripts/traceability/page.ts';
import { scanTests } from '../../../scripts/traceability/scan-tests.ts';

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

/** The page of a repository with these test files, with the sections A and B. */
const pageOf = (files: Readonly<Record<string, string>>): ReturnType<typeof traceabilityPage> => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-traceability-'));
  trees.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return traceabilityPage(root, [{ title: 'A', note: 'About A.' }, { title: 'B' }]);
};

const traced = (test: string): unknown =>
  scanTests('a.test.ts', `  // Specification: A — one thing\n  ${test}\n`).traces.map(({ title }) => title);

const rest = ', async () => {});';

describe('A traced test', () => {
  it.each([
    [`it('plain'${rest}`, 'plain'],
    [`it("it's"${rest}`, "it's"],
    [`it('it\\'s'${rest}`, "it's"],
    [`it(\n    'on its own line'${rest}`, 'on its own line'],
    [`it(\`of \${setting}\`${rest}`, `of \${setting}`],
    [`it.each(cases)('is %s'${rest}`, 'is %s'],
    [`it.each([\n    ['a (b', /\\)'/],\n    [\`c \${d({ e: ')' })}\`, 1 / 2],\n  ])('is %s'${rest}`, 'is %s'],
    [`it.each<[string, () => void]>([])(\n    'is %s'${rest}`, 'is %s'],
    [`it.runIf(a).each(b)('on two'${rest}`, 'on two'],
    [`test.skipIf(condition)('elsewhere'${rest}`, 'elsewhere'],
  ])('is %j', (test, title) => {
    expect(traced(test)).toEqual([title]);
  });

  it('has several requirements, each over several lines if necessary', () => {
    const source = [
      'describe(`// Specification: A — no comment`, () => {',
      '  // Specification: A — one — with a dash',
      '  // Specification: B — another that',
      '  //   goes on',
      "  it('does both', () => {});",
      '});',
    ].join('\n');
    expect(scanTests('a.test.ts', source)).toEqual({
      problems: [],
      traces: [
        { section: 'A', requirement: 'one — with a dash', title: 'does both', line: 2 },
        { section: 'B', requirement: 'another that goes on', title: 'does both', line: 3 },
      ],
    });
  });

  it.each([
    ['// Specification: A — x\nconst y = 1;', 'no test'],
    ["// Specification: A — x\n\nit('is apart', () => {});", 'no test'],
    ['// Specification: A — x\nit(title, () => {});', 'literal title'],
    ["// Specification: A — x\n// a reason\nit('is apart', () => {});", 'no test'],
    ["// Specification: A - x\nit('has a hyphen', () => {});", '— Requirement'],
    ["// specification: A — x\nit('has a small letter', () => {});", '— Requirement'],
    ['// Specification: A — x', 'no test'],
  ])('is not found in %j', (source, problem) => {
    const { traces, problems } = scanTests('a.test.ts', source);
    expect(traces).toEqual([]);
    expect(problems).not.toEqual([]);
    expect(problems.join('\n')).toContain(problem);
  });
});

describe('The page', () => {
  const first =
    "// Specification: B — second | bar\nit('two', () => {});\n// Specification: A — first\nit('one', () => {});\n";

  it('has the sections in their order, and the tests of each by file and position', () => {
    const { markdown, requirements, problems } = pageOf({
      'server/test/z.test.ts': first,
      'portal/test/a.test.ts': "// Specification: A — of the portal\nit('three', () => {});\n",
    });
    expect(problems).toEqual([]);
    expect(requirements).toBe(3);
    expect(markdown.slice(markdown.indexOf('## A'))).toBe(
      [
        '## A\n\nAbout A.\n\n| Specification | Test file | Test title |\n| - | - | - |',
        '| of the portal | `portal/test/a.test.ts` | three |',
        '| first | `server/test/z.test.ts` | one |',
        '\n## B\n\n| Specification | Test file | Test title |\n| - | - | - |',
        '| second \\| bar | `server/test/z.test.ts` | two |\n',
      ].join('\n'),
    );
  });

  it.each([
    ['an unknown section', "// Specification: C — x\nit('t', () => {});\n", 'names the section "C"'],
    [
      'a row that refers to another',
      "// Specification: A — The same, of y\nit('t', () => {});\n",
      'without its neighbours',
    ],
    [
      'one requirement twice',
      "// Specification: A — x\n// Specification: A — x\nit('t', () => {});\n",
      'traces "x" to this test twice',
    ],
    ['a comment above no test', '// Specification: A — x\n', 'z.test.ts:1 no test'],
  ])('is not printed with %s', (_what, text, problem) => {
    expect(pageOf({ 'server/test/a.test.ts': first, 'server/test/z.test.ts': text }).problems).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('is not printed with a section that no test names', () => {
    const { problems } = pageOf({ 'server/test/z.test.ts': "// Specification: A — x\nit('t', () => {});\n" });
    expect(problems).toEqual(['No test names the section "B".']);
  });
});

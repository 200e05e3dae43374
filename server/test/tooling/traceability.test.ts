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

/** The page of a repository with these test files, with a rule each in the sections A and B. */
const pageOf = (files: Readonly<Record<string, string>>): ReturnType<typeof traceabilityPage> => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-traceability-'));
  trees.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return traceabilityPage(root, [
    { id: 'a#a', title: 'A', rules: [{ id: 'a#one', title: 'One' }] },
    { id: 'b#b', title: 'B', rules: [{ id: 'b#two', title: 'Two' }] },
  ]);
};

const traced = (test: string): unknown =>
  scanTests('a.test.ts', `  // Contract: a#one — one thing\n  ${test}\n`).traces.map(({ title }) => title);

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
      'describe(`// Contract: a#one — no comment`, () => {',
      '  // Contract: a#one — one — with a dash',
      '  // Contract: b#two — another that',
      '  //   goes on',
      "  it('does both', () => {});",
      '});',
    ].join('\n');
    expect(scanTests('a.test.ts', source)).toEqual({
      problems: [],
      traces: [
        { rule: 'a#one', requirement: 'one — with a dash', title: 'does both', line: 2 },
        { rule: 'b#two', requirement: 'another that goes on', title: 'does both', line: 3 },
      ],
    });
  });

  it.each([
    ['// Contract: a#one — x\nconst y = 1;', 'no test'],
    ["// Contract: a#one — x\n\nit('is apart', () => {});", 'no test'],
    ['// Contract: a#one — x\nit(title, () => {});', 'literal title'],
    ["// Contract: a#one — x\n// a reason\nit('is apart', () => {});", 'no test'],
    ["// Contract: a#one - x\nit('has a hyphen', () => {});", '— Requirement'],
    ["// contract: a#one — x\nit('has a small letter', () => {});", '— Requirement'],
    ['// Contract: a#one — x', 'no test'],
  ])('is not found in %j', (source, problem) => {
    const { traces, problems } = scanTests('a.test.ts', source);
    expect(traces).toEqual([]);
    expect(problems).not.toEqual([]);
    expect(problems.join('\n')).toContain(problem);
  });
});

describe('The page', () => {
  const first =
    "// Contract: b#two — second | bar\nit('two', () => {});\n// Contract: a#one — first\nit('one', () => {});\n";

  it('has the sections in their order, and the tests of each by file and position', () => {
    const { markdown, requirements, problems } = pageOf({
      'server/test/z.test.ts': first,
      'portal/test/a.test.ts': "// Contract: a#one — of the portal\nit('three', () => {});\n",
    });
    expect(problems).toEqual([]);
    expect(requirements).toBe(3);
    expect(markdown.slice(markdown.indexOf('## A'))).toBe(
      [
        '## A\n\n| Rule | Requirement | Test file | Test title |\n| - | - | - | - |',
        '| [One](contract/a.md#one) | of the portal | `portal/test/a.test.ts` | three |',
        '| [One](contract/a.md#one) | first | `server/test/z.test.ts` | one |',
        '\n## B\n\n| Rule | Requirement | Test file | Test title |\n| - | - | - | - |',
        '| [Two](contract/b.md#two) | second \\| bar | `server/test/z.test.ts` | two |\n',
      ].join('\n'),
    );
  });

  it.each([
    ['an unknown rule', "// Contract: c#three — x\nit('t', () => {});\n", 'names the rule "c#three"'],
    [
      'a row that refers to another',
      "// Contract: a#one — The same, of y\nit('t', () => {});\n",
      'without its neighbours',
    ],
    [
      'one requirement twice',
      "// Contract: a#one — x\n// Contract: a#one — x\nit('t', () => {});\n",
      'traces "x" to this test twice',
    ],
    ['a comment above no test', '// Contract: a#one — x\n', 'z.test.ts:1 no test'],
  ])('is not printed with %s', (_what, text, problem) => {
    expect(pageOf({ 'server/test/a.test.ts': first, 'server/test/z.test.ts': text }).problems).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('is not printed with a rule that no test names', () => {
    const { problems } = pageOf({ 'server/test/z.test.ts': "// Contract: a#one — x\nit('t', () => {});\n" });
    expect(problems).toEqual(['No test names the rule "b#two".']);
  });
});

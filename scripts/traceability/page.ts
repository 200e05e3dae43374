/**
 * The page from the contract to the tests, from the traced tests of a repository: one table for each section, its rows
 * by rule, by test file and by their order in the file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../source-files.ts';
import type { Rule, Section } from './contract-pages.ts';
import { scanTests, type Trace } from './scan-tests.ts';

interface Row extends Trace {
  readonly file: string;
}

interface Page {
  readonly markdown: string;
  /** The number of rows. */
  readonly requirements: number;
  readonly problems: readonly string[];
}

const head = `# From the contract to the tests

Each row is one requirement of a rule and a test that proves it. The page is printed from the tests: a requirement is a
comment above its test ([Tests](testing.md#how-to-test-a-rule)).
`;

const directories = ['server/test', 'portal/test'];

/** A requirement that only makes sense below another row, which the page may print elsewhere. */
const refersToNeighbour = /^the same\b/i;

/** A requirement such as `/verify/<token>` names no element of HTML. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const linkTo = ({ id, title }: Rule): string => {
  const [page = '', anchor = ''] = id.split('#');
  return `[${cell(title)}](contract/${page}.md#${anchor})`;
};

const rowsOfRule = (rule: Rule, rows: readonly Row[]): string =>
  rows
    .map(
      ({ requirement, file, title }) => `| ${linkTo(rule)} | ${cell(requirement)} | \`${file}\` | ${cell(title)} |\n`,
    )
    .join('');

type RowsOf = (rule: Rule) => readonly Row[];

const sectionText = ({ title, rules }: Section, rowsOf: RowsOf): string => {
  const rows = rules.map((rule) => rowsOfRule(rule, rowsOf(rule))).join('');
  return `\n## ${title}\n\n| Rule | Requirement | Test file | Test title |\n| - | - | - | - |\n${rows}`;
};

const rowProblem = (row: Row, known: ReadonlySet<string>, earlier: readonly Row[]): string | null => {
  const place = `${row.file}:${row.line}`;
  if (!known.has(row.rule)) return `${place} names the rule "${row.rule}", which no page below docs/contract has`;
  if (refersToNeighbour.test(row.requirement))
    return `${place} "${row.requirement}" must make sense without its neighbours`;
  const isDouble = earlier.some(
    ({ file, title, rule, requirement }) =>
      file === row.file && title === row.title && rule === row.rule && requirement === row.requirement,
  );
  return isDouble ? `${place} traces "${row.requirement}" to this test twice` : null;
};

/**
 * @param root the repository
 * @param sections the sections of the page, in their order
 * @returns the page, and a sentence for each comment that cannot be printed and each rule without a test
 */
export const traceabilityPage = (root: string, sections: readonly Section[]): Page => {
  const scans = directories
    .flatMap((directory) => filesBelow(root, directory, /\.tsx?$/))
    .map((file) => ({ file, ...scanTests(file, readFileSync(join(root, file), 'utf8')) }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const rows: Row[] = scans.flatMap(({ file, traces }) => traces.map((trace) => ({ ...trace, file })));
  const rules = sections.flatMap((section) => section.rules);
  const known = new Set(rules.map(({ id }) => id));
  const rowsOf: RowsOf = ({ id }) => rows.filter(({ rule }) => rule === id);
  return {
    markdown: head + sections.map((section) => sectionText(section, rowsOf)).join(''),
    requirements: rows.length,
    problems: [
      ...scans.flatMap(({ file, problems }) => problems.map((problem) => `${file}:${problem}`)),
      ...rows.map((row, index) => rowProblem(row, known, rows.slice(0, index))).filter((problem) => problem !== null),
      ...rules.filter((rule) => rowsOf(rule).length === 0).map(({ id }) => `No test names the rule "${id}".`),
    ],
  };
};

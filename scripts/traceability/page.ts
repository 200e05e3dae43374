/**
 * The page from the specification to the tests, from the traced tests of a repository: one table for each section, its rows by test file and by
 * their order in the file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../source-files.ts';
import { scanTests, type Trace } from './scan-tests.ts';
import type { Section } from './sections.ts';

interface Row extends Trace {
  readonly file: string;
}

interface Page {
  readonly markdown: string;
  /** The number of rows. */
  readonly requirements: number;
  readonly problems: readonly string[];
}

const head = `# From the specification to the tests

Each row is one requirement and a test that proves it. The page is printed from the tests: a requirement is a
comment above its test ([Tests](testing.md#how-to-test-a-rule)).
`;

const directories = ['server/test', 'portal/test'];

/** A requirement that only makes sense below another row, which the page may print elsewhere. */
const refersToNeighbour = /^the same\b/i;

const cell = (text: string): string => text.replaceAll('|', '\\|');

const tableOf = (rows: readonly Row[]): string =>
  rows.map(({ requirement, file, title }) => `| ${cell(requirement)} | \`${file}\` | ${cell(title)} |\n`).join('');

const sectionText = ({ title, note }: Section, rows: readonly Row[]): string =>
  `\n## ${title}\n${note === undefined ? '' : `\n${note}\n`}\n| Specification | Test file | Test title |\n| - | - | - |\n${tableOf(rows)}`;

const rowProblem = (row: Row, known: ReadonlySet<string>, earlier: readonly Row[]): string | null => {
  const place = `${row.file}:${row.line}`;
  if (!known.has(row.section))
    return `${place} names the section "${row.section}", which scripts/traceability/sections.ts does not list`;
  if (refersToNeighbour.test(row.requirement))
    return `${place} "${row.requirement}" must make sense without its neighbours`;
  const isDouble = earlier.some(
    ({ file, title, section, requirement }) =>
      file === row.file && title === row.title && section === row.section && requirement === row.requirement,
  );
  return isDouble ? `${place} traces "${row.requirement}" to this test twice` : null;
};

/**
 * @param root the repository
 * @param sections the sections of the page, in their order
 * @returns the page, and a sentence for each comment that cannot be printed
 */
export const traceabilityPage = (root: string, sections: readonly Section[]): Page => {
  const scans = directories
    .flatMap((directory) => filesBelow(root, directory, /\.tsx?$/))
    .map((file) => ({ file, ...scanTests(file, readFileSync(join(root, file), 'utf8')) }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const rows: Row[] = scans.flatMap(({ file, traces }) => traces.map((trace) => ({ ...trace, file })));
  const known = new Set(sections.map(({ title }) => title));
  const rowsOf = (section: string): Row[] => rows.filter((row) => row.section === section);
  return {
    markdown: head + sections.map((section) => sectionText(section, rowsOf(section.title))).join(''),
    requirements: rows.length,
    problems: [
      ...scans.flatMap(({ file, problems }) => problems.map((problem) => `${file}:${problem}`)),
      ...rows.map((row, index) => rowProblem(row, known, rows.slice(0, index))).filter((problem) => problem !== null),
      ...sections
        .filter(({ title }) => rowsOf(title).length === 0)
        .map(({ title }) => `No test names the section "${title}".`),
    ],
  };
};

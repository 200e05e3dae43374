/**
 * `npm run check:docs`, third part: each row of docs/traceability.md names a test that stands, by that title, in that
 * file. Whether the test passes is the suite's to say.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, repositoryRoot } from './report.ts';

const table = 'docs/traceability.md';

interface Row {
  readonly line: number;
  readonly requirement: string;
  readonly file: string;
  readonly title: string;
}

/** Cells of a table's row; a bar inside of a cell is written `\|`. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const isData = (line: string): boolean =>
  line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line) && !/^\|\s*Specification\s*\|/i.test(line);

const rowOf = (text: string, index: number): Row => {
  const [requirement = '', file = '', title = ''] = cellsOf(text);
  return { line: index + 1, requirement, file: file.replace(/^`|`$/g, ''), title };
};

const rowsOf = (markdown: string): Row[] =>
  markdown
    .split('\n')
    .map((text, index) => ({ text, index }))
    .filter(({ text }) => isData(text))
    .map(({ text, index }) => rowOf(text, index));

const sources = new Map<string, string | null>();
const sourceOf = (file: string): string | null => {
  const path = join(repositoryRoot, file);
  const known = sources.get(file);
  const text = known === undefined && existsSync(path) ? readFileSync(path, 'utf8') : (known ?? null);
  sources.set(file, text);
  return text;
};

/** A title as it stands in code: quoted, with its own quotes escaped or not. */
const hasTest = (source: string, title: string): boolean =>
  [`'${title.replaceAll("'", "\\'")}'`, `"${title.replaceAll('"', '\\"')}"`, `\`${title}\``].some((quoted) =>
    source.includes(quoted),
  );

const problemOf = ({ line, requirement, file, title }: Row): string | null => {
  const at = `${table}:${line}`;
  if (requirement === '' || file === '' || title === '') return `${at} needs a requirement, a file and a title`;
  const source = sourceOf(file);
  if (source === null) return `${at} names ${file}, which does not exist`;
  return hasTest(source, title) ? null : `${at} names "${title}", which is no test of ${file}`;
};

const rows = rowsOf(readFileSync(join(repositoryRoot, table), 'utf8'));
const problems = rows.map(problemOf).filter((problem) => problem !== null);
report(
  rows.length === 0 ? [`${table} has no rows`] : problems,
  `${rows.length} rows of the specification have a test.`,
);

/** What the index searches: sections of pages with their text, and files of code with their first comment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { anchorOf } from '../docs/anchors.ts';
import { filesBelow, sourceFiles } from '../source-files.ts';

export interface PageSection {
  /** From `docs/`, with its anchor. */
  readonly link: string;
  readonly heading: string;
  readonly text: string;
  /** A rule of the contract, or a section of rules. */
  readonly isRule: boolean;
}

export interface CodeFile {
  readonly path: string;
  readonly text: string;
  /** Its first comment. */
  readonly owns: string;
  readonly comments: readonly string[];
}

const code = ['server/src', 'portal/src', 'packages'];
/** Why something is so, and what others do, is no place to learn what holds. */
const isElsewhere = (page: string): boolean => page.startsWith('docs/decisions/') || page === 'docs/comparison.md';

/** A comment of a shell is no heading. */
const withoutExamples = (markdown: string): string => markdown.replace(/^(?<fence>```|~~~)[\s\S]*?^\k<fence>/gm, '');

const linkTo = (page: string): string => (page.startsWith('docs/') ? page.slice('docs/'.length) : `../${page}`);

const sectionsOf = (page: string, markdown: string): readonly PageSection[] => {
  const isContract = page.startsWith('docs/contract/') && page !== 'docs/contract/README.md';
  return withoutExamples(markdown)
    .split(/^(?=#{1,4} )/m)
    .map((part) => /^(?<marks>#{1,4}) (?<heading>.+)\n(?<text>[\s\S]*)$/.exec(part)?.groups ?? {})
    .filter(({ heading }) => heading !== undefined)
    .map(({ marks = '', heading = '', text = '' }) => ({
      link: marks === '#' ? linkTo(page) : `${linkTo(page)}#${anchorOf(heading)}`,
      heading,
      text,
      isRule: isContract && marks !== '#',
    }));
};

/** @param root the repository */
export const pageSections = (root: string): readonly PageSection[] =>
  [...filesBelow(root, 'docs', /\.md$/), 'README.md', 'SECURITY.md', 'CONTRIBUTING.md']
    .filter((page) => !isElsewhere(page))
    .flatMap((page) => sectionsOf(page, readFileSync(join(root, page), 'utf8')));

const withoutMarks = (comment: string): string => comment.replaceAll(/\n *(?:\*|\/\/) ?/g, ' ');

const fileOf = (root: string, path: string): CodeFile => {
  const text = readFileSync(join(root, path), 'utf8');
  const comments = (text.match(/\/\*\*[\s\S]*?\*\/|(?:^ *\/\/.*\n)+/gm) ?? []).map(withoutMarks);
  return {
    path,
    text,
    owns: text.startsWith('/**') ? (comments[0] ?? '') : '',
    comments,
  };
};

/** @param root the repository */
export const codeFiles = (root: string): readonly CodeFile[] =>
  code
    .flatMap((directory) => sourceFiles(root, directory))
    .filter((path) => !/\/(?:test|tests|examples)\/|\.test\./.test(path))
    .map((path) => fileOf(root, path));

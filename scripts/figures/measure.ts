/** Measures the source files of each part: the numbers of one row of the figures. */

import { duplicatedLines } from './clones.ts';
import { beginsWithoutSubject, wideCommentLines } from './comments.ts';
import type { Part } from './parts.ts';
import { percentile } from './percentile.ts';
import { readSyntax, type Syntax } from './syntax.ts';

/** The longest that a source file should be. */
export const longestFile = 300;

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly part: Part;
  /** Null for a style sheet. */
  readonly syntax: Syntax | null;
}

/** A file or function, by its path or its place. */
export interface Sized {
  readonly place: string;
  readonly lines: number;
}

export interface PartFigures {
  readonly part: Part;
  readonly files: number;
  readonly lines: number;
  readonly filesOverLimit: number;
  readonly functions: number;
  readonly median: number;
  readonly ninetieth: number;
  /** Null for a part without functions, or whose functions are not read. */
  readonly longestFunction: Sized | null;
  /** From 0 to 1, of the lines of code. */
  readonly duplicatedShare: number;
  readonly commentsWithoutSubject: number;
  readonly wideCommentLines: number;
}

/** Functions and texts of tests are not read: a test is as long as its story. */
export const readSourceFile = (path: string, text: string, part: Part): SourceFile => ({
  path,
  text,
  lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
  part,
  syntax: path.endsWith('.css') ? null : readSyntax(path, text, { declarations: part.isTest !== true }),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Largest first. */
export const bySize = (one: Sized, other: Sized): number => other.lines - one.lines;

export const measure = (part: Part, files: readonly SourceFile[]): PartFigures => {
  const parsed = files.flatMap(({ path, text, syntax }) => (syntax === null ? [] : [{ path, text, syntax }]));
  const functions = parsed.flatMap(({ path, syntax }) =>
    syntax.functions.map(({ first, last }) => ({ place: `${path}:${first}`, lines: last - first + 1 })),
  );
  const lengths = functions.map(({ lines }) => lines);
  const code = parsed.map(({ syntax }) => syntax.code);
  return {
    part,
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    filesOverLimit: files.filter(({ lines }) => lines > longestFile).length,
    functions: functions.length,
    median: percentile(lengths, 0.5),
    ninetieth: percentile(lengths, 0.9),
    longestFunction: functions.toSorted(bySize)[0] ?? null,
    duplicatedShare: duplicatedLines(code) / Math.max(1, sum(code.map(({ length }) => length))),
    commentsWithoutSubject: sum(parsed.map(({ syntax }) => syntax.comments.filter(beginsWithoutSubject).length)),
    wideCommentLines: sum(parsed.map(({ text, syntax }) => wideCommentLines(text, syntax.comments).length)),
  };
};

/** Counts comments by their form: without a subject, or wider than the code. */
import type { Comment } from './syntax.ts';

/** The formatter keeps code below this width, but wraps no comment. */
export const widestLine = 120;

/** Such a comment is a phrase without a subject: `Of a member: its roles`, `What the client sent`. */
export const beginsWithoutSubject = ({ text }: Comment): boolean => /^[\s*]*(?:Of|What)\b/.test(text);

/** @returns the numbers of the lines with a comment that are too wide */
export const wideCommentLines = (source: string, comments: readonly Comment[]): readonly number[] => {
  const lines = source.split('\n');
  const wide = new Set<number>();
  for (const { first, last } of comments) {
    for (let line = first; line <= last; line += 1) {
      if ((lines[line - 1] ?? '').length > widestLine) wide.add(line);
    }
  }
  return [...wide];
};

/** `npm run check:comments`: no comment is wider than the code, because the formatter wraps none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wideCommentLines, widestLine } from '../figures/comments.ts';
import { isSource } from '../figures/parts.ts';
import { readSyntax } from '../figures/syntax.ts';
import { trackedFiles } from '../figures/tracked-files.ts';
import { report, repositoryRoot } from '../report.ts';

const problemsOf = (path: string): readonly string[] => {
  const text = readFileSync(join(repositoryRoot, path), 'utf8');
  const { comments } = readSyntax(path, text, { declarations: false });
  return wideCommentLines(text, comments).map(
    (line) => `${path}:${line} has a comment beyond ${widestLine} characters`,
  );
};

const sources = trackedFiles(repositoryRoot).filter((path) => isSource(path) && !path.endsWith('.css'));
report(sources.flatMap(problemsOf), 'No comment is wider than the code.');

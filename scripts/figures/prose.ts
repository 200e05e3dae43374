/** Collects what readers read besides code: comments, pages, messages in English, and the names of the code. */
import { basename } from 'node:path/posix';
import { countWords, type WordCounts, wordsOfName } from './count-words.ts';
import type { SourceFile } from './measure.ts';
import { privateNames, privateWords } from './private-words.ts';

/** Texts in another language than English: `messages/de/…`, `texts/de.ts`, `texts/tokens/de.ts`. */
const translated = /\/(?:messages|texts)\/(?:[\w-]+\/)*(?!en\b)[a-z]{2}(?:\/|\.\w+$)/;

/** English texts that are data. */
const englishData =
  /\/(?:(?:messages|texts)\/(?:[\w-]+\/)*en(?:\/.*)?|(?:event|variable)-meanings|rule-explanations)\.json$/;

/** Whether a file, besides the source files, is prose that is read here. */
export const isProse = (path: string): boolean => path.endsWith('.md') || englishData.test(path);

const valuesOf = (data: unknown): readonly string[] => {
  if (typeof data === 'string') return [data];
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(valuesOf) : [];
};

/** What readers see of a file of prose: of data the texts, whose keys are names. */
export const proseOf = (path: string, text: string): string =>
  path.endsWith('.json') ? valuesOf(JSON.parse(text)).join('\n') : text;

/** The list itself, whose words are no use of them. */
const list = 'scripts/figures/private-words.ts';

export interface ProseFigures {
  /** Private words in comments, pages and messages. */
  readonly prose: WordCounts;
  /** Private words in exported names and the names of files. */
  readonly names: WordCounts;
}

/**
 * @param pages {@link proseOf} of the files that `isProse` selects
 * @param words what is counted in prose and in names, and what in names alone
 */
export const proseFigures = (
  files: readonly SourceFile[],
  pages: readonly string[],
  words = { everywhere: privateWords, inNames: privateNames },
): ProseFigures => {
  const english = files.filter(({ path }) => !translated.test(path));
  const prose = english.flatMap(({ path, syntax }) =>
    syntax === null || path === list ? [] : [...syntax.comments.map(({ text }) => text), ...syntax.texts],
  );
  const names = english
    .filter(({ part }) => part.isTest !== true)
    .flatMap(({ path, syntax }) => [basename(path), ...(syntax?.exports ?? [])].map(wordsOfName));
  return {
    prose: countWords([...prose, ...pages], words.everywhere),
    names: countWords(names, [...words.everywhere, ...words.inNames]),
  };
};

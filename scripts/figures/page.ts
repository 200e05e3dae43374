/** Puts the figures together as the lines that `npm run figures` prints. */

import { shortestRun } from './clones.ts';
import { widestLine } from './comments.ts';
import type { WordCounts } from './count-words.ts';
import { largeFolders, largestFolder } from './folders.ts';
import { bySize, longestFile, measure, type PartFigures, type Sized, type SourceFile } from './measure.ts';
import { parts } from './parts.ts';
import type { ProseFigures } from './prose.ts';
import { grouped, table } from './table.ts';

const shownFiles = 3;
const shownFolders = 10;
const shownWords = 8;

const head = [
  'Lines of .ts, .tsx, .mjs and .css that git tracks, blank ones and comments included, generated files not.',
  `Clones: share of the lines of code in runs of ${shortestRun} or more that stand elsewhere in the part, first copy apart.`,
  `Of/What: comments that begin with such a word. Wide: lines with a comment of more than ${widestLine} characters.`,
];

const columns = [
  'part',
  'files',
  'lines',
  'ceiling',
  `> ${longestFile}`,
  'functions',
  'p50',
  'p90',
  'max',
  'clones',
  'Of/What',
  'wide',
];

const row = (figures: PartFigures): string[] => {
  const ofSource = (count: number): string => (figures.part.isTest === true ? '' : grouped(count));
  return [
    figures.part.name,
    grouped(figures.files),
    grouped(figures.lines),
    figures.part.ceiling === undefined ? '' : grouped(figures.part.ceiling),
    ofSource(figures.filesOverLimit),
    ofSource(figures.functions),
    ofSource(figures.median),
    ofSource(figures.ninetieth),
    ofSource(figures.longestFunction?.lines ?? 0),
    `${(figures.duplicatedShare * 100).toFixed(1)} %`,
    grouped(figures.commentsWithoutSubject),
    grouped(figures.wideCommentLines),
  ];
};

const indented = ({ place, lines }: Sized): string => `  ${place} (${lines})`;

const longestFunctions = (figures: readonly PartFigures[]): string[] => [
  'Longest functions:',
  ...figures.flatMap(({ longestFunction }) => (longestFunction === null ? [] : [indented(longestFunction)])),
];

const longFiles = (files: readonly SourceFile[]): string[] => {
  const long = files
    .filter(({ lines, part }) => lines > longestFile && part.isTest !== true)
    .map(({ path, lines }) => ({ place: path, lines }))
    .sort(bySize);
  return [`Source files over ${longestFile} lines: ${long.length}`, ...long.slice(0, shownFiles).map(indented)];
};

const folderLines = (files: readonly SourceFile[]): string[] => {
  const large = largeFolders(files.map(({ path }) => path));
  const shown = large.slice(0, shownFolders).map((folder) => `  ${folder.path} (${folder.files})`);
  return [`Folders with more than ${largestFolder} source files: ${large.length}`, ...shown];
};

const words = (counts: WordCounts): string => {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const shown = counts.slice(0, shownWords).map(([word, count]) => `${word} ${count}`);
  return [`${grouped(total)} of ${counts.length} words`, ...shown].join(', ');
};

export const figureLines = (files: readonly SourceFile[], { prose, names }: ProseFigures): string[] => {
  const figures = parts.map((part) =>
    measure(
      part,
      files.filter((file) => file.part === part),
    ),
  );
  return [
    ...head,
    '',
    ...table([columns, ...figures.map(row)]),
    '',
    ...longestFunctions(figures),
    ...longFiles(files),
    ...folderLines(files),
    `Private words in comments, pages and messages: ${words(prose)}`,
    `Private words in names of exports and files: ${words(names)}`,
  ];
};

/**
 * `npm run check:source`: faults that neither the compiler nor the linters report: double casts, notes of unfinished
 * work, tests that are skipped or run alone, and sources that are too long.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { report, repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

const longestSource = 300;

/** Some patterns have a class of one character, so that they do not match this file. */
const forbidden: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /\bas [u]nknown as\b/, reason: 'a double cast hides a type error; parse or narrow the value' },
  { pattern: /@ts-(?:[i]gnore|[n]ocheck)/, reason: 'the compiler must see every line' },
  { pattern: /\b(?:[T]ODO|[F]IXME|[X]XX|[H]ACK)\b|\b[n]ot implemented\b/, reason: 'finish it, or leave it out' },
  { pattern: /\b(?:it|test|describe)\.(?:skip|only|todo|fixme)\b/, reason: 'every test runs' },
];

const isTest = (path: string): boolean => /(?:^|\/)test\/|\.test\.tsx?$/.test(path);

const lineProblems = (path: string, line: string, index: number): string[] =>
  forbidden
    .filter(({ pattern }) => pattern.test(line))
    .map(({ reason }) => `${path}:${index + 1} ${line.trim().slice(0, 80)}: ${reason}`);

const problemsIn = (path: string): string[] => {
  const lines = readFileSync(join(repositoryRoot, path), 'utf8').replace(/\n$/, '').split('\n');
  const tooLong = /\.tsx?$/.test(path) && !isTest(path) && lines.length > longestSource;
  return [
    ...lines.flatMap((line, index) => lineProblems(path, line, index)),
    ...(tooLong ? [`${path} has ${lines.length} lines, more than ${longestSource}: split it by subject`] : []),
  ];
};

const files = filesBelow(repositoryRoot, '', /\.(?:[mc]?[jt]sx?|sql|graphql)$/);
report(
  files.flatMap(problemsIn),
  `${files.length} sources have no double cast, unfinished work, skipped test or excessive length.`,
);

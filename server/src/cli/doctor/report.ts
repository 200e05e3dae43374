/** How findings are shown: a list for people, one JSON object for programs. */
import { type Finding, type Level, subjects } from './finding.ts';

const marks: Readonly<Record<Level, string>> = { ok: '✓ ok     ', warning: '! warning', error: '✗ error  ' };
const colours: Readonly<Record<Level, string>> = { ok: '32', warning: '33', error: '31' };

/** The facts of `--json`. */
export interface Report {
  /** No finding is an error. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** In the order of the subjects; within one, as found. */
export const reportOf = (found: readonly Finding[]): Report => ({
  ok: found.every(({ level }) => level !== 'error'),
  findings: subjects.flatMap((subject) => found.filter(({ check }) => check === subject)),
});

/** @param isColoured whether marks are coloured; the words beside them say the same */
export const reportAsText = ({ findings }: Report, isColoured: boolean): string =>
  [...findings.map((finding) => shown(finding, isColoured)), '', `${summary(findings)}\n`].join('\n');

const subjectWidth = Math.max(...subjects.map((subject) => subject.length));

const shown = ({ check, level, says, mend }: Finding, isColoured: boolean): string => {
  const mark = isColoured ? `\u001b[${colours[level]}m${marks[level]}\u001b[0m` : marks[level];
  const indent = ' '.repeat(marks.ok.length + subjectWidth + 4);
  return `${mark}  ${check.padEnd(subjectWidth)}  ${says}${mend === null ? '' : `\n${indent}Mend: ${mend}`}`;
};

const summary = (findings: readonly Finding[]): string => {
  const count = (wanted: Level): number => findings.filter(({ level }) => level === wanted).length;
  const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
  return `${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}, ${count('ok')} ok.`;
};

/** The findings of the doctor, and the report of all findings. */
import { counted } from '../output.ts';

// A finding: one sentence and, for a fault, how to fix it. Never contains a secret.

/** The subjects of the checks, in display order. */
const subjects = [
  'configuration',
  'origins',
  'proxy',
  'database',
  'clock',
  'accounts',
  'payments',
  'mail',
  'redis',
  'provider',
  'service',
  'portal',
  'mcp',
] as const;
type Subject = (typeof subjects)[number];

/** `error`: a function cannot work. `warning`: it works less well, or less safely, than intended. */
type Level = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly check: Subject;
  readonly level: Level;
  /** One sentence. */
  readonly says: string;
  readonly fix: string | null;
}

/** Creates the finding constructors of one subject. */
export const findingsOn = (check: Subject) => ({
  ok: (says: string): Finding => ({ check, level: 'ok', says, fix: null }),
  warning: (says: string, fix: string): Finding => ({ check, level: 'warning', says, fix }),
  error: (says: string, fix: string): Finding => ({ check, level: 'error', says, fix }),
});

/** Splits a sentence of the form "what is wrong; what to do.", the form of the database's refusals. */
export const splitAdvice = (sentence: string): { readonly says: string; readonly advice: string } => {
  const at = sentence.lastIndexOf('; ');
  if (at === -1) return { says: sentence, advice: '' };
  const advice = sentence.slice(at + 2);
  return { says: `${sentence.slice(0, at)}.`, advice: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}` };
};

// Output of findings: a list for people, one JSON object for programs.

const marks: Readonly<Record<Level, string>> = { ok: '✓ ok     ', warning: '! warning', error: '✗ error  ' };
const colours: Readonly<Record<Level, string>> = { ok: '32', warning: '33', error: '31' };

/** The content of `--json`. */
export interface Report {
  /** True when no finding is an error. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Sorts findings by subject, and keeps their order within one. */
export const reportOf = (found: readonly Finding[]): Report => ({
  ok: found.every(({ level }) => level !== 'error'),
  findings: subjects.flatMap((subject) => found.filter(({ check }) => check === subject)),
});

/** @param isColoured whether marks are coloured; the words next to them have the same meaning */
export const reportAsText = ({ findings }: Report, isColoured: boolean): string =>
  [...findings.map((finding) => shown(finding, isColoured)), '', `${summary(findings)}\n`].join('\n');

const subjectWidth = Math.max(...subjects.map((subject) => subject.length));

const shown = ({ check, level, says, fix }: Finding, isColoured: boolean): string => {
  const mark = isColoured ? `\u001b[${colours[level]}m${marks[level]}\u001b[0m` : marks[level];
  const indent = ' '.repeat(marks.ok.length + subjectWidth + 4);
  return `${mark}  ${check.padEnd(subjectWidth)}  ${says}${fix === null ? '' : `\n${indent}Fix: ${fix}`}`;
};

const summary = (findings: readonly Finding[]): string => {
  const count = (wanted: Level): number => findings.filter(({ level }) => level === wanted).length;
  return `${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${count('ok')} ok.`;
};

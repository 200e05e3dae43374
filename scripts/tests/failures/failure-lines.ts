/**
 * Failures as lines of text within a budget, which they share: each has its name, the assertion and the end of its log.
 * The names of all follow, because a log is often read by its last lines alone.
 */
import { stripVTControlCharacters } from 'node:util';
import type { FailedRun, Failure } from './failures.ts';

const widest = 320;
/** The name, the message and where it was thrown. */
const leastEach = 3;
/** Of the names at the end. */
const mostNames = 25;

const cut = (text: string): string => (text.length > widest ? `${text.slice(0, widest - 1)}…` : text);

const linesOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .map(cut);

const isFrame = (line: string): boolean => /^\s+at /.test(line);
const isOfOthers = (line: string): boolean => /node_modules|node:/.test(line);

/** The message, and the first place in a file of this repository. */
const linesOfError = (error: string): { readonly message: readonly string[]; readonly place: readonly string[] } => {
  const lines = linesOf(error);
  const place = lines.find((line) => isFrame(line) && !isOfOthers(line));
  return { message: lines.filter((line) => !isFrame(line)), place: place === undefined ? [] : [place.trim()] };
};

const indented = (lines: readonly string[], by: string): string[] => lines.map((line) => `${by}${line}`);

interface Described extends Failure {
  readonly suite: string;
}

const nameOf = ({ suite, name }: Pick<Described, 'suite' | 'name'>): string =>
  `${suite}: ${name.replaceAll('\n', ' ')}`;

/** @param room at least `leastEach`; the log has what the error leaves, and at least half where that is needed */
const linesOfFailure = ({ suite, name, errors, log }: Described, room: number): readonly string[] => {
  const described = errors.map(linesOfError);
  const places = described.flatMap(({ place }) => place).slice(0, 1);
  const rest = Math.max(room - 1 - places.length, 1);
  const logged = log.flatMap(linesOf);
  const ofLog = Math.min(logged.length, Math.floor(rest / 2));
  const message = described.flatMap((error) => error.message).slice(0, rest - ofLog);
  const left = rest - message.length;
  return [
    cut(`FAILED: ${nameOf({ suite, name })}`),
    ...indented(message, '  '),
    ...indented(places, '  '),
    ...indented(left === 0 ? [] : logged.slice(-left), '  | '),
  ];
};

const killedRun = (suite: string): Described => ({
  suite,
  name: 'the run',
  errors: ['Its process ended before the run did: test-results has no totals of it'],
  log: [],
});

/** The names of several failures, and how many more there are. */
const summary = (failures: readonly Described[]): readonly string[] => {
  if (failures.length < 2) return [];
  const names = failures.slice(0, mostNames).map((failure) => cut(`- ${nameOf(failure)}`));
  const leftOut = failures.length - names.length;
  return [`${failures.length} failures:`, ...names, ...(leftOut === 0 ? [] : [`… and ${leftOut} more`])];
};

/** @param budget the number of lines; what one failure leaves, the later ones share */
export const failureLines = (runs: readonly FailedRun[], budget: number): readonly string[] => {
  const failures = runs.flatMap(({ suite, isOver, failures: failed }) => [
    ...failed.map((failure): Described => ({ suite, ...failure })),
    ...(isOver ? [] : [killedRun(suite)]),
  ]);
  const last = summary(failures);
  const room = budget - last.length;
  const shown = failures.slice(0, Math.floor(room / leastEach));
  const lines: string[] = [];
  for (const [index, failure] of shown.entries()) {
    lines.push(...linesOfFailure(failure, Math.floor((room - lines.length) / (shown.length - index))));
  }
  return [...lines, ...last];
};

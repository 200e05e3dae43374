/** The last lines that services and processes of a test file have logged: a failed test's report ends with them. */

/** Returns what has been logged so far, in whole lines or not. */
type Logged = () => readonly string[];

interface Source {
  readonly name: string;
  readonly logged: Logged;
}

/** Of the services of a file; a test rarely has more, and the trace of one may be long. */
const mostSources = 6;
const mostLines = 40;

let sources: Source[] = [];

/** @param name tells it apart from other services of the test, such as its address */
export const keepLog = (name: string, logged: Logged): void => {
  sources = [...sources.slice(1 - mostSources), { name, logged }];
};

/** Between two files. */
export const forgetLogs = (): void => {
  sources = [];
};

/** Without what every line has. */
const shorter = (line: string): string => line.trim().replace('"service":"gatehouse",', '');

/** The last lines of all, shared equally, each with the name of its source. */
export const lastLines = (): readonly string[] => {
  const logged = sources
    .map(({ name, logged: read }) => ({ name, lines: read().slice(-mostLines).join('\n').split('\n') }))
    .map(({ name, lines }) => ({ name, lines: lines.filter((line) => line.trim() !== '') }))
    .filter(({ lines }) => lines.length > 0);
  const each = Math.floor(mostLines / Math.max(logged.length, 1));
  return logged.flatMap(({ name, lines }) => lines.slice(-each).map((line) => `${name} ${shorter(line)}`));
};

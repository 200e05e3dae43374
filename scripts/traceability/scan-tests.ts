/**
 * Finds the traced tests of one source file. A requirement stands directly above its test in this form, the next one on
 * the next line; a line that begins with three spaces continues the line before it:
 *
 *     // Specification: Credential pair — The paired access token may be expired
 *     it('rotates a pair whose access token has expired', …
 */
import { mask } from './mask.ts';

export interface Trace {
  readonly section: string;
  readonly requirement: string;
  /** The title as it stands in the source, with the placeholders of `it.each`. */
  readonly title: string;
  readonly line: number;
}

export interface TestScan {
  readonly traces: readonly Trace[];
  /** Sentences that begin with the line: comments in another form, or above no test. */
  readonly problems: readonly string[];
}

const anyTrace = /^[ \t]*\/\/[ \t]*specification:/i;
const trace = /^[ \t]*\/\/ Specification: (?<section>.+?) — (?<requirement>.+)$/;
const continuation = /^[ \t]*\/\/ {3}(?<text>\S.*)$/;
const testName = /[ \t]*(?:it|test)\b/y;
const openings = '([{';
const closings = ')]}';

interface Block {
  readonly requirements: readonly { readonly section: string; readonly requirement: string; readonly line: number }[];
  readonly problems: readonly string[];
  /** Index of the first line after the comment. */
  readonly next: number;
}

/** Position after the bracket that closes the one at `at`. */
const afterBracket = (code: string, at: number): number => {
  let depth = 0;
  for (let index = at; index < code.length; index += 1) {
    const character = code[index] ?? '';
    if (openings.includes(character)) depth += 1;
    if (closings.includes(character)) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return code.length;
};

/** Position after type arguments; the arrow of a function's type closes none. */
const afterTypeArguments = (code: string, at: number): number => {
  let depth = 0;
  for (let index = at; index < code.length; index += 1) {
    if (code[index] === '<') depth += 1;
    if (code[index] === '>' && code[index - 1] !== '=') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return code.length;
};

const afterSpace = (code: string, at: number): number => at + (/^\s*/.exec(code.slice(at))?.[0].length ?? 0);

/** Where the arguments begin that hold the title: those of `each`, `runIf` and the like are followed by more. */
const titleAt = (code: string, from: number): number | null => {
  let at = from;
  for (;;) {
    const name = /^\s*\.\s*\w+/.exec(code.slice(at, at + 200))?.[0];
    if (name !== undefined) at += name.length;
    else if (code[at] === '<') at = afterTypeArguments(code, at);
    else if (code[at] === '(') {
      const next = afterBracket(code, at);
      const following = code[afterSpace(code, next)];
      if (following !== '(' && following !== '.') return afterSpace(code, at + 1);
      at = afterSpace(code, next);
    } else return null;
  }
};

const literal = /(?<quote>['"`])(?<text>(?:(?!\k<quote>)[^\\]|\\[\s\S])*)\k<quote>\s*,/y;

/** Title of the test whose statement begins at `start`; null when there is no test, or its title is no literal. */
const titleOf = (source: string, code: string, start: number): string | null => {
  testName.lastIndex = start;
  const name = testName.exec(code)?.[0];
  const at = name === undefined ? null : titleAt(code, start + name.length);
  if (at === null) return null;
  literal.lastIndex = at;
  return literal.exec(source)?.groups?.['text']?.replace(/\\(['"`\\])/g, '$1') ?? null;
};

/** All requirements of the comment that begins at the line `first`. */
const blockAt = (lines: readonly string[], first: number): Block => {
  const requirements: { section: string; requirement: string; line: number }[] = [];
  const problems: string[] = [];
  let next = first;
  for (; next < lines.length; next += 1) {
    const text = lines[next] ?? '';
    const last = requirements.at(-1);
    const more = continuation.exec(text)?.groups?.['text'];
    const { section, requirement } = trace.exec(text)?.groups ?? {};
    if (section !== undefined && requirement !== undefined) requirements.push({ section, requirement, line: next + 1 });
    else if (more !== undefined && last !== undefined) last.requirement += ` ${more}`;
    else if (anyTrace.test(text)) problems.push(`${next + 1} write "// Specification: Section — Requirement"`);
    else break;
  }
  return { requirements, problems, next };
};

/** Position of each line. */
const startsOf = (lines: readonly string[]): number[] => {
  const starts = [0];
  for (const { length } of lines) starts.push((starts.at(-1) ?? 0) + length + 1);
  return starts;
};

/**
 * @param source a TypeScript file as a formatter leaves it
 * @returns its traced tests in their order, and what is wrong with its comments
 */
export const scanTests = (source: string): TestScan => {
  const traces: Trace[] = [];
  const problems: string[] = [];
  if (!/specification:/i.test(source)) return { traces, problems };
  const { code, comments } = mask(source);
  const places = new Set(comments.map(({ start }) => start));
  const lines = source.split('\n');
  const starts = startsOf(lines);
  const isTrace = (index: number): boolean =>
    anyTrace.test(lines[index] ?? '') && places.has((starts[index] ?? 0) + (lines[index] ?? '').indexOf('//'));
  for (let index = 0; index < lines.length; index += 1) {
    if (!isTrace(index)) continue;
    const block = blockAt(lines, index);
    const title = titleOf(source, code, starts[block.next] ?? source.length);
    problems.push(...block.problems);
    if (title === null) problems.push(`${index + 1} no test with a literal title follows the comment directly`);
    else traces.push(...block.requirements.map((requirement) => ({ ...requirement, title })));
    index = block.next - 1;
  }
  return { traces, problems };
};

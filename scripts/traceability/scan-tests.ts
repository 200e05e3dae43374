/**
 * Finds the traced tests of one source file. A requirement is a comment directly above its test in this form, the next
 * one on the next line; a line that begins with three spaces continues the line before it:
 *
 *     // Contract: credentials#rotation — The paired access token may be expired
 *     it('rotates a pair whose access token has expired', …
 */
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

export interface Trace {
  /** Its page below docs/contract and its anchor: `credentials#rotation`. */
  readonly rule: string;
  readonly requirement: string;
  /** The title as written in the source, with the placeholders of `it.each`. */
  readonly title: string;
  readonly line: number;
}

interface TestScan {
  readonly traces: readonly Trace[];
  /** Sentences that begin with the line: malformed comments, or ones above no test. */
  readonly problems: readonly string[];
}

const anyTrace = /^\s*contract:/i;
const trace = /^ Contract: (?<rule>[a-z-]+#[\p{L}\p{N}_-]+) — (?<requirement>.+)$/u;
const continuation = /^ {3}(?<text>\S.*)$/;

type Requirement = Omit<Trace, 'title'>;

/** The requirements of one comment. */
interface Block {
  readonly requirements: Requirement[];
  readonly problems: string[];
  /** Line of the last line of the comment. */
  last: number;
}

/** Whether a call is one of `it(…)`, `it.each(…)(…)`, `test.skipIf(…)(…)` and the like. */
const isTest = (node: ESTree.Node): boolean => {
  if (node.type === 'CallExpression') return isTest(node.callee);
  if (node.type === 'MemberExpression') return isTest(node.object);
  return node.type === 'Identifier' && (node.name === 'it' || node.name === 'test');
};

const titleOf = (source: string, { arguments: [title] }: ESTree.CallExpression): string | null => {
  if (title?.type === 'TemplateLiteral') return source.slice(title.start + 1, title.end - 1);
  return title?.type === 'Literal' && typeof title.value === 'string' ? title.value : null;
};

/**
 * @param path of the file, whose extension decides the syntax
 * @param source a formatted TypeScript file
 * @returns its traced tests in their order, and what is wrong with its comments
 */
export const scanTests = (path: string, source: string): TestScan => {
  if (!/contract:/i.test(source)) return { traces: [], problems: [] };
  const { program, comments } = parseSync(path, source);
  const lineAt = (index: number): number => source.slice(0, index).split('\n').length;
  const titles = new Map<number, string | null>();
  new Visitor({
    ExpressionStatement: ({ start, expression }) => {
      if (expression.type === 'CallExpression' && isTest(expression))
        titles.set(lineAt(start), titleOf(source, expression));
    },
  }).visit(program);
  const blocks = blocksOf(comments.map(({ value, start }) => ({ text: value, line: lineAt(start) })));
  const scans = blocks.map(({ requirements, problems, last }): TestScan => {
    const title = titles.get(last + 1) ?? null;
    return title === null
      ? { traces: [], problems: [...problems, `${last} no test with a literal title follows the comment directly`] }
      : { traces: requirements.map((requirement) => ({ ...requirement, title })), problems };
  });
  return { traces: scans.flatMap(({ traces }) => traces), problems: scans.flatMap(({ problems }) => problems) };
};

interface Line {
  readonly text: string;
  readonly line: number;
}

const blocksOf = (comments: readonly Line[]): Block[] => {
  const blocks: Block[] = [];
  for (const comment of comments) {
    const open = blocks.at(-1);
    const isNext = open !== undefined && open.last === comment.line - 1;
    if (isNext && continues(open, comment)) continue;
    if (!anyTrace.test(comment.text)) continue;
    const block = isNext ? open : { requirements: [], problems: [], last: comment.line };
    if (!isNext) blocks.push(block);
    begin(block, comment);
  }
  return blocks;
};

/** Appends a continuation to the last requirement. */
const continues = (block: Block, { text, line }: Line): boolean => {
  const more = continuation.exec(text)?.groups?.['text'];
  const last = block.requirements.at(-1);
  if (more === undefined || last === undefined) return false;
  block.requirements.splice(-1, 1, { ...last, requirement: `${last.requirement} ${more}` });
  block.last = line;
  return true;
};

const begin = (block: Block, { text, line }: Line): void => {
  const { rule, requirement } = trace.exec(text)?.groups ?? {};
  if (rule !== undefined && requirement !== undefined) block.requirements.push({ rule, requirement, line });
  else block.problems.push(`${line} write "// Contract: page#rule — Requirement"`);
  block.last = line;
};

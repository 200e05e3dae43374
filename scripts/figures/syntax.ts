/** Reads the functions, comments, texts and exported names of a TypeScript file from its syntax tree. */
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { lineNumbers } from '../line-numbers.ts';

/** Numbers of the first and the last line, from 1. */
interface Range {
  readonly first: number;
  readonly last: number;
}

export interface Comment extends Range {
  /** Without the marks around it. */
  readonly text: string;
}

export interface Syntax {
  readonly comments: readonly Comment[];
  /** The lines of the code, without comments and blank lines, each with single spaces. */
  readonly code: readonly string[];
  /** Every function, method and callback with a body; empty for `declarations: false`. */
  readonly functions: readonly Range[];
  /** Strings, parts of templates, and text of JSX with a space in them; empty for `declarations: false`. */
  readonly texts: readonly string[];
  readonly exports: readonly string[];
}

const withoutComments = (source: string, comments: readonly { start: number; end: number }[]): string => {
  let [text, end] = ['', 0];
  for (const comment of comments) {
    // The code around a comment keeps its lines.
    text += source.slice(end, comment.start) + source.slice(comment.start, comment.end).replace(/[^\n]+/g, ' ');
    end = comment.end;
  }
  return text + source.slice(end);
};

const linesOf = (code: string): string[] =>
  code
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');

/** @param options.declarations false leaves out what needs a walk through the tree, most of the time of a file */
export const readSyntax = (path: string, source: string, options: { readonly declarations: boolean }): Syntax => {
  const result = parseSync(path, source);
  const lineAt = lineNumbers(source);
  const range = ({ start, end }: ESTree.Span): Range => ({ first: lineAt(start), last: lineAt(end - 1) });
  const functions: Range[] = [];
  const texts: string[] = [];
  const addFunction = (node: ESTree.Span): void => void functions.push(range(node));
  const addText = (text: string): void => {
    if (text.includes(' ')) texts.push(text);
  };
  const visitor = new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    Literal: ({ value }) => {
      if (typeof value === 'string') addText(value);
    },
    TemplateElement: ({ value }) => addText(value.raw),
    JSXText: ({ value }) => addText(value),
  });
  if (options.declarations) visitor.visit(result.program);
  return {
    comments: result.comments.map((comment) => ({ ...range(comment), text: comment.value })),
    code: linesOf(withoutComments(source, result.comments)),
    functions,
    texts,
    exports: result.module.staticExports
      .flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name))
      .filter((name) => name !== null),
  };
};

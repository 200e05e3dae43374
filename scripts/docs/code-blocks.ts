/** Owns the code of a Markdown page: its blocks with their languages and names of files, and the code in sentences. */

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Of the first line of the code. */
  readonly line: number;
  /** `api.ts`, where the line before the block is that name in bold. */
  readonly fileName?: string;
}

const blockForm =
  /(?:^\*\*`(?<fileName>[^`\n]+)`\*\*\n\n)?^(?<indent> *)```(?<language>\w+)\n(?<code>[\s\S]*?)^ *```$/gm;

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

export const blocksOf = (markdown: string): CodeBlock[] =>
  Array.from(markdown.matchAll(blockForm), (match) => {
    const { fileName, indent = '', language = '', code = '' } = match.groups ?? {};
    return {
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: lineAt(markdown, match.index + match[0].indexOf('```')) + 1,
      ...(fileName === undefined ? {} : { fileName }),
    };
  });

/** Code between backticks outside of blocks, each with its line. */
export const inlineCode = (markdown: string): { readonly code: string; readonly line: number }[] => {
  const text = markdown.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''));
  return Array.from(text.matchAll(/`([^`\n]+)`/g), (match) => ({
    code: match[1] ?? '',
    line: lineAt(text, match.index),
  }));
};

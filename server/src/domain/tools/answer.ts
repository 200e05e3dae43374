/**
 * The answer of a tool, once for a program and once as text (MCP, "Structured Content"; contract, "Development"): the
 * text is one sentence and, on the next line, the structured content serialized, so that a client that reads only text
 * has every id, cursor and instant that its next call needs.
 */

export interface ToolAnswer {
  /** As `outputSchemaOf` says; JSON values only. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** One sentence, a line break, and `structured` as JSON. */
  readonly text: string;
}

/** 25 KB of UTF-8: clients cut off longer texts. */
export const mostBytes = 25_000;

/** @param sentence names in it were chosen by strangers: line breaks are taken out, so that JSON is all of the second line */
export const answerOf = (sentence: string, structured: ToolAnswer['structured']): ToolAnswer => ({
  structured,
  text: `${sentence.replaceAll(/\s+/g, ' ')}\n${JSON.stringify(structured)}`,
});

/**
 * The answer with as many rows as fit into {@link mostBytes}.
 * @param print the answer with at most so many rows in each of its lists
 * @returns an answer without lists, or with one row in each, is answered whatever its length
 */
export const answerInSize = (print: (mostRows: number) => ToolAnswer): ToolAnswer => {
  let answer = print(Number.POSITIVE_INFINITY);
  for (;;) {
    const bytes = Buffer.byteLength(answer.text);
    const rows = longestListIn(answer);
    if (bytes <= mostBytes || rows <= 1) return answer;
    // Rows are about as long as each other; each round takes at least one away.
    answer = print(Math.max(1, Math.floor((rows * mostBytes) / bytes)));
  }
};

const longestListIn = ({ structured }: ToolAnswer): number =>
  Math.max(0, ...Object.values(structured).map((value) => (Array.isArray(value) ? value.length : 0)));

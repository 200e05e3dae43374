/** Owns texts of comma-separated values (RFC 4180) that a spreadsheet opens as data and never as formulas. */

type Cell = string | number | null;

/** The text of rows, with CRLF at the end of each. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/**
 * Spreadsheets run a cell that begins with one of these signs, also a full-width one, as a formula (OWASP, "CSV
 * Injection"), whatever quotes and spaces are before it. Those that separate cells by semicolons or tabs also begin a
 * cell behind each of these within ours, and a row behind a line break. A run of such characters is matched from its
 * beginning alone, in linear time.
 */
const formula = /(?<![;\s"])([;\s"]*)([=+\-@＝＋－＠])/g;
const beginsCell = /[;\t\r\n]/;

/** Puts an apostrophe before each formula, and before what the text begins with where a spreadsheet would skip it. */
const withoutFormulas = (text: string): string => {
  const inert = text.replaceAll(formula, (found, before: string, sign: string, at: number) =>
    at === 0 || beginsCell.test(before) ? `${before}'${sign}` : found,
  );
  return /^[\t\r\n]/.test(inert) ? `'${inert}` : inert;
};

const cellOf = (cell: Cell): string => {
  const text = String(cell ?? '');
  const plain = typeof cell === 'string' ? withoutFormulas(text) : text;
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

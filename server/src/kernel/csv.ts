/** Owns texts of comma-separated values (RFC 4180) that a spreadsheet opens as data and never as formulas. */

type Cell = string | number | null;

/** The text of rows, with CRLF at the end of each. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/**
 * Spreadsheets run a cell that begins with one of these as a formula (OWASP, "CSV Injection"); a name that a stranger
 * chose must not be one.
 */
const formula = /^[=+\-@\t\r]/;

const cellOf = (cell: Cell): string => {
  const text = String(cell ?? '');
  const plain = typeof cell === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

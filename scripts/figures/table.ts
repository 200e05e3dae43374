/** Prints rows as a table of text: the first column begins at the left, the numbers of the others end at the right. */

export const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

/** With a comma between thousands. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

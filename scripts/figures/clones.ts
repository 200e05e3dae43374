/**
 * Counts duplicated lines: those of a run of at least six lines that stands elsewhere too, each copy but the first.
 *
 * A detector of its own, because the published ones are larger than the task: version 5 of jscpd is a program for each
 * platform (eight optional packages), version 4 has six packages and reads tokens that the parser has read already.
 */

/** Shorter runs repeat by chance: imports, closing brackets, the parameters of a call. */
export const shortestRun = 6;

/**
 * @param files the lines of code of each file (`code` of syntax.ts)
 * @returns the number of duplicated lines
 */
export const duplicatedLines = (files: readonly (readonly string[])[]): number => {
  const known = new Set<string>();
  let duplicated = 0;
  for (const lines of files) {
    /** The lines before this index are counted already. */
    let counted = 0;
    for (let at = 0; at + shortestRun <= lines.length; at += 1) {
      const run = lines.slice(at, at + shortestRun).join('\n');
      if (known.has(run)) {
        duplicated += at + shortestRun - Math.max(at, counted);
        counted = at + shortestRun;
      }
      known.add(run);
    }
  }
  return duplicated;
};

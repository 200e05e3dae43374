/** Replaces the printed parts of a page, each between two markers. */

/**
 * @param name of the part: `<!-- name: begin -->` and `<!-- name: end -->` are in the page
 * @throws Error when one of them is missing
 */
export const withPart = (page: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`];
  const [before, rest] = page.split(begin, 2);
  const [, after] = (rest ?? '').split(end, 2);
  if (before === undefined || after === undefined)
    throw new Error(`The page needs the markers ${begin.trim()} and ${end}.`);
  return `${before}${begin}\n${text}\n${end}${after}`;
};

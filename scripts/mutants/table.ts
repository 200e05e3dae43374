/** The table of mutants in docs/testing.md, between two markers of the page. */
import type { Mutant } from '../../server/test/mutants/mutant.ts';

const begin = '<!-- mutants: begin -->\n';
const end = '<!-- mutants: end -->';

const short = (path: string): string => `\`${path.replace(/^server\/(?:src|test)\//, '')}\``;

const rowOf = ({ rule, area, file, tests, command }: Mutant, index: number): string =>
  `| ${index + 1} | ${area} | ${rule.replaceAll('|', '\\|')} | ${short(file)} | ${tests.map(short).join(', ')} | \`${command}\` |\n`;

const tableOf = (mutants: readonly Mutant[]): string =>
  `| | Area | Rule | Fault in \`server/src\` | Killed by, in \`server/test\` | Command |\n| - | - | - | - | - | - |\n${mutants.map(rowOf).join('')}`;

/**
 * @param page with both markers
 * @throws Error when one of them is missing
 */
export const withTable = (page: string, mutants: readonly Mutant[]): string => {
  const [before, rest] = page.split(begin, 2);
  const [, after] = (rest ?? '').split(end, 2);
  if (before === undefined || after === undefined)
    throw new Error(`The page needs the markers ${begin.trim()} and ${end}.`);
  return `${before}${begin}\n${tableOf(mutants)}\n${end}${after}`;
};

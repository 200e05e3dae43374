/** The table of mutants in docs/testing.md, between two markers of the page. */
import type { Mutant } from '../../server/test/mutants/mutant.ts';
import { withPart } from '../printing/page-parts.ts';

const short = (path: string): string => `\`${path.replace(/^server\/(?:src|test)\//, '')}\``;

const rowOf = ({ rule, area, file, tests, command }: Mutant, index: number): string =>
  `| ${index + 1} | ${area} | ${rule.replaceAll('|', '\\|')} | ${short(file)} | ${tests.map(short).join(', ')} | \`${command}\` |\n`;

const tableOf = (mutants: readonly Mutant[]): string =>
  `| | Area | Rule | Fault in \`server/src\` | Killed by, in \`server/test\` | Command |\n| - | - | - | - | - | - |\n${mutants.map(rowOf).join('')}`;

/**
 * @param page with the markers of the table
 * @throws Error when one of them is missing
 */
export const withTable = (page: string, mutants: readonly Mutant[]): string =>
  withPart(page, 'mutants', tableOf(mutants));

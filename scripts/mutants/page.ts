/** The page of all mutants: the rule of each, where its fault is injected, and the tests that must fail. */
import type { Mutant } from '../../server/test/mutants/mutant.ts';

const head = `# Mutants

Each row is a fault in one line of the source and the test files that must fail ([Tests](testing.md#mutants)). The page is
printed from the lists in \`server/test/mutants\`.

| | Area | Rule | Fault in \`server/src\` | Killed by, in \`server/test\` | Command |
| - | - | - | - | - | - |
`;

const short = (path: string): string => `\`${path.replace(/^server\/(?:src|test)\//, '')}\``;

const rowOf = ({ rule, area, file, tests, command }: Mutant, index: number): string =>
  `| ${index + 1} | ${area} | ${rule.replaceAll('|', '\\|')} | ${short(file)} | ${tests.map(short).join(', ')} | \`${command}\` |\n`;

export const mutantsPage = (mutants: readonly Mutant[]): string => head + mutants.map(rowOf).join('');

/**
 * `npm run check:docs`, of the limits: the table of docs/limits.md is the one in code. With `write` it is printed anew.
 *
 *     node scripts/checks/check-limits.ts [write]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RateLimit, rateLimits } from '../../server/src/platform/rate-limit/rate-limit-table.ts';
import { report, repositoryRoot } from '../report.ts';

const page = join(repositoryRoot, 'docs/limits.md');
const table = /\| Name \|[\s\S]*?\n\n/;

const rowOf = ({ name, counts, burst, perHour }: RateLimit): string =>
  `| \`${name}\` | ${counts} | ${burst} | ${perHour} |`;

const printed = `| Name | What is counted | At once | An hour |
| - | - | - | - |
${Object.values(rateLimits).map(rowOf).join('\n')}

`;

const read = (): string => readFileSync(page, 'utf8');
const withTable = (text: string): string => text.replace(table, () => printed);
if (process.argv[2] === 'write') writeFileSync(page, withTable(read()));
const names = Object.values(rateLimits).map(({ name }) => name);
report(
  [
    ...(table.exec(read())?.[0] === printed
      ? []
      : ['docs/limits.md has another table than rate-limit-table.ts: check-limits.ts write mends it']),
    ...(new Set(names).size === names.length ? [] : ['two limits have one name']),
  ],
  `${names.length} limits: all of them documented.`,
);

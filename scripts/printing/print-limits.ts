/** Prints docs/limits.md with the table of limits; `scripts/generated.ts` writes it or compares it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rateLimits } from '../../server/src/platform/rate-limit/rate-limit-table.ts';
import { repositoryRoot } from '../report.ts';

const rows = Object.values(rateLimits).map(
  ({ name, counts, burst, perHour, ...limit }) =>
    `| \`${name}\` | ${counts} | ${burst} | ${perHour}${'isSliding' in limit ? ' at most' : ''} |\n`,
);
const table = `| Name | What is counted | At once | An hour |\n| - | - | - | - |\n${rows.join('')}\n`;
const page = readFileSync(join(repositoryRoot, 'docs/limits.md'), 'utf8');
process.stdout.write(page.replace(/\| Name \|[\s\S]*?\n\n/, () => table));

/** Prints docs/testing.md with the table of mutants; `scripts/generated.ts` writes it or compares it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants } from '../../server/test/mutants/all.ts';
import { withTable } from '../mutants/table.ts';
import { repositoryRoot } from '../report.ts';

process.stdout.write(withTable(readFileSync(join(repositoryRoot, 'docs/testing.md'), 'utf8'), mutants));

/**
 * `npm run figures`: prints the size and shape of the code by part, and the tests and seconds of the suites that have
 * run. It judges nothing: the exit code is 0.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../report.ts';
import { readReports } from '../tests/reports.ts';
import { readSourceFile } from './measure.ts';
import { figureLines } from './page.ts';
import { isSource, partOf } from './parts.ts';
import { isProse, proseFigures, proseOf } from './prose.ts';
import { testLines } from './test-runs.ts';
import { trackedFiles } from './tracked-files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

const paths = trackedFiles(repositoryRoot);
const files = paths.filter(isSource).flatMap((path) => {
  const part = partOf(path);
  return part === undefined ? [] : [readSourceFile(path, read(path), part)];
});
const pages = paths.filter(isProse).map((path) => proseOf(path, read(path)));
const prose = proseFigures(files, pages);
const tests = testLines(repositoryRoot, readReports());
const lines = [...figureLines(files, prose), ...(tests.length === 0 ? [] : ['', ...tests])];
process.stdout.write(`${lines.join('\n')}\n`);

/**
 * Prints the failures of the Vitest runs in test-results/failures/, within as many lines as the first argument says
 * (default 180): `.ci/run` ends with them and the totals, which fit into 200 lines together. The second argument names
 * another directory.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureLines } from './failures/failure-lines.ts';
import { type FailedRun, failuresDirectory } from './failures/failures.ts';

const [budget = '180', directory = failuresDirectory] = process.argv.slice(2);
const files = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith('.json')) : [];
const runs = files.sort().map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as FailedRun);
const lines = failureLines(runs, Number(budget));
if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);

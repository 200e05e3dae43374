/**
 * Adds up the reports that the Vitest runs left in test-results/ and prints `N passed, N failed` (and `, N skipped`)
 * as the last line. Exit code 1 when something failed or nothing ran.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../report.ts';

/** The part of Vitest's JSON report that is read here. */
interface RunReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const directory = join(repositoryRoot, 'test-results');

/** A file that failed before its first test, and a run that failed outside of any test, count as one failure each. */
const failuresOf = (run: RunReport): number => {
  const brokenFiles = run.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const failures = run.numFailedTests + brokenFiles;
  return failures === 0 && !run.success ? 1 : failures;
};

const readRun = (file: string): RunReport => JSON.parse(readFileSync(join(directory, file), 'utf8')) as RunReport;

const files = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith('.json')) : [];
const runs = files.map(readRun);
const sum = (of: (run: RunReport) => number): number => runs.reduce((total, run) => total + of(run), 0);
const passed = sum(({ numPassedTests }) => numPassedTests);
const failed = sum(failuresOf);
const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
process.stdout.write(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

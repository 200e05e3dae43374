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

interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
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

const totalsOf = (run: RunReport): Totals => ({
  passed: run.numPassedTests,
  failed: failuresOf(run),
  skipped: run.numPendingTests + run.numTodoTests,
});

const readRun = (file: string): RunReport => JSON.parse(readFileSync(join(directory, file), 'utf8')) as RunReport;

const runs = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith('.json')) : [];
const sum = runs
  .map((file) => totalsOf(readRun(file)))
  .reduce<Totals>(
    (all, run) => ({
      passed: all.passed + run.passed,
      failed: all.failed + run.failed,
      skipped: all.skipped + run.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

const skipped = sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`;
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;

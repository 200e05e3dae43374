/** Reads the reports that the Vitest runs left in test-results/reports/, one for each suite. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../report.ts';

/** The result of one test file in Vitest's JSON report, as far as it is read here. Times are milliseconds. */
interface FileReport {
  /** Its absolute path. */
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly unknown[];
}

/** The part of Vitest's JSON report that is read here. */
export interface RunReport {
  readonly success: boolean;
  readonly startTime: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileReport[];
}

export interface SuiteReport {
  /** The name of the suite (suites.ts), which is that of the file. */
  readonly suite: string;
  readonly run: RunReport;
}

const directory = join(repositoryRoot, 'test-results', 'reports');

const extension = '.json';

/** @returns an empty list when no suite has run */
export const readReports = (): SuiteReport[] => {
  const files = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith(extension)) : [];
  return files.map((file) => ({
    suite: file.slice(0, -extension.length),
    run: JSON.parse(readFileSync(join(directory, file), 'utf8')) as RunReport,
  }));
};

/** A file that failed before its first test, and a run that failed outside of any test, count as one failure each. */
export const failuresOf = (run: RunReport): number => {
  const brokenFiles = run.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const failures = run.numFailedTests + brokenFiles;
  return failures === 0 && !run.success ? 1 : failures;
};

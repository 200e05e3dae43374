/** Tests and seconds of each suite, and the slowest test files, from the reports of the runs. */
import { relative } from 'node:path';
import { failuresOf, type SuiteReport } from '../tests/reports.ts';
import { grouped, table } from './table.ts';

const shownFiles = 5;

const seconds = (milliseconds: number, digits: number): string => (milliseconds / 1000).toFixed(digits);

/** From the start of the run to the end of its last test. */
const duration = ({ run }: SuiteReport): number =>
  Math.max(run.startTime, ...run.testResults.map(({ endTime }) => endTime)) - run.startTime;

const suiteTable = (reports: readonly SuiteReport[]): string[] =>
  table([
    ['suite', 'files', 'passed', 'failed', 'seconds'],
    ...reports
      .toSorted((one, other) => duration(other) - duration(one))
      .map((report) => [
        report.suite,
        grouped(report.run.testResults.length),
        grouped(report.run.numPassedTests),
        grouped(failuresOf(report.run)),
        seconds(duration(report), 0),
      ]),
  ]);

const slowestFiles = (root: string, reports: readonly SuiteReport[]): string[] =>
  reports
    .flatMap(({ suite, run }) =>
      run.testResults.map(({ name, startTime, endTime }) => ({ suite, name, milliseconds: endTime - startTime })),
    )
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, shownFiles)
    .map(({ suite, name, milliseconds }) => {
      const path = relative(root, name).replaceAll('\\', '/');
      return `  ${seconds(milliseconds, 1).padStart(6)} s  ${path} (${suite})`;
    });

/**
 * @param root directory that the paths of test files are relative to
 * @returns no lines when no suite has run
 */
export const testLines = (root: string, reports: readonly SuiteReport[]): string[] =>
  reports.length === 0 ? [] : [...suiteTable(reports), '', 'Slowest test files:', ...slowestFiles(root, reports)];

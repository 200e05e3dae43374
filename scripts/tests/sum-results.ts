/**
 * Adds up the reports that the Vitest runs left in test-results/reports/ and prints `N passed, N failed` (and `, N
 * skipped`) as the last line. Exit code 1 when something failed or nothing ran.
 */
import { failuresOf, type RunReport, readReports } from './reports.ts';

const runs = readReports().map(({ run }) => run);
const sum = (of: (run: RunReport) => number): number => runs.reduce((total, run) => total + of(run), 0);
const passed = sum(({ numPassedTests }) => numPassedTests);
const failed = sum(failuresOf);
const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
process.stdout.write(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** The figures of the tests: the table of the suites that have run, and the slowest files. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testLines } from '../../../scripts/figures/test-runs.ts';
import type { RunReport } from '../../../scripts/tests/reports.ts';

describe('The runs of the suites', () => {
  const run = (
    startTime: number,
    files: readonly (readonly [name: string, from: number, to: number])[],
  ): RunReport => ({
    success: true,
    startTime,
    numPassedTests: 1234,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: files.map(([name, from, to]) => ({
      name: join('/root', name),
      status: 'passed',
      startTime: from,
      endTime: to,
      assertionResults: [{}],
    })),
  });

  it('are printed with the seconds to the end of the last test, longest first, and the five slowest files', () => {
    const reports = [
      { suite: 'quick', run: run(1000, [['a.test.ts', 1500, 3000]]) },
      {
        suite: 'slow',
        run: run(
          5000,
          [9, 4, 5, 6, 7, 3].map((seconds) => [`${seconds}.test.ts`, 16_000, 16_000 + seconds * 1000] as const),
        ),
      },
    ];
    expect(testLines('/root', reports)).toEqual([
      'suite  files  passed  failed  seconds',
      'slow       6   1,234       0       20',
      'quick      1   1,234       0        2',
      '',
      'Slowest test files:',
      '     9.0 s  9.test.ts (slow)',
      '     7.0 s  7.test.ts (slow)',
      '     6.0 s  6.test.ts (slow)',
      '     5.0 s  5.test.ts (slow)',
      '     4.0 s  4.test.ts (slow)',
    ]);
  });

  it('count each file that failed before its first test', () => {
    const broken = run(0, [
      ['a.test.ts', 0, 0],
      ['b.test.ts', 0, 0],
    ]);
    const testResults = broken.testResults.map((file) => ({ ...file, status: 'failed', assertionResults: [] }));
    expect(testLines('/root', [{ suite: 'test', run: { ...broken, success: false, testResults } }])[1]).toMatch(
      /^test +2 +1,234 +2 +0$/,
    );
  });

  it('are not mentioned before a suite has run', () => {
    expect(testLines('/root', [])).toEqual([]);
  });
});

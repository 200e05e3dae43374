/**
 * `.ci/run` ends with each failed test: its name, its assertion and the log of its service, in lines that all share.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureLines } from '../../../scripts/tests/failures/failure-lines.ts';
import type { FailedRun, Failure } from '../../../scripts/tests/failures/failures.ts';
import { range } from '../support/checks/concurrency.ts';
import { lastLines } from '../support/failures/recent-logs.ts';
import { startProgram } from '../support/gatehouse/gatehouse-process.ts';

const failureOf = (more: Partial<Failure> = {}): Failure => ({
  name: 'server server/test/sessions/me.test.ts > me > is refused',
  errors: [
    [
      'AssertionError: expected 200 to be 401',
      '- Expected\n+ Received\n\n- 401\n+ 200',
      '    at /repository/node_modules/vitest/dist/index.js:1:1',
      '    at /repository/server/test/sessions/me.test.ts:12:5',
      '    at node:internal/process/task_queues:1:1',
    ].join('\n'),
  ],
  log: ['127.0.0.1:1 {"event":"request","status":200}', '127.0.0.1:1 {"event":"service.stopped"}'],
  ...more,
});

const runOf = (failures: readonly Failure[], more: Partial<FailedRun> = {}): FailedRun => ({
  suite: 'postgres',
  isOver: true,
  failures,
  ...more,
});

describe('The failures at the end of .ci/run', () => {
  it('are nothing where all tests passed', () => {
    expect(failureLines([runOf([])], 180)).toEqual([]);
  });

  it('have their name, the assertion, its place in this repository and the log of the service', () => {
    expect(failureLines([runOf([failureOf()])], 180)).toEqual([
      'FAILED: postgres: server server/test/sessions/me.test.ts > me > is refused',
      '  AssertionError: expected 200 to be 401',
      '  - Expected',
      '  + Received',
      '  - 401',
      '  + 200',
      '  at /repository/server/test/sessions/me.test.ts:12:5',
      '  | 127.0.0.1:1 {"event":"request","status":200}',
      '  | 127.0.0.1:1 {"event":"service.stopped"}',
    ]);
  });

  it('say that a worker crashed, and that the process of a run ended before the run', () => {
    const crashed = failureOf({ name: 'testing packages/testing/test/worlds.test.ts', errors: ['SIGTRAP'], log: [] });
    expect(failureLines([runOf([crashed]), runOf([], { suite: 'browser', isOver: false })], 180)).toEqual([
      'FAILED: postgres: testing packages/testing/test/worlds.test.ts',
      '  SIGTRAP',
      'FAILED: browser: the run',
      '  Its process ended before the run did: test-results has no totals of it',
      '2 failures:',
      '- postgres: testing packages/testing/test/worlds.test.ts',
      '- browser: the run',
    ]);
  });

  it.each([1, 2, 7, 40, 500])('share the lines when there are %i, and end with their names', (count) => {
    const long = failureOf({
      errors: [range(300).map(String).join('\n')],
      log: range(300).map((line) => `logged ${line} ${'x'.repeat(1000)}`),
    });
    const lines = failureLines([runOf(range(count).map(() => long))], 180);
    expect(lines.length).toBeLessThanOrEqual(180);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(330);
    const described = lines.filter((line) => line.startsWith('FAILED: ')).length;
    expect(described).toBe(Math.min(count, 51));
    expect(lines.filter((line) => line === '  0')).toHaveLength(described);
    const names = count === 1 ? 0 : Math.min(count, 25);
    expect(lines.filter((line) => line === `- postgres: ${long.name}`)).toHaveLength(names);
    expect(lines.at(-1)?.startsWith('  | logged 299')).toBe(count === 1);
    if (count > 25) expect(lines.at(-1)).toBe(`… and ${count - 25} more`);
  });

  it('are printed by the script, without the colours of a terminal', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-failures-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const coloured = failureOf({ errors: ['\u001b[31mAssertionError\u001b[39m: no'], log: [] });
    writeFileSync(join(directory, 'postgres.json'), JSON.stringify(runOf([coloured])));
    const script = fileURLToPath(new URL('../../../scripts/tests/print-failures.ts', import.meta.url));
    const { code, stdout } = await startProgram(script, ['20', directory], {}).ended;
    expect(code).toBe(0);
    expect(stdout).toBe(
      'FAILED: postgres: server server/test/sessions/me.test.ts > me > is refused\n  AssertionError: no\n',
    );
    expect(lastLines()).toContainEqual(expect.stringMatching(/^print-failures\.ts .*AssertionError: no$/));
  });
});

/**
 * A reporter of Vitest that writes the failures of a run to test-results/failures/. Beside failed tests these are the
 * blocks and files whose hooks or imports failed, files that no worker has finished, and errors outside of any test.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite } from 'vitest/node';
import { repositoryRoot } from '../../report.ts';
import { type FailedRun, type Failure, failuresDirectory } from './failures.ts';

declare module 'vitest' {
  export interface TaskMeta {
    /** The last lines of the log of the services of a failed test (server/test/support/failures/attach-log.ts). */
    serviceLog?: readonly string[];
  }
}

/** The errors of Vitest, and of its workers, as they arrive here. */
interface Thrown {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly diff?: string;
  /** Of a worker that ended: its exit code or its signal, and the file that it ran. */
  readonly cause?: unknown;
}

const textOf = ({ name = 'Error', message = '', stack = '', diff = '', cause }: Thrown): string => {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const because = typeof cause === 'object' && cause !== null ? textOf(cause) : '';
  return [`${name}: ${message}`, diff, ...frames, because].filter((part) => part !== '').join('\n');
};

const nameOf = (module: TestModule, title = ''): string => {
  const file = `${module.project.name} ${relative(repositoryRoot, module.moduleId)}`;
  return title === '' ? file : `${file} > ${title}`;
};

const failureOfTest = (test: TestCase): Failure => ({
  name: nameOf(test.module, test.fullName),
  errors: (test.result().errors ?? []).map(textOf),
  log: test.meta().serviceLog ?? [],
});

const failuresOfHooks = (suite: TestSuite): readonly Failure[] =>
  suite.errors().map((error) => ({ name: nameOf(suite.module, suite.fullName), errors: [textOf(error)], log: [] }));

const failuresOf = (module: TestModule, isInterrupted: boolean): readonly Failure[] => {
  const state = module.state();
  const isUnfinished = !isInterrupted && (state === 'pending' || state === 'queued');
  return [
    ...module.errors().map((error) => ({ name: nameOf(module), errors: [textOf(error)], log: [] })),
    ...(isUnfinished ? [{ name: nameOf(module), errors: ['Its worker ended before the file did'], log: [] }] : []),
    ...[...module.children.allSuites()].flatMap(failuresOfHooks),
    ...[...module.children.allTests('failed')].map(failureOfTest),
  ];
};

export class FailureReporter implements Reporter {
  readonly #suite = process.env['TEST_REPORT'] ?? 'report';

  onTestRunStart(): void {
    this.#write({ isOver: false, failures: [] });
  }

  onTestRunEnd(modules: readonly TestModule[], outside: readonly Thrown[], reason: TestRunEndReason): void {
    const failures = [
      ...modules.flatMap((module) => failuresOf(module, reason === 'interrupted')),
      ...outside.map((error) => ({ name: 'outside of any test', errors: [textOf(error)], log: [] })),
    ];
    this.#write({ isOver: true, failures });
  }

  #write(run: Omit<FailedRun, 'suite'>): void {
    mkdirSync(failuresDirectory, { recursive: true });
    const file = join(failuresDirectory, `${this.#suite}.json`);
    // Whole at any time: a run that is killed here would otherwise hide the failures of all.
    writeFileSync(`${file}.new`, JSON.stringify({ suite: this.#suite, ...run } satisfies FailedRun));
    renameSync(`${file}.new`, file);
  }
}

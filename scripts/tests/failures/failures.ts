/**
 * What a run of Vitest leaves in test-results/failures/ about each failure: its name, the error and the service's log.
 */
import { join } from 'node:path';
import { repositoryRoot } from '../../report.ts';

export interface Failure {
  /** The project of Vitest, the file, and the titles of the blocks and the test. */
  readonly name: string;
  /** Message and stack of each error. */
  readonly errors: readonly string[];
  /** The last lines that the services of the test have logged, oldest first. */
  readonly log: readonly string[];
}

export interface FailedRun {
  /** TEST_REPORT: the suite. */
  readonly suite: string;
  /** False from the start of a run to its end: a run whose process was killed leaves it so. */
  readonly isOver: boolean;
  readonly failures: readonly Failure[];
}

export const failuresDirectory = join(repositoryRoot, 'test-results', 'failures');

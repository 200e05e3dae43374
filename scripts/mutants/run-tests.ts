/**
 * Runs test files in a working copy repeatedly in one Vitest: the preparation of a suite is shared by all mutants, and
 * only the mutated file is loaded again.
 */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createVitest, type Reporter, type TestCase, type TestModule, type Vitest } from 'vitest/node';

interface FailedTest {
  readonly title: string;
  /** Name and first line of the thrown error. */
  readonly error: string;
}

export interface TestRun {
  /** Tests that ran and failed. */
  readonly failed: readonly FailedTest[];
  readonly passed: number;
  /** Why a file could not be loaded, or a suite not be prepared; null without such an error. */
  readonly trouble: string | null;
}

/** The words of `expect`; any other error is a test that could not do its work. */
const assertion = /^AssertionError|^Error: (?:expect|promise .*(?:resolved|rejected))/;
export const isAssertion = ({ error }: FailedTest): boolean => assertion.test(error);

/** Without the colours that Vitest gives some messages. */
const firstLine = (text: string): string => stripVTControlCharacters(text).split('\n', 1)[0] ?? '';

/** Collects the results of one run. */
class Results implements Reporter {
  readonly failed: FailedTest[] = [];
  passed = 0;
  trouble: string | null = null;
  readonly #atFailedAssertion: () => void;

  constructor(atFailedAssertion: () => void) {
    this.#atFailedAssertion = atFailedAssertion;
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'passed') this.passed += 1;
    if (state !== 'failed') return;
    const [error] = errors;
    const failed = { title: test.fullName, error: `${error?.name ?? 'Error'}: ${firstLine(error?.message ?? '')}` };
    this.failed.push(failed);
    if (isAssertion(failed)) this.#atFailedAssertion();
  }

  onTestModuleEnd(file: TestModule): void {
    const suites = [...file.children.allSuites()];
    const error = [file, ...suites].flatMap((part) => part.errors())[0];
    if (error !== undefined) this.trouble ??= `${file.relativeModuleId}: ${firstLine(error.message)}`;
  }
}

/** The run whose results are collected now. */
interface Current {
  results: Results;
}

export class TestRunner {
  readonly #vitest: Vitest;
  readonly #copy: string;
  readonly #current: Current;

  private constructor(vitest: Vitest, copy: string, current: Current) {
    this.#vitest = vitest;
    this.#copy = copy;
    this.#current = current;
  }

  /** @param copy the working copy, which becomes the current directory, as the tests expect */
  static async open(copy: string): Promise<TestRunner> {
    process.chdir(copy);
    const current: Current = { results: new Results(() => undefined) };
    const reporter: Reporter = {
      onTestCaseResult: (test) => current.results.onTestCaseResult(test),
      onTestModuleEnd: (file) => current.results.onTestModuleEnd(file),
    };
    const config = join(copy, 'server/test/mutants/vitest.config.ts');
    const vitest = await createVitest({ config, watch: false, reporters: [reporter] });
    return new TestRunner(vitest, copy, current);
  }

  /**
   * @param files paths from the root of the copy
   * @param stopsEarly whether the first failed assertion ends the run
   */
  async run(files: readonly string[], stopsEarly: boolean): Promise<TestRun> {
    const paths = files.map((file) => join(this.#copy, file));
    const found = await this.#vitest.globTestSpecifications(paths);
    const specifications = found.filter(({ moduleId }) => paths.includes(moduleId));
    const stop = (): void => void this.#vitest.cancelCurrentRun('test-failure');
    const results = new Results(stopsEarly ? stop : () => undefined);
    this.#current.results = results;
    if (specifications.length !== files.length)
      return { failed: [], passed: 0, trouble: 'Vitest finds not every file' };
    await this.#vitest.runTestSpecifications(specifications);
    return { failed: results.failed, passed: results.passed, trouble: results.trouble };
  }

  /** The file was written: the next run reads it. */
  changed(file: string): void {
    this.#vitest.invalidateFile(join(this.#copy, file));
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }
}

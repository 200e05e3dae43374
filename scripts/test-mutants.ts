/**
 * `npm run test:mutants`: plants the faults of server/test/mutants one at a time in a copy of the repository, runs the
 * test files that each names, and fails when no assertion of them does. Arguments select numbers or areas.
 *      npm run test:mutants -- race 12
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants } from '../server/test/mutants/all.ts';
import type { Mutant } from '../server/test/mutants/mutant.ts';
import { mutantProblems, planted } from './mutants/problems.ts';
import { isAssertion, type TestRun, TestRunner } from './mutants/run-tests.ts';
import { makeWorkingCopy, removeWorkingCopy } from './mutants/working-copy.ts';
import { report, repositoryRoot } from './report.ts';

interface Numbered {
  readonly number: number;
  readonly mutant: Mutant;
}

/** Null when an assertion failed, else why the mutant counts as alive. */
const reasonAlive = ({ failed, passed, trouble }: TestRun): string | null => {
  if (failed.some(isAssertion)) return null;
  if (failed[0] !== undefined) return `no assertion failed, but "${failed[0].title}" with ${failed[0].error}`;
  return trouble ?? `${passed} tests pass all the same`;
};

interface Bench {
  readonly copy: string;
  readonly tests: TestRunner;
}

/** Runs the tests with the fault in the source, and removes it. */
const withFault = async ({ copy, tests }: Bench, mutant: Mutant): Promise<TestRun> => {
  const path = join(copy, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, planted(source, mutant));
  tests.changed(mutant.file);
  try {
    return await tests.run(mutant.tests, true);
  } finally {
    writeFileSync(path, source);
    tests.changed(mutant.file);
  }
};

/** @returns null when the mutant was killed */
const judge = async (bench: Bench, { number, mutant }: Numbered): Promise<string | null> => {
  const begun = performance.now();
  const run = await withFault(bench, mutant);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const alive = reasonAlive(run);
  const verdict = alive === null ? `killed by "${run.failed.find(isAssertion)?.title}"` : `ALIVE: ${alive}`;
  process.stdout.write(
    `${String(number).padStart(3)} ${mutant.area.padEnd(10)} ${seconds.padStart(6)} s  ${mutant.rule}\n`,
  );
  process.stdout.write(`${' '.repeat(25)}${verdict}\n`);
  return alive === null ? null : `Mutant ${number} is alive: ${mutant.rule} ${alive}`;
};

/** The tests must pass without a fault, or a failure proves nothing. */
const baselineProblems = async ({ tests }: Bench, picked: readonly Numbered[]): Promise<string[]> => {
  const files = [...new Set(picked.flatMap(({ mutant }) => mutant.tests))].sort();
  process.stdout.write(`${files.length} test files without a fault …\n`);
  const { failed, passed, trouble } = await tests.run(files, false);
  process.stdout.write(`${passed} tests pass, ${failed.length} fail.\n`);
  return [
    ...failed.map(({ title, error }) => `Fails without a fault: ${title}: ${error}`),
    ...(trouble === null ? [] : [trouble]),
  ];
};

const judgeAll = async (bench: Bench, picked: readonly Numbered[]): Promise<string[]> => {
  const unfit = await baselineProblems(bench, picked);
  if (unfit.length > 0) return unfit;
  const alive: string[] = [];
  for (const numbered of picked) {
    const problem = await judge(bench, numbered);
    if (problem !== null) alive.push(problem);
  }
  return alive;
};

const run = async (picked: readonly Numbered[]): Promise<string[]> => {
  const copy = makeWorkingCopy();
  process.once('exit', () => removeWorkingCopy(copy));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const tests = await TestRunner.open(copy);
  try {
    return await judgeAll({ copy, tests }, picked);
  } finally {
    await tests.close();
  }
};

const wanted = process.argv.slice(2);
const picked = mutants
  .map((mutant, index) => ({ number: index + 1, mutant }))
  .filter(
    ({ number, mutant }) => wanted.length === 0 || wanted.includes(String(number)) || wanted.includes(mutant.area),
  );
const problems = mutantProblems(repositoryRoot, mutants);
if (problems.length > 0) report(problems, '');
else if (picked.length === 0) report([`No mutant is called ${wanted.join(' or ')}.`], '');
else report(await run(picked), `${picked.length} faults, each killed.`);

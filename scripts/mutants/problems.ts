/**
 * Problems of a list of mutants, found without running a test: a fault must be plantable, in one place, and name
 * existing tests.
 */
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Mutant } from '../../server/test/mutants/mutant.ts';

/** The source with the fault in it. */
export const planted = (source: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string =>
  source.split(find).join(replace);

/** Whether Node would load the text: a fault of syntax proves nothing about tests. */
const loads = (source: string): boolean => {
  try {
    stripTypeScriptTypes(source);
    return true;
  } catch {
    return false;
  }
};

const problemsOfSource = (source: string, mutant: Mutant): string[] => {
  const places = source.split(mutant.find).length - 1;
  if (places !== 1) return [`its text to find occurs ${places} times in ${mutant.file}, not once`];
  return loads(planted(source, mutant)) ? [] : [`${mutant.file} does not load with the fault in it`];
};

const problemsOf = (root: string, mutant: Mutant): string[] => {
  const missing = mutant.tests.filter((test) => !existsSync(join(root, test)));
  const path = join(root, mutant.file);
  return [
    ...(mutant.tests.length === 0 ? ['it names no test file'] : []),
    ...missing.map((test) => `it names ${test}, which does not exist`),
    ...(mutant.find === mutant.replace ? ['it changes nothing'] : []),
    ...(/^[A-Z].*\.$/.test(mutant.rule) ? [] : ['its rule is no sentence']),
    ...(existsSync(path)
      ? problemsOfSource(readFileSync(path, 'utf8'), mutant)
      : [`it changes ${mutant.file}, which does not exist`]),
  ];
};

/**
 * @param root the repository
 * @returns a sentence for each problem, with the number of its mutant
 */
export const mutantProblems = (root: string, mutants: readonly Mutant[]): string[] => {
  const rules = mutants.map(({ rule }) => rule);
  const doubles = rules.filter((rule, index) => rules.indexOf(rule) !== index);
  return [
    ...mutants.flatMap((mutant, index) =>
      problemsOf(root, mutant).map((problem) => `Mutant ${index + 1} (${mutant.area}): ${problem}: ${mutant.rule}`),
    ),
    ...doubles.map((rule) => `Two mutants have the rule: ${rule}`),
  ];
};

/** The check of mutants: a valid fault, and each reason to refuse one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutantsPage } from '../../../scripts/mutants/page.ts';
import { mutantProblems, planted } from '../../../scripts/mutants/problems.ts';
import { mutants } from '../mutants/all.ts';
import { areas, type Mutant } from '../mutants/mutant.ts';

const fit: Mutant = {
  rule: 'One is one | two.',
  area: 'limit',
  file: 'server/src/a.ts',
  find: 'one = 1;',
  replace: 'one = 2;',
  tests: ['server/test/a.test.ts'],
  command: 'npm test',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-test-'));
  for (const folder of ['server/src', 'server/test']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, fit.file), 'export const one = 1;\nexport const two: number = 2;\n');
  writeFileSync(join(root, 'server/test/a.test.ts'), '');
});
afterAll(() => rmSync(root, { recursive: true }));

describe('A mutant', () => {
  it('is valid when its text is found once and its tests exist', () => {
    expect(mutantProblems(root, [fit])).toEqual([]);
    expect(planted('a$&b', { find: '$&', replace: "$'" })).toBe("a$'b");
  });

  it.each<[Partial<Mutant>, string]>([
    [{ find: 'three' }, 'occurs 0 times'],
    [{ find: 'export const' }, 'occurs 2 times'],
    [{ replace: 'one = ;' }, 'cannot be loaded'],
    [{ replace: fit.find }, 'changes nothing'],
    [{ file: 'server/src/b.ts' }, 'server/src/b.ts, which does not exist'],
    [{ tests: ['server/test/b.test.ts'] }, 'server/test/b.test.ts, which does not exist'],
    [{ tests: [] }, 'names no test file'],
    [{ rule: 'no sentence' }, 'is not a sentence'],
  ])('is unfit with %j', (change, problem) => {
    expect(mutantProblems(root, [{ ...fit, ...change }])).toEqual([expect.stringContaining(problem)]);
  });

  it('has its own rule', () => {
    expect(mutantProblems(root, [fit, fit])).toEqual([`Two mutants have the rule: ${fit.rule}`]);
  });
});

describe('The list of mutants', () => {
  it('has at least sixty, and five of each area', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(60);
    for (const area of areas) expect(mutants.filter((mutant) => mutant.area === area).length).toBeGreaterThanOrEqual(5);
  });

  it('becomes a page with a row for each', () => {
    const [, rows] = mutantsPage([fit, fit]).split('| - | - | - | - | - | - |\n');
    const row = 'limit | One is one \\| two. | `a.ts` | `a.test.ts` | `npm test` |\n';
    expect(rows).toBe(`| 1 | ${row}| 2 | ${row}`);
  });
});

/** The rows by which tests know operations are complete: the schema has no operation, caller or field besides. */
import { readFileSync } from 'node:fs';
import { isRequiredArgument } from 'graphql';
import { expect, it } from 'vitest';
import { loneMutations } from '../../src/graphql/operations.ts';
import { completeSchema } from '../../src/graphql/schema.ts';
import { fieldNamesOf, mutationFields } from '../support/checks/mutation-fields.ts';
import { mutationNames, operationRows } from '../support/operations/all-operations.ts';
import { callers, outcomes } from '../support/operations/operation-row.ts';

const schema = completeSchema();
const contract = new URL('../../../docs/contract/', import.meta.url);

it('Every operation of the schema has a row, with an outcome for each caller', () => {
  const operations = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.keys(root?.getFields() ?? {}),
  );
  expect(Object.keys(operationRows).sort()).toEqual(operations.sort());
  for (const [name, row] of Object.entries(operationRows)) {
    const known = row.callers.split('').filter((letter) => letter in outcomes);
    expect([name, known.join(''), known.length]).toEqual([name, row.callers, callers.length]);
  }
});

it('Every mutation whose arguments are required has an input', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const inNeed = mutations.filter(({ args }) => args.some(isRequiredArgument)).map(({ name }) => name);
  expect(inNeed.filter((name) => operationRows[name]?.input === undefined)).toEqual([]);
});

// Contract: requests#mutations-that-stand-alone — Which mutations these are
it('The contract lists the mutations that stand alone', () => {
  const page = readFileSync(new URL('requests.md', contract), 'utf8');
  const rule = page.split('### Mutations that stand alone')[1]?.split('\n### ')[0] ?? '';
  const listed = [...rule.matchAll(/`([a-z]\w+)`/g)].map(([, name = '']) => name);
  expect(listed.sort()).toEqual([...loneMutations].sort());
});

// Contract: requests#any-input-is-answered — Every field of every mutation is tested
it('Every field of every mutation has a row', () => {
  const leaves = mutationNames.flatMap((name) => fieldNamesOf(name).map((leaf) => `${name}.${leaf}`));
  expect(mutationFields.map(({ name }) => name).sort()).toEqual(leaves.sort());
});

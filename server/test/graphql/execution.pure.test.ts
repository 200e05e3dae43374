/** The result of an operation, and that it is the same once its document is cached. */
import { setImmediate as turn } from 'node:timers/promises';
import { buildSchema, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createDocuments } from '../../src/graphql/documents.ts';
import { contractLimits } from '../../src/graphql/limits.ts';
import type { VariableValues } from '../../src/graphql/variables.ts';

const sdl = /* GraphQL */ `
  enum Level { LOW HIGH }
  input Range { from: Int = 1, to: Int!, level: Level }
  type Query { say(text: String, range: Range): String, fails: String, failsMust: String!, failsLater: String }
  type Mutation { slow: String, quick: String, failsMust: String! }
`;

/** Starts and ends of fields, in their order. */
type Steps = string[];

const fail = (message: string): never => {
  throw new Error(message);
};

/** Records a step of the field with this alias. */
type Note = (what: string) => void;

const resolvers: Readonly<Record<string, (args: unknown, note: Note) => unknown>> = {
  'Query.say': (args) => JSON.stringify(args),
  'Query.fails': () => fail('at once'),
  'Query.failsMust': async () => fail(await turn('at the root')),
  'Query.failsLater': async () => fail(await turn('later')),
  'Mutation.slow': async (_args, note) => {
    note('begins');
    await turn();
    note('ends');
    return 'slow';
  },
  'Mutation.quick': (_args, note) => {
    note('at once');
    return 'quick';
  },
  'Mutation.failsMust': async (_args, note) => {
    await turn();
    note('fails');
    return fail('not done');
  },
};

const schemaOfSteps = (): GraphQLSchema => {
  const schema = buildSchema(sdl);
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = resolvers[`${type?.name}.${field.name}`];
      field.resolve = (_source: unknown, args: unknown, steps: unknown, { path }) =>
        resolve?.(args, (what) => Array.isArray(steps) && steps.push(`${path.key} ${what}`));
    }
  }
  return schema;
};

const documents = createDocuments({
  schema: schemaOfSteps(),
  introspection: true,
  limits: contractLimits,
  loneMutations: new Set(),
});

const runOnce = async (
  text: string,
  variables: VariableValues,
): Promise<{ readonly result: ExecutionResult; readonly steps: Steps }> => {
  const prepared = documents.prepare(text, null);
  if ('errors' in prepared) throw new Error(`Refused: ${prepared.errors[0]?.message}`);
  const steps: Steps = [];
  return { result: await prepared.operation.run(steps, variables), steps };
};

/** The answer and the steps, which are the same for a new and a cached document. */
const run = async (text: string, variables: VariableValues = {}) => {
  const first = await runOnce(text, variables);
  expect(await runOnce(text, variables)).toEqual(first);
  return first;
};

describe('Mutations', () => {
  it('run one after the other, in the order of the document', async () => {
    const { result, steps } = await run('mutation { b: slow a: quick c: slow }');
    expect(steps).toEqual(['b begins', 'b ends', 'a at once', 'c begins', 'c ends']);
    expect(JSON.stringify(result.data)).toBe('{"b":"slow","a":"quick","c":"slow"}');
  });

  it('stop at an error in a field that must not be null', async () => {
    const { result, steps } = await run('mutation { a: quick b: failsMust c: quick }');
    expect(steps).toEqual(['a at once', 'b fails']);
    expect(result.data).toBeNull();
    expect(result.errors?.map(({ path }) => path)).toEqual([['b']]);
  });
});

it('Errors are in the order in which they occurred, and the one that made the answer null is last', async () => {
  const { result: some } = await run('{ failsLater fails }');
  expect(some.data).toEqual({ failsLater: null, fails: null });
  expect(some.errors?.map(({ message }) => message)).toEqual(['at once', 'later']);
  const { result: none } = await run('{ failsMust fails }');
  expect(none.data).toBeNull();
  expect(none.errors?.map(({ message }) => message)).toEqual(['at once', 'at the root']);
});

describe('Directives and variables', () => {
  it('select fields anew in each run of one document', async () => {
    const text = `query ($on: Boolean!) {
      a: say(text: "a") @include(if: $on) ...F @skip(if: $on) ... on Query @include(if: $on) { c: say(text: "c") }
    } fragment F on Query { b: say(text: "b") }`;
    expect(Object.keys((await run(text, { on: true })).result.data ?? {})).toEqual(['a', 'c']);
    expect(Object.keys((await run(text, { on: false })).result.data ?? {})).toEqual(['b']);
  });

  it.each<[string, VariableValues, unknown]>([
    ['($range: Range) { say(range: $range) }', { range: { to: 2 } }, { range: { from: 1, to: 2 } }],
    ['($range: Range) { say(range: $range) }', { range: null }, { range: null }],
    ['($range: Range) { say(range: $range) }', { unknown: 1 }, {}],
    [
      '($range: Range = { to: 3, level: HIGH }) { say(range: $range) }',
      {},
      { range: { from: 1, to: 3, level: 'HIGH' } },
    ],
    ['($n: Int) { say(range: { from: $n, to: 4 }) }', {}, { range: { from: 1, to: 4 } }],
    ['($n: Int!) { say(text: "x", range: { to: $n }) }', { n: 5 }, { text: 'x', range: { from: 1, to: 5 } }],
    ['($text: String = "given") { say(text: $text) }', { text: null }, { text: null }],
  ])('reach resolvers: query %s with %j', async (text, variables, expected) => {
    const { result } = await run(`query ${text}`, variables);
    expect(JSON.parse(String(result.data?.['say']))).toEqual(expected);
  });
});

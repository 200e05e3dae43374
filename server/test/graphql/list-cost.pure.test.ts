/** The cost of lists: the estimate before an operation runs, and the count while it runs. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { fragmentsOf } from '../../src/graphql/limits.ts';
import { checkListCost, countLists } from '../../src/graphql/list-cost.ts';
import { completeSchema } from '../../src/graphql/schema.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { range } from '../support/checks/concurrency.ts';
import { operations } from '../support/clients/clients.ts';

const operationsOf = (document: DocumentNode): readonly OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

const isRefused = (text: string): boolean => {
  const document = parse(text);
  try {
    for (const operation of operationsOf(document)) checkListCost(completeSchema(), operation, fragmentsOf(document));
    return false;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'OPERATION_TOO_COSTLY') return true;
    throw error;
  }
};

/** Decision 0074. */
const maxListed = 10_000;

/** How often a field may be selected in one operation, under an alias each. */
const mostOf = (field: string, fragments = '', variables = ''): number => {
  const isTooOften = (count: number): boolean =>
    isRefused(`query ${variables} { ${aliased(count, field)} } ${fragments}`);
  return range(1000).findIndex((count) => isTooOften(count + 1));
};

const explanations = 'memberships { scopeExplanations { scope granted reasons } }';
const aliased = (count: number, field: string): string =>
  range(count)
    .map((nth) => `a${nth}: ${field}`)
    .join(' ');

describe('The estimate', () => {
  it('refuses lists within lists under fifteen aliases, in a query and in a mutation, and not under one', () => {
    expect(isRefused(`{ ${aliased(15, `me { ${explanations} }`)} }`)).toBe(true);
    expect(isRefused(`mutation { ${aliased(15, `changeName(name: "A") { ${explanations} }`)} }`)).toBe(true);
    expect(isRefused(`{ me { ${aliased(15, explanations)} } }`)).toBe(true);
    expect(isRefused(`{ me { ${explanations} } }`)).toBe(false);
  });

  it('counts a fragment as what it stands for', () => {
    const fragments = `fragment M on Membership { scopeExplanations { scope granted reasons } }
      fragment U on User { memberships { ...M } }`;
    const plain = mostOf(`me { ${explanations} }`);
    expect(plain).toBe(6);
    expect(mostOf('me { ...U }', fragments)).toBe(plain);
    expect(mostOf(`me { ... on User { ${explanations} } }`)).toBe(plain);
  });

  it('counts the rows of a page as many as are asked for: by a number, by default, and all of them by a variable', () => {
    const page = (first: string): string => `members${first} { nodes { id } }`;
    const most = (fields: number): number => Math.floor(25_000 / fields);
    expect(mostOf(page('(first: 100000)'))).toBe(most(102));
    expect(mostOf(page(''))).toBe(most(52));
    expect(mostOf(page('(first: $first)'), '', '($first: Int)')).toBe(most(102));
    const spread = 'fragment P on MemberConnection { nodes { id } }';
    const both = (count: number): string =>
      `{ x: members(first: 1) { ...P } ${aliased(count, 'members(first: 100) { ...P }')} } ${spread}`;
    expect([most(102), most(102) + 1].map((count) => isRefused(both(count)))).toEqual([false, true]);
  });

  it('admits every operation of the portal and of these tests', () => {
    const root = fileURLToPath(new URL('../../../portal/src', import.meta.url));
    const portal = globSync('**/*.graphql', { cwd: root }).map((path) => readFileSync(`${root}/${path}`, 'utf8'));
    const texts = Object.values(operations).filter((operation) => typeof operation === 'string');
    expect([portal.join('\n'), ...texts].filter(isRefused)).toEqual([]);
  });
});

describe('The count while an operation runs', () => {
  const sdl = `
    type Item { id: Int! }
    type Query { items(count: Int!): [Item!]! later(count: Int!): [Item!]! }
    type Mutation { change(count: Int!): [Item!]! }`;
  const schemaOfLists = () => {
    const schema = buildSchema(sdl);
    const itemsOf = (_source: unknown, { count }: { readonly count: number }) => range(count).map((id) => ({ id }));
    const { items, later } = schema.getQueryType()?.getFields() ?? {};
    const { change } = schema.getMutationType()?.getFields() ?? {};
    if (items === undefined || later === undefined || change === undefined) throw new Error('A field is missing');
    items.resolve = itemsOf;
    later.resolve = (source, given: { readonly count: number }) => Promise.resolve(itemsOf(source, given));
    change.resolve = itemsOf;
    return countLists(schema);
  };
  const schema = schemaOfLists();
  const run = async (text: string): Promise<ExecutionResult> =>
    execute({ schema, document: parse(text), contextValue: {} });
  const codes = ({ errors = [] }: ExecutionResult): readonly unknown[] =>
    errors.map(({ originalError }) => (originalError instanceof Refusal ? originalError.code : originalError));

  it('refuses the answer whose lists have more objects than it may, together and wherever they come from', async () => {
    expect(codes(await run(`{ items(count: ${maxListed}) { id } }`))).toEqual([]);
    const half = maxListed / 2 + 1;
    const both = await run(`{ items(count: ${half}) { id } later(count: ${half}) { id } }`);
    expect(codes(both)).toEqual(['OPERATION_TOO_COSTLY']);
    expect(both.data).toBeNull();
    expect(codes(await run(`{ later(count: ${maxListed + 1}) { id } }`))).toEqual(['OPERATION_TOO_COSTLY']);
  });

  it('counts each answer anew', async () => {
    for (const _ of range(3)) expect(codes(await run(`{ items(count: ${maxListed}) { id } }`))).toEqual([]);
  });

  it('does not count a mutation, which has been done', async () => {
    expect(codes(await run(`mutation { change(count: ${maxListed + 1}) { id } }`))).toEqual([]);
  });
});

/** Each limit of the contract: at the limit the operation runs, over it nothing does. */
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type EndpointUnderTest,
  endpointForAll,
  endpointForTest,
  totalCalls,
} from './endpoint-under-test.ts';
import { exponential, repetitive } from './hostile-documents.ts';

const costly = (endpoint: EndpointUnderTest, answer: Answer): void => {
  expect(answer.status).toBe(400);
  expect(answer.body.errors?.map((error) => error.extensions)).toEqual([
    { code: 'OPERATION_TOO_COSTLY', http: { status: 400 } },
  ]);
  expect(answer.body).not.toHaveProperty('data');
  expect(totalCalls(endpoint.calls)).toBe(0);
  expect(endpoint.operations).toEqual([]);
};

const ran = (answer: Answer): void => {
  expect(answer.body.errors).toBeUndefined();
  expect(answer.status).toBe(200);
};

const nested = (depth: number): string => `{ user ${'{ best '.repeat(depth - 2)}{ id }${' }'.repeat(depth - 2)} }`;

const aliases = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ');

it('runs a document of 1,000 tokens and refuses one of 1,001', async () => {
  const endpoint = await endpointForTest();
  const query = (tags: number): string =>
    `{ user(input: { email: "a", password: "b", tags: [${'"t" '.repeat(tags)}] }) { id } }`;
  costly(endpoint, await endpoint.post({ query: query(1001 - 22) }));
  ran(await endpoint.post({ query: query(1000 - 22) }));
});

// Contract: requests#cost-of-validation — Validation of a document costs at most 5 ms: its lines are counted first
it.each([['\n'], ['\r'], ['\r\n']])('runs a document of 2,000 line ends %j and refuses one of 2,001', async (end) => {
  const endpoint = await endpointForTest();
  costly(endpoint, await endpoint.post({ query: `${end.repeat(2001)}{ user { id } }` }));
  costly(endpoint, await endpoint.post({ query: `{ user(input: { email: """${end.repeat(2001)}""" }) { id } }` }));
  ran(await endpoint.post({ query: `${end.repeat(2000)}{ user { id } }` }));
});

describe('Depth', () => {
  it('runs 10 levels and refuses 11', async () => {
    const endpoint = await endpointForTest();
    costly(endpoint, await endpoint.post({ query: nested(11) }));
    ran(await endpoint.post({ query: nested(10) }));
  });

  it('counts through fragments, and inline fragments add nothing', async () => {
    const endpoint = await endpointForTest();
    const fragment = 'fragment F on User { best { best { best { best { best { id } } } } } }';
    const query = (inner: string): string => `{ user { ... on User { best { ${inner} } } } } ${fragment}`;
    costly(endpoint, await endpoint.post({ query: query('best { best { best { ...F } } }') }));
    ran(await endpoint.post({ query: query('best { best { ...F } }') }));
  });

  it('does not hang on fragments that spread each other, which validation refuses', async () => {
    const endpoint = await endpointForTest();
    const query = '{ user { ...A } } fragment A on User { best { ...B } } fragment B on User { best { ...A } }';
    const { body } = await endpoint.post({ query });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(totalCalls(endpoint.calls)).toBe(0);
  });
});

describe('Aliases', () => {
  it('runs 15 and refuses 16', async () => {
    const endpoint = await endpointForTest();
    costly(endpoint, await endpoint.post({ query: `{ me { ${aliases(16)} } }` }));
    ran(await endpoint.post({ query: `{ me { ${aliases(15)} } }` }));
  });

  it('counts an alias once for each spread of its fragment', async () => {
    const endpoint = await endpointForTest();
    const query = (more: string): string =>
      `{ user { ${more} best { ...F best { ...F best { ...F } } } } } fragment F on User { ${aliases(5)} }`;
    costly(endpoint, await endpoint.post({ query: query('x: id') }));
    ran(await endpoint.post({ query: query('') }));
  });

  it('counts all operations of the document, also unselected ones', async () => {
    const endpoint = await endpointForTest();
    const query = `query A { me { ${aliases(8)} } } query B { me { ${aliases(8)} } }`;
    costly(endpoint, await endpoint.post({ query, operationName: 'A' }));
  });
});

describe('Documents that multiply', () => {
  it('refuses an exponential document without expanding it', async () => {
    const endpoint = await endpointForTest();
    for (const [, query] of exponential) costly(endpoint, await endpoint.post({ query }));
  });

  it.each(repetitive)('refuses to validate one that repeats %s', async (_, query) => {
    const endpoint = await endpointForTest();
    costly(endpoint, await endpoint.post({ query }));
  });
});

it('reads 100 KB and refuses one byte more with 413', async () => {
  const endpoint = await endpointForTest();
  const body = (size: number): string => {
    const query = JSON.stringify({ query: '{ me { id } }' });
    return query + ' '.repeat(size - query.length);
  };
  ran(await endpoint.post(body(100 * 1024)));
  endpoint.calls.clear();
  const { status, body: answer } = await endpoint.post(body(100 * 1024 + 1));
  expect(status).toBe(413);
  expect(answer.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 413 } });
  expect(totalCalls(endpoint.calls)).toBe(0);
});

describe('Mutations that must be alone in their request', () => {
  const endpoint = endpointForAll();
  const input = '(input: { email: "a", password: "b" })';
  const refused: Record<string, string> = {
    'twice under aliases': `mutation { a: signIn${input} { id } b: signIn${input} { id } }`,
    'with another mutation': `mutation { signIn${input} { id } rename(name: "x") { id } }`,
    'two different ones': `mutation { signIn${input} { id } signOut { success } }`,
    'through a fragment': `mutation { rename(name: "x") { id } ...F } fragment F on Mutation { signIn${input} { id } }`,
    'through a fragment spread twice': `mutation { ...F ...F } fragment F on Mutation { signIn${input} { id } }`,
    'through nested fragments': `mutation { ...F ...G } fragment F on Mutation { ...G } fragment G on Mutation { signOut { success } }`,
    'through an inline fragment': `mutation { rename(name: "x") { id } ... on Mutation { signOut { success } } }`,
    'skipped by a literal': `mutation { rename(name: "x") { id } signOut @skip(if: true) { success } }`,
    'included by a variable': `mutation ($on: Boolean!) { rename(name: "x") { id } signOut @include(if: $on) { success } }`,
  };

  for (const [how, query] of Object.entries(refused)) {
    it(`are refused ${how}`, async () => {
      costly(endpoint, await endpoint.post({ query, variables: { on: false } }));
    });
  }

  it('run alone, with __typename, and next to an unselected operation', async () => {
    const endpoint = await endpointForTest();
    ran(await endpoint.post({ query: 'mutation { __typename signOut { success } }' }));
    const query = `mutation A { signIn${input} { id } } mutation B { rename(name: "x") { id } signOut { success } }`;
    ran(await endpoint.post({ query, operationName: 'A' }));
    expect(endpoint.calls).toEqual(
      new Map([
        ['signOut', 1],
        ['signIn', 1],
      ]),
    );
    endpoint.calls.clear();
    endpoint.operations.length = 0;
    costly(endpoint, await endpoint.post({ query, operationName: 'B' }));
  });

  it('allow other mutations to be sent together', async () => {
    const endpoint = await endpointForTest();
    ran(await endpoint.post({ query: 'mutation { a: rename(name: "x") { id } b: rename(name: "y") { id } }' }));
    expect(endpoint.calls.get('rename')).toBe(2);
  });
});

describe('Introspection', () => {
  const query = getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });

  it('answers the standard query that GraphiQL sends, when it is on', async () => {
    const endpoint = await endpointForTest({ introspection: true });
    ran(await endpoint.post({ query }));
  });

  it('has a maximum depth', async () => {
    const endpoint = await endpointForTest({ introspection: true });
    const deep = `{ __type(name: "User") { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} } }`;
    costly(endpoint, await endpoint.post({ query: deep }));
  });

  it('is refused when it is off, and __typename is not', async () => {
    const endpoint = await endpointForTest({ introspection: false });
    for (const refused of [
      query,
      '{ __type(name: "User") { name } }',
      '{ ...F } fragment F on Query { __schema { description } }',
    ]) {
      const { status, body } = await endpoint.post({ query: refused });
      expect(status).toBe(400);
      expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
      expect(body.errors?.[0]?.message).toBe('Introspection is switched off.');
    }
    ran(await endpoint.post({ query: '{ __typename me { __typename } }' }));
  });
});

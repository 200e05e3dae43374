/** A secret anywhere in a malformed request is never echoed, with introspection on and off. */
import { describe, expect, it } from 'vitest';
import { endpointForAll, endpointForTest, startEndpoint } from './endpoint-under-test.ts';

/** Shaped like a token of this service, which is also a valid GraphQL name. */
const secret = `gate_a_${'S3cr3tCanary'.repeat(4)}x`;
const input = 'email: "a", password: "b"';

const documents: Record<string, string> = {
  'string where an Int belongs': `{ user(limit: "${secret}") { id } }`,
  'string where an enum belongs': `{ user(role: "${secret}") { id } }`,
  'unknown enum value': `{ user(role: ${secret}) { id } }`,
  'enum value where a string belongs': `{ user(name: ${secret}) { id } }`,
  'object where a string belongs': `{ user(name: { a: "${secret}" }) { id } }`,
  'list where a string belongs': `{ user(name: ["${secret}"]) { id } }`,
  'string where an object belongs': `{ user(input: "${secret}") { id } }`,
  'custom scalar that does not parse': `{ user(since: "${secret}") { id } }`,
  'block string': `{ user(limit: """${secret}""") { id } }`,
  'nested input of the wrong type': `{ user(input: { ${input}, nested: { deep: [{ number: "${secret}" }] } }) { id } }`,
  'unknown input field': `{ user(input: { ${input}, ${secret}: 1 }) { id } }`,
  'unknown field': `{ ${secret} }`,
  'unknown argument': `{ me(${secret}: 1) { id } }`,
  'unknown type': `{ me { ... on ${secret} { id } } }`,
  'unknown fragment': `{ me { ...${secret} } }`,
  'unused fragment': `{ me { id } } fragment ${secret} on User { id }`,
  'fragment that spreads itself': `{ me { ...${secret} } } fragment ${secret} on User { ...${secret} }`,
  'unknown directive': `{ me @${secret} { id } }`,
  'directive with a wrong argument': `{ me @skip(if: "${secret}") { id } }`,
  'undefined variable': `{ user(name: $${secret}) { id } }`,
  'unused variable': `query ($${secret}: Int) { me { id } }`,
  'variable in a wrong position': `query ($${secret}: Int) { user(name: $${secret}) { id } }`,
  'variable of an unknown type': `query ($v: ${secret}) { user(name: $v) { id } }`,
  'wrong default of a variable': `query ($v: Int = "${secret}") { user(limit: $v) { id } }`,
  'missing variable': `query ($${secret}: Int!) { required(limit: $${secret}) { id } }`,
  'conflicting arguments': `{ user(name: "${secret}") { id } user(name: "x") { id } }`,
  'conflicting aliases': `{ me { ${secret}: id ${secret}: name } }`,
  'selection on a leaf': `{ me { id { ${secret} } } }`,
  'two operations with one name': `query ${secret} { me { id } } query ${secret} { me { id } }`,
  subscription: `subscription ${secret} { me { id } }`,
  'type definition': `type ${secret} { id: ID }`,
  'name where syntax wants another': `{ me { id } } ${secret}`,
  'string where syntax wants a name': `{ me { "${secret}" } }`,
  'unterminated string': `{ user(name: "${secret}`,
  'unterminated block string': `{ user(name: """${secret}`,
  'number that runs into a name': `{ user(limit: 12${secret}) { id } }`,
  'bad escape': `{ user(name: "${secret}\\q${secret}") { id } }`,
  'bad unicode escape': `{ user(name: "\\uZZ${secret}") { id } }`,
  'control character': `{ me { id } } \u0007${secret}`,
  'control character in a string': `{ user(limit: "${secret}\u0007\u202e") { id } }`,
  'character outside the grammar': `{ me { id } } %${secret}`,
  'keyword as a fragment name': `fragment on on User { ${secret} }`,
};

const bodies: Record<string, unknown> = {
  'malformed JSON': `{"query": "{ me { id } }", ${secret}`,
  'a JSON string': JSON.stringify(secret),
  'a batch': [{ query: `{ ${secret} }` }],
  'query of the wrong type': { query: { a: secret } },
  'unknown operationName': { query: '{ me { id } }', operationName: secret },
  'operationName of the wrong type': { query: '{ me { id } }', operationName: [secret] },
  'variables of the wrong type': { query: '{ me { id } }', variables: [secret] },
  'extensions of the wrong type': { query: '{ me { id } }', extensions: secret },
  'unknown parameter': { [secret]: secret },
};

const signIn = 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }';
const variables: Record<string, { query: string; variables: unknown }> = {
  'string where an object belongs': { query: signIn, variables: { input: secret } },
  'list where an object belongs': { query: signIn, variables: { input: [secret] } },
  'object where a string belongs': { query: signIn, variables: { input: { email: 'a', password: { a: secret } } } },
  'number-like secret where a string belongs': {
    query: signIn,
    variables: { input: { email: 'a', password: [secret] } },
  },
  'missing field next to a secret': { query: signIn, variables: { input: { password: secret } } },
  'unknown field name': { query: signIn, variables: { input: { email: 'a', password: 'b', [secret]: 1 } } },
  'unknown field name that imitates a message': {
    query: signIn,
    variables: { input: { email: 'a', password: 'b', [`x" of required type "${secret}" was not provided.`]: 1 } },
  },
  'unknown field value': { query: signIn, variables: { input: { email: 'a', password: 'b', nonsense: secret } } },
  'custom scalar': { query: signIn, variables: { input: { email: 'a', password: 'b', since: secret } } },
  'enum deep in a list': {
    query: signIn,
    variables: { input: { email: 'a', password: 'b', nested: { deep: [{ number: 1 }, { number: 2, role: secret }] } } },
  },
  Int: { query: 'query ($v: Int!) { required(limit: $v) { id } }', variables: { v: secret } },
  ID: { query: 'query ($v: ID) { user(id: $v) { id } }', variables: { v: { a: secret } } },
  'null with a neighbour': {
    query: 'query ($v: Int!, $w: String) { required(limit: $v) { id } user(name: $w) { id } }',
    variables: { v: null, w: secret },
  },
  'argument null at run time': {
    query: 'query ($v: Int = 1, $w: String) { required(limit: $v) { id } user(name: $w) { id } }',
    variables: { v: null, w: [secret] },
  },
};

for (const introspection of [true, false]) {
  describe(`With introspection ${introspection ? 'on' : 'off'}`, () => {
    const endpoint = endpointForAll({ introspection });
    const refuses = async (body: unknown): Promise<void> => {
      const answer = await endpoint.post(body);
      expect(answer.status).toBe(400);
      for (const error of answer.body.errors ?? []) {
        expect(error.extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 400 } });
        expect(error.message.length).toBeLessThan(400);
      }
      expect(answer.body.errors?.length).toBeGreaterThan(0);
      expect(answer.text).not.toContain('S3cr3t');
      expect(answer.text).not.toContain('gate_a');
      expect(JSON.stringify([...answer.headers])).not.toContain('S3cr3t');
      expect(endpoint.calls.size).toBe(0);
      expect(endpoint.unexpected).toEqual([]);
    };
    for (const [where, query] of Object.entries(documents)) {
      it(`a document never echoes a secret: ${where}`, () => refuses({ query }));
    }
    for (const [where, body] of Object.entries(bodies)) {
      it(`a body never echoes a secret: ${where}`, () => refuses(body));
    }
    for (const [where, body] of Object.entries(variables)) {
      it(`a variable never echoes a secret: ${where}`, () => refuses(body));
    }
  });
}

it('A GET never echoes its query string', async () => {
  const endpoint = await endpointForTest();
  for (const query of [
    `query=${encodeURIComponent(`{ ${secret} }`)}`,
    `query={me{id}}&operationName=${secret}`,
    `query={me{id}}&variables=${secret}`,
    `query={me{id}}&variables=%7B%7D&variables=${secret}`,
    `query={me{id}}&extensions=[%22${secret}%22]`,
    `${secret}=1`,
  ]) {
    const response = await fetch(`${endpoint.url}?${query}`, {
      headers: { accept: 'application/graphql-response+json' },
    });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('S3cr3t');
  }
});

describe('Messages', () => {
  // Contract: requests#malformed-requests — A fault of a variable is told by its location and expected type, without
  //   the value
  it('name the variable, the location and the expected type', async () => {
    const endpoint = await endpointForTest();
    const message = async (input: unknown): Promise<string | undefined> =>
      (await endpoint.post({ query: signIn, variables: { input } })).body.errors?.[0]?.message;
    expect(await message({ email: 'a', password: 1 })).toBe(
      'Variable "$input" is not valid at input.password: expected String!.',
    );
    expect(await message({ email: 'a' })).toBe('Variable "$input" is not valid at input.password: expected String!.');
    expect(await message(null)).toBe('Variable "$input" is not valid at input: expected SignInInput!.');
    expect(await message({ email: 'a', password: 'b', nope: 1 })).toBe(
      'Variable "$input" is not valid at input: SignInInput has an unknown field here.',
    );
    expect(await message({ email: 'a', password: 'b', nested: { deep: [{ number: 1 }, { number: 'x' }] } })).toBe(
      'Variable "$input" is not valid at input.nested.deep.1.number: expected Int!.',
    );
    expect(await message({ email: 'a', password: 'b', tags: ['a', 1] })).toBe(
      'Variable "$input" is not valid at input.tags.1: expected String!.',
    );
  });

  it('name fields and types of the document, and suggest others only where introspection is on', async () => {
    for (const introspection of [true, false]) {
      const endpoint = await startEndpoint({ introspection });
      const { body } = await endpoint.post({ query: '{ me { emial } }' });
      const hint = introspection ? ' Did you mean "email"?' : '';
      expect(body.errors?.[0]?.message).toBe(`Cannot query field "emial" on type "User".${hint}`);
      const literal = await endpoint.post({ query: '{ user(limit: "x") { id } }' });
      expect(literal.body.errors?.[0]?.message).toBe('Expected a value of type "Int".');
      const syntax = await endpoint.post({ query: '{ me { "x" } }' });
      expect(syntax.body.errors?.[0]?.message).toBe('Syntax error: Expected Name, found String.');
      await endpoint.stop();
    }
  });

  it('are few, for any number of errors', async () => {
    const endpoint = await endpointForTest();
    const tags = Array.from({ length: 20_000 }, () => 1);
    const { body, text } = await endpoint.post({
      query: signIn,
      variables: { input: { email: 'a', password: 'b', tags } },
    });
    expect(body.errors).toHaveLength(5);
    expect(text.length).toBeLessThan(2000);
  });
});

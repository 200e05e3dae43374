/** Methods, media types, shapes and statuses of the endpoint, in addition to the audit. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../../src/http-kit/request-bodies.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { endpointForAll, endpointForTest, readAnswer, totalCalls } from './endpoint-under-test.ts';

const query = '{ me { id } }';
const graphql = { accept: 'application/graphql-response+json' };

describe('Media types of a body', () => {
  const endpoint = endpointForAll();
  const others: Record<string, [string, string]> = {
    'a form': ['application/x-www-form-urlencoded', 'query=mutation+%7B+signOut+%7B+success+%7D+%7D'],
    multipart: [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="query"\r\n\r\nmutation { signOut { success } }\r\n--x--',
    ],
    text: ['text/plain', '{"query":"mutation { signOut { success } }"}'],
    'application/graphql': ['application/graphql', 'mutation { signOut { success } }'],
    'JSON in another charset': ['application/json; charset=utf-16', '{"query":"mutation { signOut { success } }"}'],
    'something like JSON': ['application/jsonp', '{"query":"mutation { signOut { success } }"}'],
  };
  for (const [what, [type, body]] of Object.entries(others)) {
    it(`${what} is 415 with the body of an error, and nothing runs`, async () => {
      const answer = await endpoint.post(body, { 'content-type': type });
      expect(answer.status).toBe(415);
      expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 415 } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(totalCalls(endpoint.calls)).toBe(0);
    });
  }

  it('a compressed body is 415', async () => {
    expect((await endpoint.post({ query }, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('JSON in UTF-8 is read, in any spelling of the charset', async () => {
    for (const type of ['application/json;charset=UTF-8', 'application/json; charset="utf-8"', 'Application/JSON']) {
      expect((await endpoint.post({ query }, { 'content-type': type })).status).toBe(200);
    }
  });
});

describe('Shapes of a request', () => {
  const endpoint = endpointForAll();
  const malformed: Record<string, unknown> = {
    'an empty body': '',
    'malformed JSON': '{"query":',
    'an array': [{ query }],
    null: 'null',
    'a string': '"x"',
    'no query': { variables: {} },
    'query null': { query: null },
    'a prototype': '{"__proto__":{"query":"{ me { id } }"}}',
  };
  for (const [what, body] of Object.entries(malformed)) {
    it(`${what} is 400, with either media type`, async () => {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const answer = await endpoint.post(body, { accept });
        expect(answer.status).toBe(400);
        expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 400 } });
        expect(answer.body).not.toHaveProperty('data');
        expect(answer.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
      }
      expect(totalCalls(endpoint.calls)).toBe(0);
    });
  }

  it('choose one of several operations by its name', async () => {
    const endpoint = await endpointForTest();
    const several = 'query A { me { id } } mutation B { rename(name: "x") { name } }';
    expect((await endpoint.post({ query: several })).status).toBe(400);
    expect((await endpoint.post({ query: several, operationName: 'C' })).status).toBe(400);
    expect((await endpoint.post({ query: several, operationName: '' })).status).toBe(400);
    expect(totalCalls(endpoint.calls)).toBe(0);
    for (const round of [1, 2]) {
      expect((await endpoint.post({ query: several, operationName: 'A' })).body, String(round)).toEqual({
        data: { me: { id: '1' } },
      });
      expect((await endpoint.post({ query: several, operationName: 'B' })).body).toEqual({
        data: { rename: { name: 'Ada' } },
      });
    }
    expect((await endpoint.post({ query: `query A { me { name } }\u0000A`, operationName: null })).status).toBe(400);
    expect((await endpoint.post({ query: `${several}\u0000A` })).status).toBe(400);
  });
});

describe('Methods', () => {
  it('GET serves queries', async () => {
    const endpoint = await endpointForTest();
    const url = `${endpoint.url}?query=${encodeURIComponent('query ($n: String) { user(name: $n) { id } }')}&variables=${encodeURIComponent('{"n":"x"}')}`;
    const answer = await readAnswer(await fetch(url, { headers: graphql }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { user: { id: '1' } } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  // Contract: requests#request-format — A mutation by GET is 405 with Allow: POST, and nothing runs
  it('GET refuses a mutation with 405 and runs nothing, with either media type', async () => {
    const endpoint = await endpointForTest();
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await readAnswer(
        await fetch(`${endpoint.url}?query=mutation{signOut{success}}`, { headers: { accept } }),
      );
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
      expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 405 } });
    }
    expect(totalCalls(endpoint.calls)).toBe(0);
    expect(endpoint.operations).toEqual([]);
  });

  // Contract: requests#request-format — Methods other than GET and POST are 405
  it('others are 405, with any media type of their body', async () => {
    const endpoint = await endpointForTest();
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const body =
        method === 'HEAD'
          ? {}
          : { body: 'query={me{id}}', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      const response = await fetch(endpoint.url, { method, ...body });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, POST');
      expect(response.headers.get('cache-control')).toBe('no-store');
      if (method !== 'HEAD') expect(await response.json()).toHaveProperty('errors');
    }
    expect(totalCalls(endpoint.calls)).toBe(0);
  });
});

describe('The media type of the answer', () => {
  const endpoint = endpointForAll();
  const cases: [string, string][] = [
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json', 'application/json'],
    [
      'application/graphql-response+json, application/graphql+json, application/json',
      'application/graphql-response+json',
    ],
    ['application/graphql-response+json;q=0, application/json', 'application/json'],
    ['application/json;q=0.5, application/graphql-response+json;q=0.6', 'application/graphql-response+json'],
    ['application/json;q=0.6, application/graphql-response+json;q=0.5', 'application/json'],
    ['text/html', 'application/json'],
    ['application/graphql-response+json; charset=utf-8', 'application/graphql-response+json'],
  ];
  for (const [accept, expected] of cases) {
    it(`is ${expected} for "${accept}"`, async () => {
      const { headers } = await endpoint.post({ query }, { accept });
      expect(headers.get('content-type')).toBe(`${expected}; charset=utf-8`);
    });
  }
});

describe('Errors of an operation', () => {
  it('keep partial data, with status 200', async () => {
    const endpoint = await endpointForTest();
    const { status, body } = await endpoint.post({ query: '{ me { id } refused { id } }' });
    expect(status).toBe(200);
    expect(body.data).toEqual({ me: { id: '1' }, refused: null });
    expect(body.errors).toEqual([
      {
        message: 'Not yours.',
        locations: [{ line: 1, column: 13 }],
        path: ['refused'],
        extensions: { code: 'FORBIDDEN', http: { status: 403 }, missingScopes: ['USERS_VIEW'] },
      },
    ]);
  });

  // Contract: requests#response-format — An answer without data has the status of its decisive error, and 200 with
  //   application/json
  it('set the status of an answer without data, and 200 with application/json', async () => {
    const endpoint = await endpointForTest();
    for (const [field, status] of [
      ['refusedAlways', 403],
      ['throttled', 429],
      ['badFields', 400],
      ['unavailable', 503],
      ['broken', 500],
    ] as const) {
      const failing = `{ refused { id } ${field} { id } }`;
      const answer = await endpoint.post({ query: failing });
      expect(answer.status, field).toBe(status);
      expect(answer.body.data).toBeNull();
      expect(answer.body.errors?.[0]?.extensions.http.status).toBe(status);
      expect((await endpoint.post({ query: failing }, { accept: 'application/json' })).status).toBe(200);
    }
  });

  // Contract: requests#error-codes — A refusal has the status and the details of its code
  it('carry the details of a refusal', async () => {
    const endpoint = await endpointForTest();
    const throttled = await endpoint.post({ query: '{ throttled { id } }' });
    expect(throttled.body.errors?.[0]?.extensions).toEqual({
      code: 'RATE_LIMITED',
      http: { status: 429 },
      retryAfterSeconds: 7,
    });
    const fields = await endpoint.post({ query: '{ badFields { id } }' });
    expect(fields.body.errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      http: { status: 400 },
      fields: { password: 'Too short.' },
    });
  });

  // Contract: requests#shape-of-an-error — An unexpected failure is INTERNAL with a correlation id and no other detail
  it('contain only a correlation id for an internal error, which is logged completely', async () => {
    for (const broken of ['broken { id }', 'brokenWithCode { id }', 'brokenDate']) {
      const endpoint = await endpointForTest();
      const { body, text } = await endpoint.post({ query: `{ ${broken} }` });
      expect(text).not.toContain('secret');
      expect(text).not.toContain('SECRET');
      const [error] = body.errors ?? [];
      expect(error?.message).toBe('Something went wrong on our side.');
      const reported = endpoint.unexpected[0];
      expect(String(reported?.error)).toContain('secret detail');
      expect(error?.extensions).toEqual({
        code: 'INTERNAL',
        http: { status: 500 },
        correlationId: reported?.correlationId,
      });
    }
  });

  it('are UNAVAILABLE in readable words when the database does not answer', async () => {
    const endpoint = await endpointForTest();
    const { body, text } = await endpoint.post({ query: '{ unavailable { id } }' });
    expect(body.errors?.[0]?.message).toBe('The service is briefly unavailable. Try again in a moment.');
    expect(text).not.toContain('10.0.0.7');
    expect(endpoint.unexpected).toEqual([]);
  });

  it('are BAD_USER_INPUT for a null that only execution can detect', async () => {
    const endpoint = await endpointForTest();
    const { body } = await endpoint.post({
      query: 'query ($n: Int = 1) { required(limit: $n) { id } }',
      variables: { n: null },
    });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', http: { status: 400 } });
    expect(endpoint.unexpected).toEqual([]);
  });
});

describe('The context', () => {
  it('receives kind, name and root fields before anything runs, and may refuse', async () => {
    const endpoint = await endpointForTest({
      refuseContext: (request) => {
        if (request.headers['x-refuse'] !== undefined) throw new Refusal('ORIGIN_REFUSED', 'Not from there.');
      },
    });
    const operation =
      'mutation Rename { x: rename(name: "a") { id } ...F __typename } fragment F on Mutation { rename(name: "b") @skip(if: true) { id } }';
    const refused = await endpoint.post({ query: operation }, { 'x-refuse': '1' });
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      errors: [{ message: 'Not from there.', extensions: { code: 'ORIGIN_REFUSED', http: { status: 403 } } }],
    });
    expect(totalCalls(endpoint.calls)).toBe(0);
    expect((await endpoint.post({ query: operation })).status).toBe(200);
    const facts = {
      kind: 'mutation',
      name: 'Rename',
      rootFields: ['rename'],
      fields: new Set(['rename', 'id', '__typename']),
    };
    expect(endpoint.operations).toEqual(Array(2).fill(facts));
  });

  it('that fails is INTERNAL', async () => {
    const endpoint = await endpointForTest({ createContext: () => Promise.reject(new Error('the secret detail')) });
    const { status, text } = await endpoint.post({ query });
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(endpoint.unexpected).toHaveLength(1);
  });

  it('lets resolvers set cookies on the answer until they have ended', async () => {
    const endpoint = await endpointForTest();
    const { headers } = await endpoint.post({ query: 'mutation { setCookie { success } }' });
    expect(headers.get('set-cookie')).toBe('a=b');
  });
});

it('An error of a hook of the application is formatted like any other error, and headers set by a hook remain', async () => {
  const endpoint = await endpointForTest({
    prepare: (app) =>
      app.addHook('onRequest', async (request, reply) => {
        reply.header('x-from-hook', 'yes');
        if (request.headers['x-refuse'] !== undefined) throw new Refusal('UNAVAILABLE', 'Closing.');
        if (request.headers['x-break'] !== undefined) throw new Error('the secret detail');
      }),
  });
  const refused = await endpoint.post({ query }, { 'x-refuse': '1' });
  expect(refused.status).toBe(503);
  expect(refused.body.errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE', http: { status: 503 } });
  const broken = await endpoint.post({ query }, { 'x-break': '1' });
  expect(broken.status).toBe(500);
  expect(broken.text).not.toContain('secret');
  expect(endpoint.unexpected).toHaveLength(1);
  expect((await endpoint.post({ query })).headers.get('x-from-hook')).toBe('yes');
  expect(totalCalls(endpoint.calls)).toBe(1);
});

// Contract: requests#memory-for-bodies — Bodies beyond the budget: 503 as GraphQL defines it
it('A body beyond the budget of bodies is 503 with the body of an error and Retry-After, with either media type, and nothing runs', async () => {
  const endpoint = await endpointForTest({ bodies: new BodyBudget(undefined, 10) });
  for (const accept of ['application/graphql-response+json', 'application/json']) {
    const { status, headers, body } = await endpoint.post({ query: '{ me { id } }' }, { accept });
    expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '5', 'close']);
    expect(body).toEqual({
      errors: [
        {
          message: 'Too many requests are being received at once. Try again in a few seconds.',
          extensions: { code: 'UNAVAILABLE', http: { status: 503 }, retryAfterSeconds: 5 },
        },
      ],
    });
  }
  expect([totalCalls(endpoint.calls), endpoint.unexpected]).toEqual([0, []]);
  // A request without a body needs no budget.
  const response = await fetch(`${endpoint.url}?query=${encodeURIComponent('{ me { id } }')}`);
  expect(response.status).toBe(200);
});

it('A truncated body is an error of the request and has no other effect', async () => {
  const endpoint = await endpointForTest();
  const { hostname, port } = new URL(endpoint.url);
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"query"',
      );
      setTimeout(() => socket.destroy(), 20);
    });
    socket.on('close', () => resolve()).on('error', reject);
  });
  expect((await endpoint.post({ query })).status).toBe(200);
  expect(endpoint.unexpected).toEqual([]);
});

/** A schema of counters and traps behind the real endpoint on a real port, for the tests in this folder. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { buildSchema, GraphQLError, GraphQLScalarType, type GraphQLSchema } from 'graphql';
import { afterEach, onTestFinished } from 'vitest';
import type { OperationInfo } from '../../src/graphql/documents.ts';
import { type GraphqlOptions, mountGraphql } from '../../src/graphql/endpoint.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { fixture } from '../support/fixture.ts';

const sdl = /* GraphQL */ `
  scalar DateTime
  enum Role { OWNER ADMIN MEMBER }
  input SignInInput { email: String!, password: String!, tags: [String!], since: DateTime, nested: NestedInput }
  input NestedInput { deep: [DeepInput!] }
  input DeepInput { number: Int!, role: Role }
  type User { id: ID!, email: String!, name: String!, friends: [User!]!, best: User, role: Role }
  type Receipt { success: Boolean! }
  type Query {
    me: User!
    user(id: ID, name: String, limit: Int, role: Role, since: DateTime, input: SignInInput): User
    required(limit: Int!): User
    refused: User
    refusedAlways: User!
    throttled: User!
    badFields: User!
    unavailable: User!
    broken: User!
    brokenWithCode: User!
    brokenDate: DateTime
    now: DateTime
  }
  type Mutation {
    signIn(input: SignInInput!): User
    signOut: Receipt!
    rename(name: String!): User
    setCookie: Receipt!
  }
`;

const user = { id: '1', email: 'ada@example.org', name: 'Ada', friends: [], role: 'OWNER' };

/** How often each root resolver ran. */
export type Calls = Map<string, number>;

const rootResolvers: Record<string, (args: unknown, context: unknown) => unknown> = {
  me: () => user,
  user: () => ({ ...user, friends: [user, user], best: user }),
  required: () => user,
  refused: () => {
    throw new Refusal('FORBIDDEN', 'Not yours.', { missingScopes: ['USERS_VIEW'] });
  },
  refusedAlways: () => Promise.reject(new Refusal('MEMBERSHIP_REQUIRED', 'Choose an organization.')),
  throttled: () => Promise.reject(new Refusal('RATE_LIMITED', 'Slow down.', { retryAfterSeconds: 7 })),
  badFields: () => Promise.reject(new Refusal('BAD_USER_INPUT', 'Not valid.', { fields: { password: 'Too short.' } })),
  unavailable: () => Promise.reject(new DatabaseUnavailable('connection refused at 10.0.0.7')),
  broken: () => {
    throw new Error('the secret detail');
  },
  brokenWithCode: () => {
    throw new GraphQLError('the secret detail', { extensions: { code: 'SECRET', http: { status: 418 } } });
  },
  brokenDate: () => 'not a date, a secret detail',
  now: () => new Date(0),
  signIn: () => user,
  signOut: () => ({ success: true }),
  rename: () => user,
  setCookie: async (_args, context) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    (context as TestContext).reply.header('set-cookie', 'a=b');
    return { success: true };
  },
};

interface TestContext {
  readonly reply: FastifyReply;
}

const countingSchema = (calls: Calls): GraphQLSchema => {
  const schema = buildSchema(sdl);
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      field.resolve = (_source, args, context) => {
        calls.set(field.name, (calls.get(field.name) ?? 0) + 1);
        return rootResolvers[field.name]?.(args, context);
      };
    }
  }
  const dateTime = schema.getType('DateTime');
  if (dateTime instanceof GraphQLScalarType) Object.assign(dateTime, dateTimeCoercion);
  return schema;
};

const parseInstant = (value: unknown): Date => {
  const date = new Date(String(value));
  if (Number.isNaN(date.getTime())) throw new Error(`Not an instant: ${String(value)}`);
  return date;
};

const dateTimeCoercion = {
  serialize: (value: unknown): string => {
    if (value instanceof Date) return value.toISOString();
    throw new TypeError(`Not a Date: ${String(value)}`);
  },
  parseValue: parseInstant,
  parseLiteral: (node: { value?: unknown }) => parseInstant(node.value),
};

interface Unexpected {
  readonly error: unknown;
  readonly correlationId: string;
}

export interface EndpointUnderTest {
  readonly url: string;
  readonly calls: Calls;
  readonly unexpected: Unexpected[];
  readonly operations: OperationInfo[];
  /** POSTs a JSON body, with application/graphql-response+json as Accept by default. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: GraphqlBody;
}

interface GraphqlBody {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: unknown;
    readonly extensions: Record<string, unknown> & {
      readonly code: string;
      readonly http: { readonly status: number };
    };
  }[];
}

export const readAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as GraphqlBody };
};

type Overrides = Partial<Omit<GraphqlOptions<unknown>, 'schema'>> & {
  readonly refuseContext?: (request: FastifyRequest) => void;
  readonly prepare?: (app: FastifyInstance) => void;
};

/** Starts the endpoint; it stops when the test (or, in a hook, the caller) ends it. */
export const startEndpoint = async (
  overrides: Overrides = {},
): Promise<EndpointUnderTest & { stop(): Promise<void> }> => {
  const calls: Calls = new Map();
  const unexpected: Unexpected[] = [];
  const operations: OperationInfo[] = [];
  const app = fastify();
  const { refuseContext, prepare, ...options } = overrides;
  prepare?.(app);
  mountGraphql<unknown>(app, {
    schema: countingSchema(calls),
    introspection: true,
    graphiql: false,
    loneMutations: new Set(['signIn', 'signOut']),
    createContext: (request, reply, operation) => {
      operations.push(operation);
      refuseContext?.(request);
      return { reply };
    },
    onUnexpected: (error, correlationId) => unexpected.push({ error, correlationId }),
    ...options,
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `${origin}/graphql`;
  return {
    url,
    calls,
    unexpected,
    operations,
    post: async (body, headers = {}) =>
      readAnswer(
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    stop: () => app.close(),
  };
};

/** Like startEndpoint, for the length of one test. */
export const endpointForTest = async (overrides: Overrides = {}): Promise<EndpointUnderTest> => {
  const endpoint = await startEndpoint(overrides);
  onTestFinished(() => endpoint.stop());
  return endpoint;
};

/** One endpoint for the tests of a file or a `describe` that do not depend on the cached documents. */
export const endpointForAll = (overrides: Overrides = {}): EndpointUnderTest => {
  const endpoint = fixture(
    () => startEndpoint(overrides),
    (started) => started.stop(),
  );
  afterEach(() => {
    for (const noted of [endpoint.unexpected, endpoint.operations]) noted.splice(0);
    endpoint.calls.clear();
  });
  return endpoint;
};

export const totalCalls = (calls: Calls): number => [...calls.values()].reduce((sum, count) => sum + count, 0);

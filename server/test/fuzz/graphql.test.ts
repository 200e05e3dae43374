/**
 * Every operation of the schema, by everybody, with arguments of the right and of the wrong types; broken documents; bodies
 * that are no request. No answer is our fault, a refusal quotes nothing and changes nothing.
 */
import * as fc from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { schema } from '../../src/graphql/schema.ts';
import { post, type Variables } from '../support/clients.ts';
import {
  expectBearable,
  expectCleanLog,
  expectOften,
  hostileJson,
  hostileText,
  mutated,
  patience,
  secretSettings,
  sendOnWire,
  tries,
} from '../support/fuzz.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { newMcpClient } from '../support/mcp.ts';
import { everythingStored, expectNoEcho } from '../support/refusals.ts';
import { seedSession } from '../support/seeding.ts';
import { addTo, inviteTo, newOwner, newSuperAdmin, type Tenant } from '../support/tenants.ts';

let service: Service;
let people: readonly Tenant[];
let mcpToken: string;
/** All that was presented so far. */
const presented: string[] = [];
/** Ids that are somebody's, for arguments that take one. */
let ids: readonly string[];

beforeAll(async () => {
  service = await startService(secretSettings);
  const [owner, member, stranger] = [await newOwner(service), await newOwner(service), await newOwner(service)];
  const superAdmin = await newSuperAdmin(service);
  const joined = await addTo(service, member.userId, owner.organizationId);
  const invited = await inviteTo(service, stranger.userId, owner.organizationId);
  const client = await newMcpClient(service, platformScopes, superAdmin);
  mcpToken = client.tokens.accessToken;
  presented.push(mcpToken);
  people = [owner, member, stranger, superAdmin];
  const families = await service.sql<{ id: string }>('SELECT id FROM credentials ORDER BY id');
  ids = [
    ...people.flatMap(({ userId, organizationId, memberId }) => [userId, organizationId, memberId]),
    ...families.map(({ id }) => id),
    joined,
    typeof invited === 'string' ? invited : '',
    client.clientId,
  ];
});
afterAll(() => service.close());

const fitting = (type: GraphQLInputType): fc.Arbitrary<unknown> => {
  if (isNonNullType(type)) return fitting(type.ofType);
  const nullable = getNullableType(type);
  if (isListType(nullable)) return fc.array(fitting(nullable.ofType), { maxLength: 3 });
  if (isEnumType(nullable)) return fc.constantFrom(...nullable.getValues().map(({ name }) => name));
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields()).map((field) => [field.name, fitting(field.type)] as const);
    return fc.record(Object.fromEntries(fields));
  }
  return scalars[getNamedType(nullable).name] ?? fc.oneof(fc.constantFrom(...ids), hostileText);
};

const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Boolean: fc.boolean(),
  Int: fc.oneof(fc.integer({ min: -3, max: 120 }), fc.integer()),
  DateTime: fc.oneof(fc.date().map(String), fc.constant('2026-01-01T00:00:00.000Z'), hostileText),
};

interface Operation {
  readonly query: string;
  readonly variables: Variables;
}

/** Nine of ten arguments are of their type, so that most requests get as far as the operation. */
const anyOperation = (): fc.Arbitrary<Operation> => {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type, index) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ kind: index === 0 ? 'query' : 'mutation', field })),
  );
  return fc.constantFrom(...fields).chain(({ kind, field: { name, args, type } }) => {
    const declared = args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
    const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
    const selection = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
    const query =
      args.length === 0
        ? `${kind} { ${name}${selection} }`
        : `${kind} (${declared}) { ${name}(${passed})${selection} }`;
    const values = args.map(
      (argument) =>
        [
          argument.name,
          fc.oneof({ weight: 9, arbitrary: fitting(argument.type) }, { weight: 1, arbitrary: hostileJson }),
        ] as const,
    );
    return fc.record(Object.fromEntries(values)).map((variables) => ({ query, variables }));
  });
};

/** A fresh session each time: operations end them. */
const credentialOf = async (actor: number): Promise<Readonly<Record<string, string>>> => {
  const person = people[actor];
  if (person === undefined) return actor % 2 === 0 ? {} : { authorization: `Bearer ${mcpToken}` };
  // The last ones go, or each comparison of everything that is stored takes longer than the one before.
  await service.sql("DELETE FROM credentials WHERE user_id = $1 AND audience <> 'mcp'", [person.userId]);
  const { accessToken } = await seedSession(service.database, person.userId);
  presented.push(accessToken);
  return { authorization: `Bearer ${accessToken}` };
};

describe('Every operation', () => {
  it(
    'bears any arguments by anybody, and what it refuses changes nothing',
    async () => {
      let successes = 0;
      await fc.assert(
        fc.asyncProperty(anyOperation(), fc.nat(people.length + 1), async ({ query, variables }, actor) => {
          const credential = await credentialOf(actor);
          const stored = await everythingStored(service);
          const answer = await post(service.url, query, variables, credential);
          expect(answer.status, answer.text).toBeLessThan(500);
          expect(answer.code).not.toBe('INTERNAL');
          if (answer.code === null) {
            successes += 1;
            return;
          }
          // Shorter ones may be words of the schema; ids may be asked for and named.
          const telling = answer.sent.filter((text) => text.length >= 16 && !ids.includes(text));
          expectNoEcho({ ...answer, sent: telling });
          expect(await everythingStored(service)).toEqual(stored);
        }),
        tries(300),
      );
      // Otherwise everything was refused at the door.
      expectOften(successes, 20);
      expectCleanLog(service.logs, presented);
    },
    patience(600),
  );
});

describe('The endpoint', () => {
  const documents = [
    'query FetchMe { me { id email memberships { role organization { name } } } }',
    'mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) { accessToken user { id } } }',
    'query Q($first: Int = 5) { members(first: $first) { ...P } } fragment P on MemberConnection { totalCount nodes { id } }',
    '{ __schema { types { name fields { name args { name } } } } }',
  ] as const;

  const body = fc.oneof(
    fc.constantFrom(...documents).chain((text) => mutated(text).map((query) => JSON.stringify({ query }))),
    fc
      .record(
        { query: hostileJson, variables: hostileJson, operationName: hostileJson, extensions: hostileJson },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    hostileJson.map((value) => JSON.stringify(value)),
    fc.constantFrom(...documents).chain((query) => mutated(JSON.stringify({ query }))),
    fc.uint8Array({ maxLength: 200 }),
  );

  it(
    'bears any document and any body',
    async () => {
      const stored = await everythingStored(service);
      await fc.assert(
        fc.asyncProperty(body, fc.boolean(), async (content, byPost) => {
          const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
          const asked = new URLSearchParams({ query: content.toString().slice(0, 2000).toWellFormed() });
          const answer = await sendOnWire(
            service.url,
            byPost
              ? { method: 'POST', path: '/graphql', headers, body: content }
              : { method: 'GET', path: `/graphql?${asked}`, headers: { accept: headers.accept }, body: null },
          );
          expectBearable(answer, []);
          expect(answer.text).not.toContain('INTERNAL');
        }),
        tries(400),
      );
      expect(await everythingStored(service)).toEqual(stored);
      expectCleanLog(service.logs, presented);
    },
    patience(300),
  );
});

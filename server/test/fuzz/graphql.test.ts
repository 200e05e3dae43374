/** Every operation by every kind of caller, with valid and invalid arguments, documents and bodies. */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedSession } from '../support/actors/seeding.ts';
import type { Tenant } from '../support/actors/tenants.ts';
import { expectNoEcho } from '../support/checks/refusals.ts';
import { type Answer, post, type Tokens, type Variables } from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import {
  expectCleanLog,
  expectKinds,
  expectOften,
  expectValidAnswer,
  hostileJson,
  mutated,
  sendOnWire,
  tries,
  wireAnswerOf,
} from '../support/random/fuzz.ts';
import { startFuzzWorld } from '../support/random/fuzz-world.ts';
import { anyOperation, type KnownValues } from '../support/random/hostile-requests.ts';
import { startFakeStripe } from '../support/servers/payments.ts';

/** Every token that was presented or issued so far, and the secrets of links. */
const secrets = new Set<string>();

// Otherwise an operation that reaches the provider would rightly be answered 503.
const payments = fixture(startFakeStripe);
const world = fixture(() => startFuzzWorld({ STRIPE_API_BASE: payments.url }));
const service = fixture(() => world.service);
beforeAll(async () => {
  const { credentials, links } = world;
  for (const secret of [...credentials, ...links.invitations, links.validation]) secrets.add(secret);
});

/** Placeholders for the tokens of the caller, who has new ones each time. */
const own: Tokens = { accessToken: 'access token of the caller', refreshToken: 'refresh token of the caller' };

const knownValues = (): KnownValues => ({
  ids: world.ids,
  byName: {
    accessToken: [own.accessToken],
    refreshToken: [own.refreshToken],
    email: world.emails,
    invitationToken: world.links.invitations,
    name: ['A name'],
    password: ['Correct.horse7'],
    product: ['free'],
    scope: ['MEMBERS_VIEW', 'users:view'],
    search: ['person'],
    token: [...world.links.invitations, world.links.validation],
    vToken: world.vTokens,
  },
});

/** How a user authenticates; a page of another site has the cookies sent along, too. */
const guises = ['bearer', 'cookies', 'cookies from elsewhere'] as const;
type Guise = (typeof guises)[number];

interface Actor {
  /** Signed out for an unknown number. */
  readonly person: number;
  readonly guise: Guise;
}

const persons = (): readonly Tenant[] => [
  world.owner,
  world.member,
  world.outsider,
  world.superAdmin,
  world.superAdmin,
];

const actor = (): fc.Arbitrary<Actor> =>
  fc.record({ person: fc.nat(persons().length + 1), guise: fc.constantFrom(...guises) });

/** An operation may have deleted the account. */
const isDeleted = async ({ userId }: Tenant): Promise<boolean> =>
  (await service.sql('SELECT FROM users WHERE id = $1', [userId])).length === 0;

/** A new session each time: operations end them. */
const tokensOf = async ({ person: number }: Actor): Promise<Tokens | null> => {
  const person = persons()[number];
  if (person === undefined || (await isDeleted(person))) return null;
  // Deletes the former ones, or each comparison of all rows takes longer than the one before.
  await service.sql("DELETE FROM credentials WHERE user_id = $1 AND audience <> 'mcp'", [person.userId]);
  const tokens = await seedSession(service.database, person.userId);
  secrets.add(tokens.accessToken).add(tokens.refreshToken);
  return tokens;
};

const headersOf = ({ person, guise }: Actor, tokens: Tokens | null): Readonly<Record<string, string>> => {
  // Of two unauthenticated callers, one is a program with a session elsewhere.
  if (tokens === null) return person % 2 === 0 ? {} : { authorization: `Bearer ${world.client.tokens.accessToken}` };
  if (guise === 'bearer') return { authorization: `Bearer ${tokens.accessToken}` };
  const cookie = `auth_access=${tokens.accessToken}; auth_refresh=${tokens.refreshToken}`;
  return { cookie, origin: guise === 'cookies' ? service.portalUrl : 'https://evil.example' };
};

/** The portal passes no tokens: its cookies carry them. */
const withOwn = (variables: Variables, tokens: Tokens | null): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (value === own.accessToken) return [name, tokens?.accessToken ?? null];
      return [name, value === own.refreshToken ? (tokens?.refreshToken ?? null) : value];
    }),
  );

const tokenShape = /gate_[arps]_[\w-]{49}/g;

/** Tokens, and the secrets of links in mails, which no answer may contain. */
const remember = (texts: readonly string[]): void => {
  const links = /(?:invitation|verify)\/([0-9a-f-]{36,64})/g;
  for (const text of texts) {
    for (const [token] of text.matchAll(tokenShape)) secrets.add(token);
    for (const [, secret = ''] of text.matchAll(links)) secrets.add(secret);
  }
};

/** The portal's tokens come in cookies; no other response has any (contract/credentials.md#delivery). */
const expectOneDelivery = ({ text, setCookies }: Answer, isPortal: boolean): void =>
  expect((isPortal ? text : setCookies.join()).match(tokenShape)).toBeNull();

describe('Every operation', () => {
  // Contract: requests#any-input-is-answered — Every GraphQL operation by every kind of caller, by bearer and by
  //   cookies, with random arguments and whole answers
  it('accepts or refuses any arguments of any caller, reveals no secret, and changes nothing on refusal', async () => {
    const successes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(anyOperation(knownValues()), actor(), async ({ name, query, variables }, who) => {
        await world.refill();
        const tokens = await tokensOf(who);
        const stored = await everythingStored(service);
        // Mails of earlier operations.
        remember(stored.slice(-1));
        const given = withOwn(variables, who.guise === 'bearer' ? tokens : null);
        const answer = await post(service.url, query, given, headersOf(who, tokens));
        const hidden = [...secrets, ...(name === 'invitation' ? [] : world.vTokens)];
        expectValidAnswer(wireAnswerOf(answer), hidden);
        expectOneDelivery(answer, tokens !== null && who.guise === 'cookies');
        remember([answer.text, ...answer.setCookies]);
        expect(answer.code).not.toBe('INTERNAL');
        if (answer.code === null) {
          successes.set(name, (successes.get(name) ?? 0) + 1);
          return;
        }
        // Shorter ones may be words of the schema; ids may be sent and returned.
        const telling = answer.sent.filter((text) => text.length >= 16 && !world.ids.includes(text));
        expectNoEcho({ ...answer, sent: telling });
        expect(await everythingStored(service)).toEqual(stored);
      }),
      tries(600),
    );
    // Otherwise everything was refused before it was executed.
    expectOften(sum(successes.values()), 40);
    expectKinds(successes.size, 10);
    expectCleanLog(service.logs, [...secrets, ...world.vTokens]);
  });

  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((left, right) => left + right, 0);
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

  // Contract: requests#any-input-is-answered — Random documents and bodies
  it('answers any document and any body', async () => {
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
        expectValidAnswer(answer, world.credentials);
        expect(answer.text).not.toContain('INTERNAL');
      }),
      tries(400),
    );
    expect(await everythingStored(service)).toEqual(stored);
    expectCleanLog(service.logs, [...secrets]);
  });
});

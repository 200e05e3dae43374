/** Limits of the other operations and endpoints: who does too much of anything is told to wait, and nothing happens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RateLimit, rateLimits } from '../../src/platform/rate-limit-table.ts';
import { type Answer, goodPassword, newAddress, operations, post, type Variables } from '../support/clients.ts';
import { range } from '../support/concurrency.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { auditRows, authorization, exchange, jsonHeaders, type McpClient, newMcpClient } from '../support/mcp.ts';
import { postForm } from '../support/oauth.ts';
import { expectNoEffect, expectNothingStored, expectRefusal } from '../support/refusals.ts';
import { newOwner, runAs, type Tenant } from '../support/tenants.ts';

let service: Service;
let person: Tenant;
let client: McpClient;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' });
  person = await newOwner(service);
  client = await newMcpClient(service);
});
afterAll(() => service.close());

const secondsEach = ({ perHour }: RateLimit): number => 3600 / perHour;

/** As if so many turns had been taken of a limit by everybody who took any. */
const comeAhead = async (limit: RateLimit, turns: number): Promise<void> => {
  const rows = await service.sql(
    `UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE $2 RETURNING key`,
    [turns * secondsEach(limit), `${limit.name}:%`],
  );
  expect(rows.length).toBeGreaterThan(0);
};

const policyOf = ({ name, burst, ...pace }: RateLimit): string =>
  `"${name}";q=${burst};w=${Math.ceil((burst * 3600) / pace.perHour)}`;

const expectTold = (headers: Headers, limit: RateLimit): void => {
  expect(headers.get('ratelimit-policy')?.split(', ')).toContain(policyOf(limit));
  expect(headers.get('ratelimit')).toContain(`"${limit.name}";r=0;t=`);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(headers.get('ratelimit')).toContain(`t=${seconds}`);
};

const ip = '198.18.200.1';
const anonymous = (query: string, variables: Variables = {}): Promise<Answer> =>
  post(service.url, query, variables, { 'x-forwarded-for': ip });
const byPerson = (query: string, variables: Variables): Promise<Answer> => runAs(service, person, query, variables);

const profile = {
  invitationToken: crypto.randomUUID(),
  vToken: 'x'.repeat(43),
  name: 'A Stranger',
  password: goodPassword,
};

const limited: readonly (readonly [string, RateLimit, () => Promise<Answer>])[] = [
  [
    'signUpWithPassword',
    rateLimits.signUp,
    () => anonymous(operations.signUp, { input: { email: newAddress(), name: 'Somebody', password: goodPassword } }),
  ],
  ['validateEmail', rateLimits.validateEmail, () => anonymous(operations.validate, { token: 'a'.repeat(64) })],
  ['refreshAccessToken', rateLimits.refresh, () => anonymous(operations.refresh, { refreshToken: 'no token' })],
  ['invitation', rateLimits.invitationPreview, () => anonymous(operations.invitation, { token: crypto.randomUUID() })],
  [
    'completeInvitedProfile',
    rateLimits.invitationComplete,
    () => anonymous(operations.completeInvitedProfile, { input: profile }),
  ],
  [
    'acceptInvitation',
    rateLimits.invitationAccept,
    () => byPerson(operations.acceptInvitation, { token: crypto.randomUUID() }),
  ],
  [
    'switchOrganization',
    rateLimits.switchOrganization,
    () => byPerson(operations.switchOrganization, { id: crypto.randomUUID() }),
  ],
  [
    'createOrganization',
    rateLimits.organization,
    () => byPerson(operations.createOrganization, { input: { name: 'Another' } }),
  ],
  [
    'inviteMember',
    rateLimits.invitationFrom,
    () => byPerson(operations.inviteMember, { input: { email: newAddress(), role: 'MEMBER' } }),
  ],
  [
    'exchangeAuthTokens',
    rateLimits.externalExchange,
    () =>
      post(
        service.url,
        operations.exchangeAuthTokens,
        {},
        { origin: service.url, cookie: `auth_exchange=${'x'.repeat(43)}`, 'x-forwarded-for': ip },
      ),
  ],
  [
    'recordConsent',
    rateLimits.visitorSession,
    () =>
      post(service.url, operations.recordConsent, { analytics: true }, { origin: service.url, 'x-forwarded-for': ip }),
  ],
];

describe.each(limited)('%s', (_name, limit, call) => {
  it('is limited, says so in its headers, and does nothing then', async () => {
    const first = await call();
    expect(first.code).not.toBe('RATE_LIMITED');
    expect(first.headers.get('ratelimit-policy')?.split(', ')).toContain(policyOf(limit));
    expect(first.headers.get('ratelimit')).toMatch(new RegExp(`"${limit.name}";r=\\d+;t=\\d+`));
    expect(first.headers.get('retry-after')).toBeNull();
    await comeAhead(limit, limit.burst - 1);
    expect((await call()).code).not.toBe('RATE_LIMITED');
    await comeAhead(limit, limit.burst + 1);
    const refused = await expectNoEffect(service, call);
    expect(refused.extensions).toMatchObject({ code: 'RATE_LIMITED', http: { status: 429 } });
    // A preview that is refused is null, like one of an unknown token, and the rest of the request is answered.
    expect(refused.status).toBe(refused.data === null ? 429 : 200);
    expectTold(refused.headers, limit);
    expect(refused.headers.get('retry-after')).toBe(String(refused.extensions['retryAfterSeconds']));
  });
});

describe('Tricks with a GraphQL request', () => {
  const from = '198.18.200.2';
  const ask = (query: string, headers = {}): Promise<Answer> =>
    post(service.url, query, {}, { 'x-forwarded-for': from, ...headers });
  const preview = (): string => `invitation(token: "${crypto.randomUUID()}") { status }`;

  it('count: each alias is a call of its own', async () => {
    const limit = rateLimits.invitationPreview;
    await ask(`{ ${preview()} }`);
    await comeAhead(limit, 100);
    const dueAt = async (): Promise<number> => {
      const rows = await service.sql<{ due: number }>(
        'SELECT max(extract(epoch FROM due_at))::float8 AS due FROM rate_limits WHERE key LIKE $1',
        [`${limit.name}:%`],
      );
      return rows[0]?.due ?? 0;
    };
    const turnsOf = async (query: string): Promise<number> => {
      const before = await dueAt();
      await ask(query);
      return Math.round(((await dueAt()) - before) / secondsEach(limit));
    };
    const aliases = range(15).map((index) => `a${index}: ${preview()}`);
    expect(await turnsOf(`{ ${aliases.join(' ')} }`)).toBe(15);
    const [first, second] = [`fragment f on Query { b0: ${preview()} }`, `fragment g on Query { b1: ${preview()} }`];
    expect(await turnsOf(`query { ...f ...g } ${first} ${second}`)).toBe(2);
    await comeAhead(limit, limit.burst - 3);
    const { data, text, status } = await ask(`{ ${aliases.join(' ')} }`);
    expect(status).toBe(200);
    expect(Object.values(data ?? {})).toHaveLength(15);
    expect(text.match(/"RATE_LIMITED"/g)?.length).toBeGreaterThanOrEqual(11);
  });

  it('do not pay: aliased sign-ins and several operations in one body are refused as they are', async () => {
    const signIns = range(15).map(
      (index) => `a${index}: signInWithPassword(input: { email: "x@example.com", password: "x" }) { accessToken }`,
    );
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => ask(`mutation { ${signIns.join(' ')} }`));
    const body = JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]);
    const response = await expectNothingStored(service, () =>
      fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body,
      }),
    );
    expect(response.status).toBe(400);
  });

  it('count: dots and a plus in an address make no other mailbox of it', async () => {
    const unique = crypto.randomUUID().slice(0, 8);
    const { burst } = rateLimits.signUpMailbox;
    const spell = (index: number): string => {
      const dotted = [...`person${unique}`].map((character, at) => (at === index + 1 ? `.${character}` : character));
      return `${dotted.join('')}+${index}@Example.com`;
    };
    const signUp = (email: string): Promise<Answer> =>
      post(
        service.url,
        operations.signUp,
        { input: { email, name: 'Somebody', password: goodPassword } },
        { 'x-forwarded-for': '198.18.200.3' },
      );
    const codes = [];
    for (const index of range(burst + 2)) codes.push((await signUp(spell(index))).code);
    expect(codes).toEqual([...range(burst).map(() => null), 'RATE_LIMITED', 'RATE_LIMITED']);
    expect((await signUp(newAddress())).code).toBeNull();
  });
});

describe('The authorization server', () => {
  const form = { grant_type: 'refresh_token', client_id: crypto.randomUUID(), refresh_token: 'none' };

  it.each([
    ['token', rateLimits.oauthToken, form],
    ['revoke', rateLimits.oauthRevocation, { client_id: form.client_id, token: 'none' }],
  ] as const)(
    'answers 429 in its own words at /auth/mcp/%s, and says how many requests are left',
    async (path, limit, fields) => {
      const first = await postForm(service, path, fields);
      expect(first.status).toBe(401);
      expect(first.headers.get('ratelimit')).toContain(`"${limit.name}";r=${limit.burst - 1}`);
      expect(first.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']),
      );
      await comeAhead(limit, limit.burst + 1);
      const refused = await expectNothingStored(service, () => postForm(service, path, fields));
      expect({ status: refused.status, error: refused.body['error'] }).toEqual({
        status: 429,
        error: 'temporarily_unavailable',
      });
      expectTold(refused.headers, limit);
      await service.sql('DELETE FROM rate_limits');
    },
  );
});

describe('Platform MCP', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'mcp_whoami' } });
  const call = (headers = authorization(client)) =>
    exchange(service, { headers: { ...jsonHeaders, ...headers }, body: message });

  it('refuses a session that sends too much before its message is read: it is no call, and not on record', async () => {
    const first = await call();
    expect(first.status).toBe(200);
    const { burst } = rateLimits.mcp;
    expect(first.headers.get('ratelimit')).toContain(`"mcp";r=${burst - 1}`);
    await comeAhead(rateLimits.mcp, burst + 1);
    const rows = await auditRows(service);
    const refused = await expectNothingStored(service, () => call());
    expect(refused.status).toBe(429);
    expectTold(refused.headers, rateLimits.mcp);
    const retryAfterSeconds = Number(refused.headers.get('retry-after'));
    expect(refused.body).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32029,
        message: expect.any(String) as unknown,
        data: { code: 'RATE_LIMITED', retryAfterSeconds },
      },
    });
    expect(await auditRows(service)).toEqual(rows);
    expect((await call(authorization(await newMcpClient(service)))).status).toBe(200);
  });

  it('refuses a network that brings many tokens which are not accepted, and nobody who brings one that is', async () => {
    const stranger = { authorization: 'Bearer none' };
    expect((await call(stranger)).status).toBe(401);
    await comeAhead(rateLimits.mcpRefused, rateLimits.mcpRefused.burst + 1);
    const refused = await call(stranger);
    expect(refused.status).toBe(429);
    expectTold(refused.headers, rateLimits.mcpRefused);
    expect((await call(authorization(await newMcpClient(service)))).status).toBe(200);
  });
});

describe('Where limits are off', () => {
  it('nothing is counted, and nothing is said of limits', async () => {
    const free = await startService();
    try {
      const owner = await newOwner(free);
      const answer = await post(free.url, operations.signIn, {
        input: { email: owner.email, password: 'Wrong.horse7' },
      });
      for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after']) expect(answer.headers.get(name)).toBeNull();
      expect(await free.sql('SELECT key FROM rate_limits')).toEqual([]);
    } finally {
      await free.close();
    }
  });
});

/** Dynamic client registration (RFC 7591): stored and refused values, and that no URL is fetched. */
import { createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { beginAuthorization, PageBrowser } from '../support/clients/authorization.ts';
import {
  connect,
  expectErrorAnswer,
  expectOAuthRefusal,
  loopbackUri,
  newClient,
  newCode,
  type OAuthAnswer,
  postText,
  register,
} from '../support/clients/oauth.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { agePermits, takePermits } from '../support/gatehouse/rate-limits.ts';
import { listen } from '../support/servers/listen.ts';

const service = serviceFixture();

interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly uris: string[];
  readonly ip: string | null;
}

const storedClient = async (answer: OAuthAnswer): Promise<ClientRow | undefined> => {
  const [row] = await service.sql<ClientRow>(
    'SELECT id, name, redirect_uris AS uris, registered_ip AS ip FROM oauth_clients WHERE id = $1',
    [String(answer.body['client_id'])],
  );
  return row;
};

const maxBytes = 2048;
/** Three valid ones with this many bytes in total. */
const urisOfLength = (bytes: number): readonly string[] => {
  const uris = range(2).map((index) => `http://127.0.0.1/${index}`.padEnd(900, 'x'));
  return [...uris, 'http://127.0.0.1/'.padEnd(bytes - 2 * 900, 'x')];
};

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const someNumber: unknown = expect.any(Number);

const good = { client_name: 'Claude Code', redirect_uris: [loopbackUri] };

describe('A registration', () => {
  // Contract: platform-mcp#redirect-uris — MCP_REDIRECT_ALLOW_LIST in development: the redirect URIs of Cursor
  it('of Cursor keeps all of its redirect URIs, unless the operator has listed others', async () => {
    const redirectUris = [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ];
    const { body } = await register(service, { client_name: 'Cursor', redirect_uris: redirectUris });
    expect(body).toMatchObject({ redirect_uris: redirectUris, rejected_redirect_uris: [] });
  });

  // Contract: platform-mcp#client-registration — POST /auth/mcp/register: 201, no client secret
  it('answers 201 with an id, no secret, and everything that was registered', async () => {
    const answer = await register(service, good);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body).toEqual({
      client_id: matching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: someNumber,
      client_name: 'Claude Code',
      redirect_uris: [loopbackUri],
      rejected_redirect_uris: [],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(await storedClient(answer)).toEqual({
      id: answer.body['client_id'],
      name: 'Claude Code',
      uris: [loopbackUri],
      ip: '127.0.0.1',
    });
  });

  // Contract: platform-mcp#client-registration — rejected_redirect_uris names the redirect URIs that were refused
  it('names the rejected redirect URIs, and keeps the others', async () => {
    const rejected = ['https://evil.example/cb', 'http://127.1/cb'];
    const answer = await register(service, { redirect_uris: [...rejected, loopbackUri] });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ redirect_uris: [loopbackUri], rejected_redirect_uris: rejected });
  });

  // Contract: platform-mcp#client-registration — Always 201 for a well-formed body
  it('succeeds with every redirect URI rejected', async () => {
    const answer = await register(service, { redirect_uris: ['https://evil.example/cb'] });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ redirect_uris: [], rejected_redirect_uris: ['https://evil.example/cb'] });
    expect((await storedClient(answer))?.uris).toEqual([]);
  });

  it('stores a duplicate redirect URI once', async () => {
    const { body } = await register(service, { redirect_uris: [loopbackUri, loopbackUri] });
    expect(body).toMatchObject({ redirect_uris: [loopbackUri] });
  });

  it('gives every registration its own id', async () => {
    const ids = await Promise.all(range(5).map(() => newClient(service)));
    expect(new Set(ids).size).toBe(5);
  });

  it.each([
    ['no name', {}, 'Unnamed client'],
    ['a null name', { client_name: null }, 'Unnamed client'],
    ['a blank name', { client_name: ' \u3000\u200b ' }, 'Unnamed client'],
    ['a name with surrounding spaces', { client_name: '  Cursor ' }, 'Cursor'],
    ['a name in any script', { client_name: 'クロード 🤖' }, 'クロード 🤖'],
    ['the longest name', { client_name: 'é'.repeat(100) }, 'é'.repeat(100)],
  ])('accepts %s', async (_what, metadata, name) => {
    const answer = await register(service, { ...good, client_name: undefined, ...metadata });
    expect(answer.body['client_name']).toBe(name);
    expect((await storedClient(answer))?.name).toBe(name);
  });

  it('answers with the supported metadata, whatever else a client requests', async () => {
    const { status, body } = await register(service, {
      ...good,
      client_id: 'mine',
      client_secret: 'mine',
      grant_types: ['client_credentials', 'password'],
      response_types: ['token'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid profile',
      rejected_redirect_uris: ['x'],
      unknown: { nested: [1, 2, 3] },
    });
    expect(status).toBe(201);
    expect(Object.keys(body)).not.toContain('client_secret');
    expect(body['client_id']).not.toBe('mine');
    expect(body).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      rejected_redirect_uris: [],
    });
  });
});

describe('A malformed registration', () => {
  const withUris = (value: unknown) => JSON.stringify({ ...good, redirect_uris: value });
  const withName = (value: unknown) => JSON.stringify({ ...good, client_name: value });

  // Contract: platform-mcp#malformed-registration — 400 JSON for a malformed body
  it.each([
    ['nothing', ''],
    ['not JSON', '{"redirect_uris":'],
    ['a form', 'redirect_uris=http://127.0.0.1/'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['a name that is a number', withName(1)],
    ['a name that is a list', withName(['x'])],
    ['a name with a line break', withName('Claude\nCode')],
    ['a name with NUL', withName('Claude\u0000')],
    ['a name with a direction override', withName('edoC\u202eedualC')],
    ['a name with an unpaired surrogate', '{"client_name":"\\ud800","redirect_uris":["http://127.0.0.1/"]}'],
    ['a name too long', withName('x'.repeat(101))],
    ['grant types that are a string', JSON.stringify({ ...good, grant_types: 'authorization_code' })],
    ['response types with a number', JSON.stringify({ ...good, response_types: [1] })],
    ['an authentication method that is a list', JSON.stringify({ ...good, token_endpoint_auth_method: ['none'] })],
    ['a scope that is a list', JSON.stringify({ ...good, scope: ['mcp:whoami'] })],
  ])('is refused as invalid_client_metadata: %s', async (_what, body) => {
    await expectOAuthRefusal(service, 'invalid_client_metadata', () =>
      postText(service, 'register', body, 'application/json'),
    );
  });

  // Contract: platform-mcp#malformed-registration — 400 JSON for a malformed redirect URI
  it.each([
    ['no redirect URIs', JSON.stringify({ client_name: 'x' })],
    ['null', withUris(null)],
    ['a string', withUris(loopbackUri)],
    ['an object', withUris({ 0: loopbackUri, length: 1 })],
    ['an empty list', withUris([])],
    ['a list with a number', withUris([loopbackUri, 1])],
    ['a list with null', withUris([null])],
    ['a list in the list', withUris([[loopbackUri]])],
    ['too many', withUris(range(21).map((port) => `http://127.0.0.1:${port + 1}/`))],
    ['one too long', withUris([`http://127.0.0.1/${'x'.repeat(2000)}`])],
    ['a byte more than 2 KB of them', withUris(urisOfLength(maxBytes + 1))],
    ['more than 2 KB in fewer characters', withUris([loopbackUri, 'é'.repeat(maxBytes / 2)])],
  ])('is refused as invalid_redirect_uri: %s', async (_what, body) => {
    await expectOAuthRefusal(service, 'invalid_redirect_uri', () =>
      postText(service, 'register', body, 'application/json'),
    );
  });

  // Contract: platform-mcp#malformed-registration — 2 KB of redirect URIs a client
  it('keeps 2 KB of redirect URIs, counting a duplicate once', async () => {
    const uris = urisOfLength(maxBytes);
    const answer = await register(service, { ...good, redirect_uris: [...uris, ...uris] });
    expect(answer.status).toBe(201);
    expect((await storedClient(answer))?.uris).toEqual(uris);
  });

  it.each([
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
  ])('is refused unread as %s', async (type) => {
    const answer = await expectNothingStored(service, () => postText(service, 'register', JSON.stringify(good), type));
    expectErrorAnswer(answer, 415, 'invalid_client_metadata');
  });

  it('is refused unread over 100 KiB', async () => {
    const body = JSON.stringify({ ...good, padding: 'x'.repeat(100 * 1024) });
    const answer = await expectNothingStored(service, () => postText(service, 'register', body, 'application/json'));
    expectErrorAnswer(answer, 413, 'invalid_client_metadata');
  });

  it('quotes nothing of a body that is not JSON', async () => {
    const answer = await postText(service, 'register', '{"client_name": secret-in-the-clear', 'application/json');
    expect(answer.text).not.toContain('secret');
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('is no %s', async (method) => {
    const response = await fetch(`${service.url}/auth/mcp/register`, { method });
    expect(response.status).toBe(404);
  });
});

// Contract: platform-mcp#client-registration — No client-supplied URL is ever fetched
it('A URL in a registration is never fetched', async () => {
  const connections: string[] = [];
  const canary = createServer((socket) => {
    connections.push(String(socket.remotePort));
    socket.destroy();
  });
  const { url, close } = await listen(canary);
  const at = (path: string) => `${url}/${path}`;
  const answer = await register(service, {
    client_name: 'Canary',
    redirect_uris: [at('redirect')],
    client_uri: at('client'),
    logo_uri: at('logo'),
    tos_uri: at('tos'),
    policy_uri: at('policy'),
    jwks_uri: at('jwks'),
    sector_identifier_uri: at('sector'),
    initiate_login_uri: at('login'),
    request_uris: [at('request')],
    post_logout_redirect_uris: [at('logout')],
    backchannel_logout_uri: at('backchannel'),
    software_statement: `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ jku: at('jku') })).toString('base64url')}.`,
    client_id: at('client-metadata-document'),
    'client_name#de': at('name'),
  });
  expect(answer.status).toBe(201);
  const clientId = encodeURIComponent(at('client-metadata-document'));
  await fetch(`${service.url}/auth/mcp/authorize?response_type=code&client_id=${clientId}`, { redirect: 'manual' });
  // A fetch would have arrived by the time of later requests over the same loopback.
  for (const _ of range(3)) await fetch(`${service.url}/healthz`);
  expect(connections).toEqual([]);
  await fetch(at('proof')).catch(() => undefined);
  expect(connections).toHaveLength(1);
  await close();
});

describe('Unused registrations', () => {
  const age = (clientId: string, days: number): Promise<unknown> =>
    service.sql(`UPDATE oauth_clients SET registered_at = registered_at - $2 * interval '1 day' WHERE id = $1`, [
      clientId,
      days,
    ]);
  const isThere = async (clientId: string): Promise<boolean> =>
    (await service.sql('SELECT FROM oauth_clients WHERE id = $1', [clientId])).length === 1;

  // Contract: platform-mcp#limits-for-strangers — A registration is deleted only when it never completed an
  //   authorization in 30 days
  it('are deleted after 30 days; those that were ever authorized are kept', async () => {
    const [old, young, used] = [await newClient(service), await newClient(service), await connect(service)];
    await age(old, 31);
    await age(young, 29);
    await age(used.clientId, 400);
    await runCleanup(service.database);
    expect([await isThere(old), await isThere(young), await isThere(used.clientId)]).toEqual([false, true, true]);
  });

  it('are kept while a user is being asked about them', async () => {
    const [asked, consented, left] = [await newClient(service), await newClient(service), await newClient(service)];
    const { userId } = await newSuperAdmin(service);
    for (const clientId of [asked, left]) await beginAuthorization(new PageBrowser(service), clientId);
    for (const clientId of [consented, left]) await newCode(service, { clientId, userId });
    for (const clientId of [asked, consented, left]) await age(clientId, 31);
    for (const table of ['oauth_requests', 'oauth_codes'])
      await service.sql(`UPDATE ${table} SET expires_at = now() WHERE client_id = $1`, [left]);
    await runCleanup(service.database);
    expect(await Promise.all([asked, consented, left].map(isThere))).toEqual([true, true, false]);
  });
});

describe('Clients that were never authorized', () => {
  const most = 10_000;
  const tables = ['oauth_clients', 'oauth_requests', 'oauth_codes', 'credentials', 'users'];
  beforeAll(() => service.sql('TRUNCATE oauth_clients CASCADE'));

  const clientIdOf = (number: string): string => `('00000000-0000-4000-8000-' || lpad(${number}::text, 12, '0'))::uuid`;
  /** Registers clients in the past, the first of them longest ago. */
  const registerLongAgo = (count: number): Promise<unknown> =>
    service.sql(
      `INSERT INTO oauth_clients (id, name, redirect_uris, registered_at)
       SELECT ${clientIdOf('number')}, 'Client', ARRAY[$2], now() - interval '1 day' + number * interval '1 second'
       FROM generate_series(1, $1::integer) AS number`,
      [count, loopbackUri],
    );
  const missingOf = (count: number): Promise<readonly number[]> =>
    service.sql.column<number>(
      `SELECT number FROM generate_series(1, $1::integer) AS number
       WHERE ${clientIdOf('number')} NOT IN (SELECT id FROM oauth_clients) ORDER BY number`,
      [count],
    );
  const missing = async (ids: readonly string[]): Promise<readonly string[]> => {
    const rows = await service.sql.column<string>('SELECT id FROM oauth_clients WHERE id = ANY ($1)', [ids]);
    const there = new Set(rows);
    return ids.filter((id) => !there.has(id));
  };
  const total = async (): Promise<number> =>
    (await service.sql.value<number>(
      'SELECT count(*)::integer AS total FROM oauth_clients WHERE last_authorized_at IS NULL',
    )) ?? 0;

  // Contract: platform-mcp#limits-for-strangers — 10,000 clients that were never authorized, the oldest is deleted
  it('are 10,000 at most: the oldest is deleted, and none that was authorized or has a pending question', async () => {
    const authorized = await connect(service);
    await service.sql(`UPDATE oauth_clients SET registered_at = now() - interval '9 days' WHERE id = $1`, [
      authorized.clientId,
    ]);
    const others = most - 1;
    await registerLongAgo(others);
    const [oldest, asked, next, second, third] = [1, 2, 3, 4, 5];
    expect((await register(service, good)).status).toBe(201);
    expect([await total(), await missingOf(others)]).toEqual([most, []]);
    await beginAuthorization(new PageBrowser(service), `00000000-0000-4000-8000-${String(asked).padStart(12, '0')}`);
    // Two of the oldest, one after the other.
    for (const _turn of range(2)) expect((await register(service, good)).status).toBe(201);
    expect([await total(), await missingOf(others)]).toEqual([most, [oldest, next]]);
    // Several at once.
    const answers = await inParallel(range(2), 2, () => register(service, good));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect([await total(), await missingOf(others)]).toEqual([most, [oldest, next, second, third]]);
    expect(await missing([authorized.clientId])).toEqual([]);
    const kept = answers.map(({ body }) => String(body['client_id']));
    expect(await missing(kept)).toEqual([]);
  });

  // Contract: platform-mcp#limits-for-strangers — The oldest client is deleted when all of the oldest have pending
  //   questions
  it('are deleted by age when each of them has a pending question', async () => {
    // Far more of the oldest than one query reads.
    await service.sql(
      `INSERT INTO oauth_requests (id, client_id, redirect_uri, code_challenge, browser_hash, expires_at)
       SELECT gen_random_uuid(), id, 'x', 'x', '', now() + interval '5 minutes' FROM oauth_clients
       WHERE last_authorized_at IS NULL ORDER BY registered_at LIMIT 500`,
    );
    const oldest = await service.sql.value<string>(
      'SELECT id FROM oauth_clients WHERE last_authorized_at IS NULL ORDER BY registered_at LIMIT 1',
    );
    const { body } = await register(service, good);
    expect([await total(), await missing([oldest ?? ''])]).toEqual([most, [oldest]]);
    expect(await missing([String(body['client_id'])])).toEqual([]);
  });

  it('are not deleted for a registration that is refused', async () => {
    // As lines of text, ten thousand clients take long.
    const stored = (): Promise<unknown> =>
      Promise.all(
        tables.map((table) => service.sql(`SELECT count(*), sum(hashtextextended(t::text, 0)) AS sum FROM ${table} t`)),
      );
    const before = await stored();
    expectErrorAnswer(await register(service, { redirect_uris: [] }), 400, 'invalid_redirect_uri');
    expect(await stored()).toEqual(before);
  });
});

describe('Registrations of one address', () => {
  const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' });

  const registerFrom = (ip: string, metadata: object = good): Promise<OAuthAnswer> =>
    postText(service, 'register', JSON.stringify(metadata), 'application/json', { 'x-forwarded-for': ip });
  const statusFrom = async (ip: string): Promise<number> => (await registerFrom(ip)).status;

  // Contract: platform-mcp#limits-for-strangers — 60 registrations an hour for a /64 or an address of IPv4; past it 429
  it('are sixty within an hour, with the time to wait, and refused ones store nothing', async () => {
    expect(await statusFrom('192.0.2.60')).toBe(201);
    await takePermits(service, rateLimits.oauthRegistration, 59);
    // None of them is restored before an hour has passed.
    await agePermits(service, rateLimits.oauthRegistration, 3500);
    const last = await registerFrom('192.0.2.60');
    expect({ status: last.status, left: last.headers.get('ratelimit') }).toEqual({
      status: 201,
      left: matching(/^"oauth_registration";r=0;t=\d+$/),
    });
    const answer = await expectNothingStored(service, () => registerFrom('192.0.2.60'));
    expectErrorAnswer(answer, 429, 'temporarily_unavailable');
    expect(Number(answer.headers.get('retry-after'))).toSatisfy((seconds) => seconds > 0 && seconds <= 100);
    expect(answer.headers.get('ratelimit-policy')).toBe('"oauth_registration";q=60;w=3600');
    // With any content.
    expect((await registerFrom('192.0.2.60', { ...good, redirect_uris: [] })).status).toBe(429);
    await service.sql('DELETE FROM rate_limits');
  });

  // Contract: platform-mcp#limits-for-strangers — Anonymous callers are limited by network
  it('count by network: 64 bits of IPv6, and IPv4 by any socket as itself', async () => {
    for (const ip of ['2001:db8:1:2::1', '192.0.2.7']) expect(await statusFrom(ip)).toBe(201);
    expect(await takePermits(service, rateLimits.oauthRegistration, 60)).toBe(2);
    for (const ip of ['2001:db8:1:2:ffff::9', '2001:0DB8:1:2::1', '::ffff:192.0.2.7', '192.0.2.7'])
      expect({ ip, status: await statusFrom(ip) }).toEqual({ ip, status: 429 });
    for (const ip of ['2001:db8:1:3::1', '::ffff:192.0.2.8'])
      expect({ ip, status: await statusFrom(ip) }).toEqual({ ip, status: 201 });
    await service.sql('DELETE FROM rate_limits');
  });

  // Contract: platform-mcp#limits-for-strangers — Ten times that for a /48 or a /24
  it('count by site too: ten times as many for 48 bits of IPv6, or 24 of IPv4', async () => {
    for (const ip of ['2001:db8:1:2::1', '192.0.2.7']) expect(await statusFrom(ip)).toBe(201);
    // 599 of the 600 permits, and no network has consumed more than one.
    expect(await takePermits(service, rateLimits.oauthRegistrationOfSite, 599)).toBe(2);
    expect(await statusFrom('2001:db8:1:3::1')).toBe(201);
    expect(await statusFrom('::ffff:192.0.2.8')).toBe(201);
    for (const ip of ['2001:db8:1:4::1', '2001:db8:1:ffff:1::', '192.0.2.9', '::ffff:192.0.2.255']) {
      const answer = await expectNothingStored(service, () => registerFrom(ip));
      expectErrorAnswer(answer, 429, 'temporarily_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const ip of ['2001:db8:2:4::1', '192.0.3.9']) expect(await statusFrom(ip)).toBe(201);
    await service.sql('DELETE FROM rate_limits');
  });

  it('do not show how many others of their site were made', async () => {
    const { headers } = await registerFrom('198.51.100.1');
    expect(headers.get('ratelimit')).toMatch(/^"oauth_registration";r=59;t=\d+$/);
  });
});

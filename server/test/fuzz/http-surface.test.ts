/** Every mounted route with invalid requests: an answer below 500, no leak, no change. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exampleRoutes } from '../support/clients/entry-points.ts';
import { ProviderBrowser, signInAtProvider } from '../support/clients/provider-browser.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';
import { environmentFor, serve } from '../support/gatehouse/gatehouse-process.ts';
import { type MountedRoute, withRoutesOf } from '../support/gatehouse/mounted-routes.ts';
import {
  expectCleanLog,
  expectOften,
  expectValidAnswer,
  sendOnWire,
  tries,
  type WireRequest,
  wireAnswerOf,
} from '../support/random/fuzz.ts';
import { type FuzzWorld, startFuzzWorld } from '../support/random/fuzz-world.ts';
import { anyRequest, headerText, isValidForm, spoilOne } from '../support/random/hostile-requests.ts';
import { startCollector } from '../support/servers/collector.ts';
import { startIdentityProvider } from '../support/servers/identity-provider.ts';
import { freePort } from '../support/servers/listen.ts';

let world: FuzzWorld;
let service: Service;
let routes: readonly MountedRoute[];
/** Working credentials, some of which each request presents in wrong places. */
let credentials: readonly string[];

/** Receives the spans, without which traceparent is not read. */
const collector = fixture(startCollector);
beforeAll(async () => {
  const { started, routes: mounted } = await withRoutesOf(() =>
    // One proxy in front, whose forwarding headers are read.
    startFuzzWorld({ TRUST_PROXY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, exampleRoutes),
  );
  world = started;
  service = world.service;
  // The inner routes of an Express application are not listed.
  const ofExpress = ['GET', 'POST', 'DELETE'].map((method) => ({ method, url: '/classic/notes' }));
  routes = [...mounted, ...ofExpress];
  expect(routes).toContainEqual({ method: 'POST', url: '/mcp/organization' });
  expect(routes).toContainEqual({ method: 'GET', url: '/.well-known/oauth-protected-resource/mcp/organization' });
  credentials = world.credentials;
});
afterAll(() => service.close());

/** A mailbox that is emptied on purpose is not a change. */
const isAllowedToChange = ({ method, path }: WireRequest): boolean =>
  method === 'DELETE' && path.startsWith('/dev/mailbox');

describe('Every route', () => {
  // Contract: requests#any-input-is-answered — Every HTTP route, with random requests: below 500, no hang, no secret,
  //   no change after a refusal
  it('answers every request, and changes nothing on refusal', async () => {
    let stored = await everythingStored(service);
    await fc.assert(
      fc.asyncProperty(anyRequest(routes, credentials), async (asked) => {
        const answer = await sendOnWire(service.url, asked);
        // Also when this attempt fails: later, smaller ones are compared with its rows.
        const before = stored;
        const after = await everythingStored(service);
        stored = after;
        // Presented values are never echoed, by /dev/mailbox or any other route.
        expectValidAnswer(answer, credentials);
        if (answer.status >= 400 && !isAllowedToChange(asked)) expect(after).toEqual(before);
      }),
      tries(600),
    );
    expectCleanLog([...service.logs, collector.text()], credentials);
  });

  // Contract: requests#any-input-is-answered — Every HTTP route, with random requests, with limits on, behind a proxy,
  //   from any address
  it('answers every request with limits too, from any claimed address', async () => {
    const { service: limited } = await startFuzzWorld({ TRUST_PROXY: '1', RATE_LIMITS_ENABLED: 'true' });
    // Including those that count requests by client.
    const counting = routes.filter(({ url }) => /^\/(auth|mcp)/.test(url));
    const request = fc.oneof(anyRequest(routes, credentials), anyRequest(counting, credentials));
    const address = fc.oneof(headerText, fc.ipV4(), fc.ipV6());
    onTestFinished(() => limited.close());
    await fc.assert(
      fc.asyncProperty(request, address, async (asked, from) => {
        const headers = { ...asked.headers, 'x-forwarded-for': from };
        expectValidAnswer(await sendOnWire(limited.url, { ...asked, headers }), credentials);
      }),
      tries(600),
    );
    const turns = await limited.sql.value<number>('SELECT count(*)::integer AS count FROM rate_limits');
    expectOften(turns ?? 0, 20);
    expectCleanLog(limited.logs, credentials);
  });
});

describe('The metrics listener', () => {
  const token = 'the-token-of-the-scrapers-of-the-tests';
  const stored = fixture(createTestDatabase, (stored) => stored.drop());
  const serving = fixture(
    async () => {
      const port = await freePort();
      const settings = { METRICS_PORT: String(port), METRICS_TOKEN: token };
      return { url: `http://127.0.0.1:${port}`, service: await serve({ ...environmentFor(stored), ...settings }) };
    },
    ({ service }) => service.stop(),
  );

  // Contract: requests#any-input-is-answered — The metrics port, with random requests
  it('answers every request, and returns its metrics to clients with the token', async () => {
    const places = [...routes, ...['GET', 'GET', 'POST'].map((method) => ({ method, url: '/metrics' }))];
    const ways = fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${token}` },
      { authorization: `bearer  ${token} ` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Basic ${token}` },
      { cookie: `auth_access=${token}` },
    );
    let reported = 0;
    const asked = fc.oneof(anyRequest(places, credentials), anyRequest(places.slice(-3), credentials));
    await fc.assert(
      fc.asyncProperty(asked, ways, async (request, way) => {
        const answer = await sendOnWire(serving.url, { ...request, headers: { ...request.headers, ...way } });
        expectValidAnswer(answer, [...credentials, token]);
        const mayRead = /^bearer /i.test(way['authorization'] ?? '') && way['authorization']?.trim().endsWith(token);
        if (mayRead !== true) expect(answer.text).not.toContain('# TYPE');
        reported += answer.status === 200 ? 1 : 0;
      }),
      tries(300),
    );
    expectOften(reported, 10);
    expectCleanLog(serving.service.stdout().split('\n'), [...credentials, token]);
  });
});

describe('The callback of the external provider', () => {
  const provider = fixture(startIdentityProvider);
  const linked = fixture(() => startFuzzWorld(provider.environment()));
  afterAll(async () => {
    await linked.service.close();
  });

  const places = ['own browser', 'own browser', 'own browser', 'another browser', 'cookie of another'] as const;

  const senderAt = (place: (typeof places)[number], browser: ProviderBrowser): ProviderBrowser => {
    if (place === 'another browser') return new ProviderBrowser();
    if (place === 'cookie of another') browser.replace('helper_session', `${'A'.repeat(43)}.${'A'.repeat(43)}`);
    return browser;
  };

  // Contract: requests#one-invalid-parameter — The provider's callback with one invalid parameter
  it('signs no user in by an answer with one invalid parameter, and stores nothing of it', async () => {
    const { service: met } = linked;
    const start = `${met.portalUrl}/auth/google`;
    const bystander = new URL(await signInAtProvider(new ProviderBrowser(), start, provider.newPerson()));
    const others = Object.fromEntries([...bystander.searchParams].map(([name, value]) => [name, [value]]));
    const spoil = spoilOne(['code', 'state', 'iss'], { ...others, iss: ['https://provider.example'] });
    let refusals = 0;
    let entrances = 0;
    await fc.assert(
      fc.asyncProperty(spoil, fc.constantFrom(...places), fc.boolean(), async (change, place, isSpoilt) => {
        const browser = new ProviderBrowser();
        const callback = new URL(await signInAtProvider(browser, start, provider.newPerson()));
        const { code = '', state = '', ...others } = Object.fromEntries(callback.searchParams);
        const query = isSpoilt ? change({ code, state, ...others }) : callback.searchParams.toString();
        const sender = senderAt(place, browser);
        const stored = await everythingStored(met);
        const answer = await sender.get(`${callback.origin}${callback.pathname}?${query}`);
        expectValidAnswer(wireAnswerOf(answer), [...linked.credentials, provider.clientSecret, code, state]);
        const isIn = answer.location?.includes('oauth_exchange=1') === true;
        if (isIn) {
          entrances += 1;
          expect([place, isValidForm(query, { code, state })]).toEqual(['own browser', true]);
          return;
        }
        refusals += 1;
        expect(sender.valueOf('auth_exchange')).toBeUndefined();
        expect(await everythingStored(met)).toEqual(stored);
      }),
      tries(100),
    );
    expectOften(refusals, 30);
    expectOften(entrances, 5);
    expectCleanLog(met.logs, [...linked.credentials, provider.clientSecret]);
  });
});

describe('The socket', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'GET / HTTP/1.1',
      'POST /graphql HTTP/1.1',
      'GET / HTTP/9.9',
      'GET http://evil.example/graphql HTTP/1.1',
      'CONNECT evil.example:443 HTTP/1.1',
      'PRI * HTTP/2.0',
      'Host: x',
      'Host: y',
      'Content-Length: 5',
      'Content-Length: -5',
      'Content-Length: 5, 6',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding : chunked',
      ' folded',
      'Expect: 100-continue',
      'Connection: upgrade',
      'Upgrade: websocket',
      '0',
      'ffffffffffffffff',
      '',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  );

  // Contract: requests#any-input-is-answered — Any bytes at the socket
  it('answers any bytes below 500 or closes the connection, and keeps serving', async () => {
    const stored = await everythingStored(service);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        const connection = await RawConnection.open(service.url);
        connection.write(`${lines.join('\r\n')}\r\n\r\nConnection: close\r\n\r\n`);
        const reported = await Promise.race([connection.closed(), connection.received(/^HTTP\/1\.1 \d{3}/), silence()]);
        connection.close();
        for (const [, status] of reported.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) expect(Number(status)).toBeLessThan(500);
      }),
      tries(150),
    );
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await everythingStored(service)).toEqual(stored);
    expectCleanLog(service.logs, credentials);
  });

  /** An incomplete request waits for its rest; that is not a hang, and the server ends it in time. */
  const silence = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve(''), 100).unref());
});

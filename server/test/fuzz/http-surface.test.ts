/** Every route that is mounted, asked in every wrong way: an answer below 500, nothing leaked, nothing changed. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRoutes } from '../support/clients/doors.ts';
import { signInAtProvider, TravellingBrowser } from '../support/clients/provider-browser.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { freePort, type Service } from '../support/gatehouse/gatehouse.ts';
import { environmentFor, type Serving, serve } from '../support/gatehouse/gatehouse-process.ts';
import { type MountedRoute, withRoutesOf } from '../support/gatehouse/mounted-routes.ts';
import {
  expectBearable,
  expectCleanLog,
  expectOften,
  sendOnWire,
  timeoutMillis,
  tries,
  type WireRequest,
  wireAnswerOf,
} from '../support/random/fuzz.ts';
import { type FuzzWorld, startFuzzWorld } from '../support/random/fuzz-world.ts';
import { anyRequest, headerText, isAsRight, oneWrong } from '../support/random/hostile-requests.ts';
import { type Collector, startCollector } from '../support/servers/collector.ts';
import { type IdentityProviderUnderTest, startIdentityProvider } from '../support/servers/identity-provider.ts';

let world: FuzzWorld;
let service: Service;
/** Takes the spans, without which nobody reads where a request says that it comes from. */
let collector: Collector;
let routes: readonly MountedRoute[];
/** Credentials that work, some of which each request presents where they do not belong. */
let credentials: readonly string[];

beforeAll(async () => {
  collector = await startCollector();
  const { started, routes: mounted } = await withRoutesOf(() =>
    // One proxy in front: what it would say of the client is read.
    startFuzzWorld({ TRUST_PROXY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, exampleRoutes),
  );
  world = started;
  service = world.service;
  // What an Express application routes by itself is not seen.
  const ofExpress = ['GET', 'POST', 'DELETE'].map((method) => ({ method, url: '/classic/notes' }));
  routes = [...mounted, ...ofExpress];
  credentials = world.credentials;
});
afterAll(async () => {
  await service.close();
  await collector.close();
});

/** A mailbox that is emptied on purpose is no harm. */
const isAllowedToChange = ({ method, path }: WireRequest): boolean =>
  method === 'DELETE' && path.startsWith('/dev/mailbox');

describe('Every route', () => {
  // Specification: Bad input — Every HTTP route, asked at random: below 500, no hang, no secret, no change after a
  //   refusal
  it(
    'bears whatever it is asked, and what it refuses changes nothing',
    async () => {
      let stored = await everythingStored(service);
      await fc.assert(
        fc.asyncProperty(anyRequest(routes, credentials), async (asked) => {
          const answer = await sendOnWire(service.url, asked);
          // Also when this try fails: the smaller ones that follow are compared with what it left.
          const before = stored;
          const after = await everythingStored(service);
          stored = after;
          // What was presented may come back from /dev/mailbox in no case, and from nowhere else.
          expectBearable(answer, credentials);
          if (answer.status >= 400 && !isAllowedToChange(asked)) expect(after).toEqual(before);
        }),
        tries(600),
      );
      expectCleanLog([...service.logs, collector.text()], credentials);
    },
    timeoutMillis(600),
  );

  // Specification: Bad input — Every HTTP route, asked at random, with limits on, behind a proxy, from any address
  it(
    'bears it with limits too, whoever it says that it comes from',
    async () => {
      const { service: limited } = await startFuzzWorld({ TRUST_PROXY: '1', RATE_LIMITS_ENABLED: 'true' });
      // Those that count who asks, too.
      const counting = routes.filter(({ url }) => /^\/(auth|mcp)/.test(url));
      const request = fc.oneof(anyRequest(routes, credentials), anyRequest(counting, credentials));
      const address = fc.oneof(headerText, fc.ipV4(), fc.ipV6());
      try {
        await fc.assert(
          fc.asyncProperty(request, address, async (asked, from) => {
            const headers = { ...asked.headers, 'x-forwarded-for': from };
            expectBearable(await sendOnWire(limited.url, { ...asked, headers }), credentials);
          }),
          tries(600),
        );
        const [turns] = await limited.sql<{ count: number }>('SELECT count(*)::integer AS count FROM rate_limits');
        expectOften(turns?.count ?? 0, 20);
        expectCleanLog(limited.logs, credentials);
      } finally {
        await limited.close();
      }
    },
    timeoutMillis(300),
  );
});

describe('The listener of the metrics', () => {
  const token = 'the-token-of-the-scrapers-of-the-tests';
  let stored: TestDatabase;
  let serving: Serving;
  let url: string;

  beforeAll(async () => {
    stored = await createTestDatabase();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    serving = await serve({ ...environmentFor(stored), METRICS_PORT: String(port), METRICS_TOKEN: token });
  });
  afterAll(async () => {
    await serving.stop();
    await stored.drop();
  });

  // Specification: Bad input — The port of the metrics, asked at random
  it(
    'bears whatever it is asked, and tells its numbers to who has the token',
    async () => {
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
      let told = 0;
      const asked = fc.oneof(anyRequest(places, credentials), anyRequest(places.slice(-3), credentials));
      await fc.assert(
        fc.asyncProperty(asked, ways, async (request, way) => {
          const answer = await sendOnWire(url, { ...request, headers: { ...request.headers, ...way } });
          expectBearable(answer, [...credentials, token]);
          const mayRead = /^bearer /i.test(way['authorization'] ?? '') && way['authorization']?.trim().endsWith(token);
          if (mayRead !== true) expect(answer.text).not.toContain('# TYPE');
          told += answer.status === 200 ? 1 : 0;
        }),
        tries(300),
      );
      expectOften(told, 10);
      expectCleanLog(serving.stdout().split('\n'), [...credentials, token]);
    },
    timeoutMillis(300),
  );
});

describe('The way back from the outside provider', () => {
  let provider: IdentityProviderUnderTest;
  let linked: FuzzWorld;

  beforeAll(async () => {
    provider = await startIdentityProvider();
    linked = await startFuzzWorld(provider.environment());
  });
  afterAll(async () => {
    await linked.service.close();
    await provider.close();
  });

  const places = ['own browser', 'own browser', 'own browser', 'another browser', 'cookie of another'] as const;

  const senderAt = (place: (typeof places)[number], browser: TravellingBrowser): TravellingBrowser => {
    if (place === 'another browser') return new TravellingBrowser();
    if (place === 'cookie of another') browser.replace('helper_session', `${'A'.repeat(43)}.${'A'.repeat(43)}`);
    return browser;
  };

  // Specification: Bad input — The provider's callback, wrong in one thing
  it(
    'lets nobody in by an answer that is wrong in one thing, and stores nothing of it',
    async () => {
      const { service: met } = linked;
      const start = `${met.portalUrl}/auth/google`;
      const bystander = new URL(await signInAtProvider(new TravellingBrowser(), start, provider.newPerson()));
      const others = Object.fromEntries([...bystander.searchParams].map(([name, value]) => [name, [value]]));
      const spoil = oneWrong(['code', 'state', 'iss'], { ...others, iss: ['https://provider.example'] });
      let refusals = 0;
      let entrances = 0;
      await fc.assert(
        fc.asyncProperty(spoil, fc.constantFrom(...places), fc.boolean(), async (change, place, isSpoilt) => {
          const browser = new TravellingBrowser();
          const callback = new URL(await signInAtProvider(browser, start, provider.newPerson()));
          const { code = '', state = '', ...others } = Object.fromEntries(callback.searchParams);
          const query = isSpoilt ? change({ code, state, ...others }) : callback.searchParams.toString();
          const sender = senderAt(place, browser);
          const stored = await everythingStored(met);
          const answer = await sender.get(`${callback.origin}${callback.pathname}?${query}`);
          expectBearable(wireAnswerOf(answer), [...linked.credentials, provider.clientSecret, code, state]);
          const isIn = answer.location?.includes('oauth_exchange=1') === true;
          if (isIn) {
            entrances += 1;
            expect([place, isAsRight(query, { code, state })]).toEqual(['own browser', true]);
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
    },
    timeoutMillis(300),
  );
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

  // Specification: Bad input — Any bytes at the socket
  it(
    'bears any bytes: it answers below 500 or hangs up, and goes on serving',
    async () => {
      const stored = await everythingStored(service);
      await fc.assert(
        fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
          const connection = await RawConnection.open(service.url);
          connection.write(`${lines.join('\r\n')}\r\n\r\nConnection: close\r\n\r\n`);
          const told = await Promise.race([connection.closed(), connection.received(/^HTTP\/1\.1 \d{3}/), silence()]);
          connection.close();
          for (const [, status] of told.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) expect(Number(status)).toBeLessThan(500);
        }),
        tries(150),
      );
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      expect(await everythingStored(service)).toEqual(stored);
      expectCleanLog(service.logs, credentials);
    },
    timeoutMillis(300),
  );

  /** Half a request waits for its other half; that is no hang, and the server ends it by itself in time. */
  const silence = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve(''), 100).unref());
});

/** Every route that is mounted, asked in every wrong way: an answer below 500, nothing leaked, nothing changed. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, startCollector } from '../support/collector.ts';
import {
  expectBearable,
  expectCleanLog,
  expectOften,
  patience,
  secretSettings,
  sendOnWire,
  tries,
  type WireRequest,
} from '../support/fuzz.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { anyRequest, headerText } from '../support/hostile-requests.ts';
import { newMcpClient } from '../support/mcp.ts';
import { type MountedRoute, withRoutesOf } from '../support/mounted-routes.ts';
import { RawConnection } from '../support/raw-http.ts';
import { everythingStored } from '../support/refusals.ts';
import { newOwner } from '../support/tenants.ts';

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
    startService({ ...secretSettings, TRUST_PROXY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
  );
  service = started;
  routes = mounted;
  const owner = await newOwner(service);
  const client = await newMcpClient(service);
  credentials = [owner.tokens, client.tokens].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
});
afterAll(async () => {
  await service.close();
  await collector.close();
});

/** A mailbox that is emptied on purpose is no harm. */
const isAllowedToChange = ({ method, path }: WireRequest): boolean =>
  method === 'DELETE' && path.startsWith('/dev/mailbox');

describe('Every route', () => {
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
    patience(600),
  );

  it(
    'bears it with limits too, whoever it says that it comes from',
    async () => {
      const limited = await startService({ ...secretSettings, TRUST_PROXY: '1', RATE_LIMITS_ENABLED: 'true' });
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
    patience(300),
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
    patience(300),
  );

  /** Half a request waits for its other half; that is no hang, and the server ends it by itself in time. */
  const silence = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve(''), 100).unref());
});

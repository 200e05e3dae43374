/** The helper session's cookie: its domain, rotation of the secret, limits, and an unavailable store. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyOf, decide, refused, undecided, visitorOf } from '../../support/actors/visitors.ts';
import { outcomeOf, range, until } from '../../support/checks/concurrency.ts';
import { expectRefusal } from '../../support/checks/refusals.ts';
import { Browser, operations, post, registerAndSignIn } from '../../support/clients/clients.ts';
import { TcpProxy } from '../../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { embedded, postgresOnly, redisOnly, redisUrl } from '../../support/database/engines.ts';
import { type Service, startService } from '../../support/gatehouse/gatehouse.ts';
import { environmentFor, serve } from '../../support/gatehouse/gatehouse-process.ts';
import { ServerProcess } from '../../support/gatehouse/processes.ts';

const consent = (service: Service, browser = new Browser(service)) =>
  browser.run(operations.recordConsent, { analytics: true });

describe('The helper cookie', () => {
  const portalOrigin = 'https://app.example.com';

  const cookieAt = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const origins = { BASE_URL: 'https://id.example.com', FRONTEND_URL: portalOrigin };
    const service = await startService({ ...origins, ...variables });
    try {
      const url = `http://127.0.0.1:${service.config.port}`;
      const answer = await post(url, operations.recordConsent, { analytics: true }, { origin: portalOrigin });
      expect([answer.code, answer.setCookies.length]).toEqual([null, 1]);
      return answer.setCookies[0] ?? '';
    } finally {
      await service.close();
    }
  };

  // Contract: accounts#helper-session — Domain from SESSION_COOKIE_DOMAIN
  it('has SESSION_COOKIE_DOMAIN, and is Secure where the service is reached by https', async () => {
    const cookie = await cookieAt({ SESSION_COOKIE_DOMAIN: 'example.com' });
    expect(cookie.split('; ').slice(1).toSorted()).toEqual(
      ['Domain=example.com', 'HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'].toSorted(),
    );
  });

  // Contract: accounts#helper-session — SESSION_COOKIE_DOMAIN is distinct from AUTH_COOKIE_DOMAIN
  it('is host-only without it, whatever AUTH_COOKIE_DOMAIN is', async () => {
    expect(await cookieAt({ AUTH_COOKIE_DOMAIN: 'example.com' })).not.toContain('Domain');
  });
});

describe('A change of GATEHOUSE_SECRET', () => {
  const older = 'an older secret of the tests of helper sessions';
  const newer = 'a newer secret of the tests of helper sessions';

  it('keeps sessions while the old secret is in the list, and later writes outlive it', async () => {
    const stored = await createTestDatabase();
    const among = async <T>(secrets: string, work: (url: string) => Promise<T>): Promise<T> => {
      const serving = await serve({ ...environmentFor(stored), GATEHOUSE_SECRET: secrets });
      try {
        return await work(serving.url);
      } finally {
        await serving.stop();
      }
    };
    onTestFinished(() => stored.drop());
    const [idle, active] = await among(older, async (url) => {
      const browsers = [new Browser({ url }), new Browser({ url })] as const;
      for (const browser of browsers) await decide(browser, false);
      return browsers;
    });
    const renewed = await among(`${newer},${older}`, async (url) => {
      expect(await visitorOf(copyOf({ url }, idle))).toEqual(refused);
      const browser = copyOf({ url }, active);
      expect(await visitorOf(browser)).toEqual(refused);
      await decide(browser, false);
      const [before, after] = [active, browser].map(({ cookies }) => cookies.get('helper_session')?.split('.') ?? []);
      expect(after?.[0]).toBe(before?.[0]);
      expect(after?.[1]).not.toBe(before?.[1]);
      return browser;
    });
    await among(newer, async (url) => {
      expect(await visitorOf(copyOf({ url }, renewed))).toEqual(refused);
      expect(await visitorOf(copyOf({ url }, idle))).toEqual(undecided);
      expect(await visitorOf(copyOf({ url }, active))).toEqual(undecided);
    });
  }, 120_000);
});

describe('With limits on', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' });
  });
  afterAll(() => service.close());

  /** As if the networks so far had begun sessions up to this many seconds ahead of their rate; a burst is 3588. */
  const consumePermits = async (seconds: number): Promise<void> => {
    const rows = await service.sql(
      `UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE 'visitor_session:%' RETURNING key`,
      [seconds],
    );
    expect(rows).toHaveLength(1);
  };

  it('a network begins 300 sessions at once at most; existing sessions continue', async () => {
    const first = new Browser(service);
    const from = (ip: string, browser = new Browser(service), analytics = true) =>
      browser.run(operations.recordConsent, { analytics }, { 'x-forwarded-for': ip });
    expect(outcomeOf(await from('192.0.2.1', first))).toBe('OK');
    await consumePermits(298 * 12);
    expect(outcomeOf(await from('192.0.2.1'))).toBe('OK');
    await consumePermits(310 * 12);
    const { extensions } = await expectRefusal(service, 'RATE_LIMITED', () => from('192.0.2.1'));
    expect(extensions['retryAfterSeconds']).toSatisfy((seconds) => Number(seconds) > 0 && Number(seconds) <= 11 * 12);
    expect(outcomeOf(await from('192.0.2.1', first, false))).toBe('OK');
    expect(await visitorOf(first)).toEqual(refused);
    expect(outcomeOf(await from('192.0.2.2'))).toBe('OK');
  });
});

// Contract: accounts#store-of-helper-sessions — Redis is unavailable, and the service continues
it.each([
  ['is unreachable', 'redis://127.0.0.1:1'],
  ['is unreachable, with a password', 'redis://canary-user:canary-password@127.0.0.1:1/2'],
])('An unreachable store does not prevent the start when REDIS_URL %s', async (_what, url) => {
  const service = await startService({ REDIS_URL: url });
  onTestFinished(() => service.close());
  await registerAndSignIn(service);
  const ready = await fetch(`${service.url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({ status: 'ok', checks: { cache: 'unavailable', queue: 'ok' } });
  expect(await visitorOf(new Browser(service))).toEqual(undecided);
  await expectRefusal(service, 'UNAVAILABLE', () => consent(service));
  const reported = service.logs.filter((line) => line.includes('"redis.'));
  expect(reported).toEqual([expect.stringContaining('redis.unavailable')]);
  expect(service.logs.join('\n')).not.toMatch(/canary|request\.failed/);
});

describe.runIf(redisUrl !== undefined)(`A temporarily unavailable store${redisOnly}`, () => {
  let proxy: TcpProxy;
  let service: Service;
  beforeAll(async () => {
    const detour = new URL(redisUrl ?? '');
    proxy = await TcpProxy.start({ host: detour.hostname, port: Number(detour.port || 6379) });
    detour.host = `127.0.0.1:${proxy.port}`;
    service = await startService({ REDIS_URL: detour.href });
  });
  afterAll(async () => {
    await service.close();
    await proxy.cut();
  });

  const reported = (): string[] => service.logs.flatMap((line) => /"event":"redis\.(\w+)"/.exec(line)?.[1] ?? []);

  it.each(['cut', 'blocked'] as const)('is UNAVAILABLE while it is %s, without loss', async (how) => {
    const [consenting, refusing] = [new Browser(service), new Browser(service)];
    const before = await decide(consenting, true);
    await decide(refusing, false);
    const reportedBefore = reported().length;
    if (how === 'cut') await proxy.cut();
    else proxy.block();
    for (const _ of range(2)) {
      await expectRefusal(service, 'UNAVAILABLE', () => consenting.run(operations.visitor));
      await expectRefusal(service, 'UNAVAILABLE', () => consent(service, consenting));
      await expectRefusal(service, 'UNAVAILABLE', () => consent(service));
    }
    await registerAndSignIn(service);
    await proxy.restore();
    await until('visitors are answered', async () => outcomeOf(await consenting.run(operations.visitor)) === 'OK');
    expect([await visitorOf(consenting), await visitorOf(refusing)]).toEqual([before, refused]);
    expect(reported().slice(reportedBefore)).toEqual(['unavailable', 'available']);
    expect(service.logs.join('\n')).not.toContain('request.failed');
  });
});

describe.runIf(!embedded)(`A temporarily unavailable database, without Redis${postgresOnly}`, () => {
  let stored: TestDatabase;
  let proxy: TcpProxy;
  let server: ServerProcess;
  beforeAll(async () => {
    stored = await createTestDatabase();
    const detour = new URL(stored.url ?? '');
    proxy = await TcpProxy.start({ host: detour.hostname, port: Number(detour.port || 5432) });
    detour.host = `127.0.0.1:${proxy.port}`;
    server = await ServerProcess.start({ DATABASE_URL: detour.href, DATA_DIR: stored.dataDirectory, REDIS_URL: '' });
  });
  afterAll(async () => {
    await server.stop();
    await proxy.cut();
    await stored.drop();
  });

  it.each(['cut', 'blocked'] as const)('is UNAVAILABLE while it is %s, without loss', async (how) => {
    const browser = new Browser(server);
    const before = await decide(browser, true);
    if (how === 'cut') await proxy.cut();
    else proxy.block();
    const answers = [
      await browser.run(operations.visitor),
      await browser.run(operations.recordConsent, { analytics: true }),
      await new Browser(server).run(operations.recordConsent, { analytics: true }),
    ];
    expect(answers.map(({ code, status }) => [code, status])).toEqual(answers.map(() => ['UNAVAILABLE', 503]));
    expect(answers.flatMap(({ setCookies }) => setCookies)).toEqual([]);
    await proxy.restore();
    await until('visitors are answered', async () => outcomeOf(await browser.run(operations.visitor)) === 'OK');
    expect(await visitorOf(browser)).toEqual(before);
    expect(server.defects).toEqual([]);
  });
});

/** GET /metrics of a process (contract/incidents.md#access-to-metrics): at its own port, and in production. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { embedded, postgresOnly } from '../../support/database/engines.ts';
import { runHere } from '../../support/gatehouse/command-line.ts';
import { environmentFor, serve } from '../../support/gatehouse/gatehouse-process.ts';
import { Scrape } from '../../support/gatehouse/metrics.ts';
import { freePort } from '../../support/servers/listen.ts';

const token = 'metrics-token-of-the-tests';

const scrape = (url: string, authorization?: string): Promise<Response> =>
  fetch(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });

describe('the metrics of a process', () => {
  let stored: TestDatabase;
  beforeAll(async () => {
    stored = await createTestDatabase();
  });
  afterAll(() => stored.drop());

  // Contract: incidents#access-to-metrics — GET /metrics: bound to METRICS_PORT when set
  it('are only at METRICS_PORT when that is set, with their token, and end with the process', async () => {
    const port = await freePort();
    const variables = { ...environmentFor(stored), METRICS_PORT: String(port), METRICS_TOKEN: token };
    const service = await serve(variables);
    const own = `http://127.0.0.1:${port}`;
    const other = await scrape(service.url, `Bearer ${token}`);
    expect(other.status).toBe(404);
    expect(await other.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect((await scrape(own)).status).toBe(401);
    const answer = await scrape(own, `Bearer ${token}`);
    expect(answer.status).toBe(200);
    expect(new Scrape(await answer.text()).of('http_requests_total', { route: 'unknown', status: '4xx' })).toBe(1);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    for (const path of ['/', '/healthz', '/graphql', '/signin']) {
      const elsewhere = await fetch(`${own}${path}`);
      expect({ path, status: elsewhere.status }).toEqual({ path, status: 404 });
      expect(elsewhere.headers.get('content-type')).toContain('application/json');
    }
    expect((await service.stop()).code).toBe(0);
    await expect(scrape(own)).rejects.toThrow();
  });

  it('prevent the start when METRICS_PORT is taken, with a message', async () => {
    const holder = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => {
      holder.listen(port, '127.0.0.1', resolve);
    });
    const variables = { ...environmentFor(stored), PORT: String(await freePort()), METRICS_PORT: String(port) };
    const { code, stderr } = await runHere(['serve'], variables);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} on 127.0.0.1 is in use: stop the process that uses it, or set METRICS_PORT.\n`,
    });
    holder.close();
  });
});

describe('the metrics of a process in production', () => {
  const production = {
    BASE_URL: 'https://id.example.com',
    FRONTEND_URL: 'https://id.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@example.com',
    RATE_LIMITS_ENABLED: 'true',
  };

  // Contract: incidents#access-to-metrics — GET /metrics: off in production unless one of them is set
  it.skipIf(embedded)(`are 404 unless one of the two is set${postgresOnly}`, async () => {
    const stored = await createTestDatabase();
    const variables = { ...production, ...environmentFor(stored), NODE_ENV: 'production' };
    const off = await serve(variables);
    const answer = await scrape(off.url);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    await off.stop();
    const on = await serve({ ...variables, METRICS_TOKEN: token });
    expect((await scrape(on.url)).status).toBe(401);
    expect((await scrape(on.url, `Bearer ${token}`)).status).toBe(200);
    await on.stop();
    await stored.drop();
  });
});

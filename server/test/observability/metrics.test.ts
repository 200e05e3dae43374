/** GET /metrics (contract/incidents.md#access-to-metrics): its content, and the clients that may read it. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { Metrics } from '../../src/platform/observability/metrics.ts';
import { openCountedMetrics } from '../../src/platform/observability/open-metrics.ts';
import { callTool, newMcpClient } from '../support/clients/mcp.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { runHere } from '../support/gatehouse/command-line.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { type Environment, processSecret } from '../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const token = 'metrics-token-of-the-tests';

const scrape = (url: string, authorization?: string): Promise<Response> =>
  fetch(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });

/** The value of a line, by its name and labels; undefined without such a line. */
const metric = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

describe('GET /metrics', () => {
  const service = serviceFixture();

  const read = async (name: string): Promise<number | undefined> =>
    metric(await (await scrape(service.url)).text(), name);

  // Contract: incidents#access-to-metrics — GET /metrics: Prometheus text
  it('is text for Prometheus, uncacheable', async () => {
    const answer = await scrape(service.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    expect(text.endsWith('\n')).toBe(true);
    for (const line of text.split('\n').slice(0, -1)) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[\d.]+(e[+-]?\d+)?)$/,
      );
    }
  });

  it('counts requests by the pattern of their route and the class of their status, never by URL', async () => {
    const answered = {
      health: 'http_requests_total{route="/healthz",status="2xx"}',
      unknown: 'http_requests_total{route="unknown",status="4xx"}',
    };
    await fetch(`${service.url}/healthz`);
    await fetch(`${service.url}/auth/a-secret-of-a-link`);
    const before = { health: (await read(answered.health)) ?? 0, unknown: (await read(answered.unknown)) ?? 0 };
    await fetch(`${service.url}/healthz`);
    await fetch(`${service.url}/auth/a-secret-of-a-link`);
    const text = await (await scrape(service.url)).text();
    expect(metric(text, answered.health)).toBe(before.health + 1);
    expect(metric(text, answered.unknown)).toBe(before.unknown + 1);
    expect(text).not.toContain('a-secret-of-a-link');
  });

  it('reports requests in flight, and drops those whose client disconnected', async () => {
    // The scrape itself is in flight.
    expect(await read('http_requests_in_flight')).toBe(1);
    const head = `POST /graphql HTTP/1.1\r\nHost: gatehouse\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const connection = await RawConnection.open(service.url);
    connection.write(head);
    await expect.poll(() => read('http_requests_in_flight')).toBe(2);
    connection.close();
    await expect.poll(() => read('http_requests_in_flight')).toBe(1);
  });

  it('reports the process', async () => {
    const text = await (await scrape(service.url)).text();
    const now = Date.now() / 1000;
    const startedAt = metric(text, 'process_start_time_seconds') ?? 0;
    expect(startedAt).toBeGreaterThan(now - 24 * 3600);
    expect(startedAt).toBeLessThanOrEqual(now);
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_active_seconds_total',
    ])
      expect(metric(text, name), name).toBeGreaterThan(0);
  });
});

describe('METRICS_TOKEN', () => {
  const service = serviceFixture({ METRICS_TOKEN: token });

  it('admits a client that sends it as a Bearer', async () => {
    expect((await scrape(service.url, `Bearer ${token}`)).status).toBe(200);
  });

  // Contract: incidents#access-to-metrics — GET /metrics: 401 without METRICS_TOKEN when that is set
  it.each([
    ['none', undefined],
    ['another', 'Bearer another-token'],
    ['a part of it', `Bearer ${token.slice(0, -1)}`],
    ['a longer one', `Bearer ${token}x`],
    ['an empty one', 'Bearer '],
    ['it as Basic', `Basic ${btoa(`metrics:${token}`)}`],
  ])('refuses a client that sends %s', async (_what, authorization) => {
    const answer = await scrape(service.url, authorization);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    expect(text).not.toContain(token.slice(0, -1));
  });

  it('is ignored in the URL', async () => {
    expect((await fetch(`${service.url}/metrics?access_token=${token}`)).status).toBe(401);
  });
});

describe('in production and staging', () => {
  const hardened = (mode: string) => ({
    NODE_ENV: mode,
    BASE_URL: 'https://id.example.com',
    FRONTEND_URL: 'https://id.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@example.com',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    RATE_LIMITS_ENABLED: 'true',
  });

  // Contract: incidents#access-to-metrics — GET /metrics: off in production unless one of them is set
  it.each(['production', 'staging'])('are off in %s unless a token or a port is set', async (mode) => {
    const variables = { ...hardened(mode), GATEHOUSE_SECRET: processSecret };
    const off = await runHere(['print-config', '--json'], variables);
    expect(JSON.parse(off.stdout)).toMatchObject({ METRICS_PORT: null, METRICS_TOKEN: null });
    const on = await runHere(['print-config', '--json'], { ...variables, METRICS_TOKEN: token });
    expect(JSON.parse(on.stdout)).toMatchObject({ METRICS_PORT: null, METRICS_TOKEN: '[set]' });
    expect(on.stdout).not.toContain(token);
    const isServed = (more: Environment) => readConfig({ ...variables, ...more }, () => '').metrics.isServed;
    expect([isServed({}), isServed({ METRICS_TOKEN: token }), isServed({ METRICS_PORT: '9464' })]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('the counter of tool calls', () => {
  const rendered = async (count: (metrics: Metrics) => void): Promise<string> => {
    const metrics = await openCountedMetrics({ isServed: true, otlpEndpoint: undefined }, silentLogger);
    count(metrics);
    return metrics.render();
  };

  // Contract: incidents#contents-of-metrics — The counter mcp.tools.call with tags tool, outcome and server=platform
  it('has the tool, the outcome and the server of each call', async () => {
    const text = await rendered((metrics) => {
      metrics.countToolCall('mcp_whoami', 'success', 'platform');
      metrics.countToolCall('mcp_whoami', 'success', 'platform');
      metrics.countToolCall('mcp_whoami', 'deny', 'platform');
    });
    expect(metric(text, 'mcp_tools_call_total{tool="mcp_whoami",outcome="success",server="platform"}')).toBe(2);
    expect(metric(text, 'mcp_tools_call_total{tool="mcp_whoami",outcome="deny",server="platform"}')).toBe(1);
  });

  it('does not grow with unknown names, and distinguishes the tools', async () => {
    const service = await startService();
    const client = await newMcpClient(service);
    for (const name of ['guess_1', 'guess_2', 'Guess 3', token]) await callTool(service, client, name);
    await callTool(service, client, 'mcp_whoami');
    const text = await (await scrape(service.url)).text();
    expect(text.split('\n').filter((line) => line.startsWith('mcp_tools_call_total'))).toEqual([
      'mcp_tools_call_total{tool="unknown",outcome="deny",server="platform"} 4',
      'mcp_tools_call_total{tool="mcp_whoami",outcome="success",server="platform"} 1',
    ]);
    await service.close();
  });

  it('is separate for each app', async () => {
    await rendered((metrics) => metrics.countToolCall('mcp_whoami', 'success', 'platform'));
    expect(await rendered(() => undefined)).not.toContain('mcp_tools_call_total');
  });
});

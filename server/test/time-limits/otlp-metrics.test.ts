/** OTEL_EXPORTER_OTLP_ENDPOINT: the exported metrics, and that an unavailable collector delays nothing. */

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCountingMetrics } from '../../src/platform/observability/counting-metrics.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { Reading } from '../../src/platform/observability/metrics.ts';
import { prometheusText, pushMetrics } from '../../src/platform/observability/open-metrics.ts';
import { logAvailability } from '../../src/platform/observability/otlp.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import { runAs } from '../support/actors/tenants.ts';
import { post } from '../support/clients/clients.ts';
import { startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';
import { freePort, listen } from '../support/servers/listen.ts';

waitAsInProduction();

interface Received {
  readonly path: string;
  readonly body: string;
}

interface Collector {
  readonly url: string;
  /** Received bodies at the path of metrics, oldest first. */
  metrics(): readonly string[];
}

/** @param status 0 never answers */
const startCollector = async (status = 200): Promise<Collector> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        received.push({ path: request.url ?? '', body });
        if (status !== 0) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      },
      // Cut off by the client: nothing was received.
      () => response.destroy(),
    );
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return {
    url,
    metrics: () => received.filter(({ path }) => path === '/v1/metrics').map(({ body }) => body),
  };
};

function* thrownOnTheWay(): Generator<Reading> {
  yield { value: 1 };
  throw new Error('EMFILE');
}

describe('Metrics by OTLP', () => {
  // Contract: incidents#metrics-by-otlp — Metrics by OTLP
  it('are the ones that Prometheus reads, sent a last time when the service ends', async () => {
    const collector = await startCollector();
    const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const tokens = await seedSession(service.database, await seedPerson(service.database, 'ada@example.org'));
    expect((await runAs(service, { tokens }, '{ me { id } }')).code).toBeNull();
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain('gatehouse_graphql_operations_total');
    await service.close();
    const [body = '', ...others] = collector.metrics();
    expect(others).toEqual([]);
    for (const part of [
      'gatehouse_graphql_operations',
      'gatehouse_acceptance_window_seconds',
      'gatehouse_mail_queue_depth',
    ])
      expect(body).toContain(`"${part}"`);
    for (const secret of [tokens.accessToken, 'ada@example.org']) expect(body).not.toContain(secret);
  });

  it('are sent repeatedly, each time all of them', async () => {
    const collector = await startCollector();
    const metrics = createCountingMetrics();
    metrics.countToolCall('mcp_whoami', 'success', 'platform');
    const stop = await pushMetrics(metrics.instruments, {
      endpoint: collector.url,
      logger: silentLogger,
      everyMilliseconds: 20,
    });
    await expect.poll(() => collector.metrics().length).toBeGreaterThan(2);
    await stop();
    expect(collector.metrics().every((body) => body.includes('"mcp_whoami"'))).toBe(true);
    await metrics.close();
  });

  // Contract: incidents#metrics-by-otlp — Metrics by OTLP: an unavailable collector
  it.each(['no server listens', 'it refuses'])('have no effect on the service when %s', async (state) => {
    const url = state === 'it refuses' ? (await startCollector(400)).url : `http://127.0.0.1:${await freePort()}`;
    const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect((await post(service.url, '{ me { id } }')).code).toBe('UNAUTHENTICATED');
    await service.close();
    const reported = service.logs.filter(
      (line) => line.includes('telemetry.unavailable') && line.includes('"metrics"'),
    );
    // A refusal is final; where no server listens, the library still retries when the stop times out.
    if (state === 'it refuses') expect(reported).toHaveLength(1);
    else expect(reported.length).toBeLessThanOrEqual(1);
    expect(reported.join('')).not.toContain(url);
  });

  // Contract: incidents#metrics-by-otlp — Metrics by OTLP: one line at the start and end of an outage
  it('log one line when the collector becomes unavailable, and one when it is back', () => {
    const lines: string[] = [];
    const results = [0, 1, 1, 0, 0];
    const exporter = {
      export: (_items: null, done: (result: { readonly code: number }) => void) => done({ code: results.shift() ?? 0 }),
    };
    const reported = logAvailability(exporter, 'metrics', createLogger('info', { write: (line) => lines.push(line) }));
    for (let sending = 0; sending < 5; sending += 1) reported.export(null, () => undefined);
    expect(lines.map((line) => /"event":"([a-z.]+)"/.exec(line)?.[1])).toEqual([
      'telemetry.unavailable',
      'telemetry.available',
    ]);
  });

  // Contract: incidents#gauges-at-an-outage — A failing gauge ends no process
  it('omit a failing gauge, for every reader', async () => {
    const collector = await startCollector();
    const metrics = createCountingMetrics();
    metrics.countToolCall('mcp_whoami', 'success', 'platform');
    const broken = { description: 'Never read.', kind: 'gauge' } as const;
    metrics.add({
      ...broken,
      name: 'thrown_at_once',
      read: () => {
        throw new Error('EMFILE');
      },
    });
    metrics.add({ ...broken, name: 'thrown_on_the_way', read: thrownOnTheWay });
    metrics.add({ ...broken, name: 'rejected', read: () => Promise.reject(new Error('away')) });
    const text = await (await prometheusText())(metrics.instruments);
    const stop = await pushMetrics(metrics.instruments, {
      endpoint: collector.url,
      logger: silentLogger,
      everyMilliseconds: 20,
    });
    await expect.poll(() => collector.metrics().length).toBeGreaterThan(0);
    await stop();
    for (const read of [text, ...collector.metrics()]) {
      expect(read).toContain('mcp_whoami');
      for (const name of ['thrown_at_once', 'thrown_on_the_way', 'rejected']) expect(read).not.toContain(name);
    }
    await metrics.close();
  });

  it('do not queue up for a silent collector, nor delay the shutdown indefinitely', async () => {
    const collector = await startCollector(0);
    const metrics = createCountingMetrics();
    const stop = await pushMetrics(metrics.instruments, {
      endpoint: collector.url,
      logger: silentLogger,
      everyMilliseconds: 1000,
    });
    await expect.poll(() => collector.metrics().length).toBe(1);
    await stop();
    expect(collector.metrics().length).toBeLessThanOrEqual(2);
    await metrics.close();
  });
});

/**
 * What the process counts of itself, through OpenTelemetry, as Prometheus reads it. One object for each app and no global
 * one: a process may run several. What passes often is counted in plain numbers, which are read when somebody asks.
 */
import { eventLoopUtilization } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { type Metrics, RequestCounts } from './metrics.ts';

/** Read when asked, and by nothing else: there is nothing to flush or to end. */
class ScrapeReader extends MetricReader {
  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }

  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
}

export const createPrometheusMetrics = (): Metrics => {
  const reader = new ScrapeReader();
  const meter = new MeterProvider({ readers: [reader] }).getMeter('gatehouse');
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  const requests = new RequestCounts();
  observeRequests(meter, requests);
  observeProcess(meter);
  const calls = meter.createCounter('mcp.tools.call', { description: 'Calls of tools of Platform MCP.' });
  return {
    countToolCall: (tool, outcome) => calls.add(1, { tool, outcome, server: 'platform' }),
    requests,
    render: async () => `${serializer.serialize((await reader.collect()).resourceMetrics).trimEnd()}\n`,
  };
};

const observeRequests = (meter: Meter, requests: RequestCounts): void => {
  meter
    .createObservableCounter('http_requests', { description: 'Requests that were answered, by route and status.' })
    .addCallback((result) => {
      for (const { count, ...labels } of requests.all()) result.observe(count, labels);
    });
  meter
    .createObservableGauge('http_requests_in_flight', { description: 'Requests that are not answered yet.' })
    .addCallback((result) => result.observe(requests.inFlight));
};

/** Under the names that dashboards for Prometheus know. */
const observeProcess = (meter: Meter): void => {
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1000;
  const gauge = (name: string, description: string, read: () => number): void =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
  const counter = (name: string, description: string, read: () => number): void =>
    meter.createObservableCounter(name, { description }).addCallback((result) => result.observe(read()));
  gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.', () => startedAtSeconds);
  gauge('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  counter('process_cpu_seconds', 'Processor time, of all threads.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  counter(
    'nodejs_eventloop_active_seconds',
    'Time in which the event loop was busy; a rate near 1 means that requests wait.',
    () => eventLoopUtilization().active / 1000,
  );
};

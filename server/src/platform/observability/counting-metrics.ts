/**
 * Owns the metrics of this process when they are exported: Prometheus names and help texts of the counters, the process's
 * own values, and the exporters. Loaded only then, and each exporter's library only when that exporter is configured.
 */
import { eventLoopUtilization } from 'node:perf_hooks';
import type { Logger } from './logger.ts';
import { type Exported, type Histograms, readMetrics } from './metric-data.ts';
import {
  type Counter,
  type Counts,
  type Family,
  Histogram,
  type Instrument,
  type Metrics,
  newCounts,
  secondsBounds,
} from './metrics.ts';

interface MetricReaders {
  /** Whether Prometheus reads them. */
  readonly isServed: boolean;
  /** OTLP endpoint of the collector, if any. */
  readonly otlpEndpoint: string | undefined;
}

export const openCountedMetrics = async (
  { isServed, otlpEndpoint: endpoint }: MetricReaders,
  logger: Logger,
): Promise<Metrics> => {
  const counting = createCountingMetrics();
  const render = isServed ? await prometheusRenderer(counting.exported) : async () => '';
  const push =
    endpoint === undefined
      ? null
      : (await import('./otlp-metrics.ts')).pushMetrics(counting.exported, { endpoint, logger });
  return {
    ...counting,
    render,
    close: async () => {
      await push?.stop();
      await counting.close();
    },
  };
};

/** Returns the function that reads the metrics in the text format of Prometheus. */
export const prometheusRenderer = async (exported: Exported): Promise<() => Promise<string>> => {
  const [{ PrometheusSerializer }, { emptyResource }] = await Promise.all([
    import('@opentelemetry/exporter-prometheus'),
    import('@opentelemetry/resources'),
  ]);
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  return async () => `${serializer.serialize(await readMetrics(exported, emptyResource())).trimEnd()}\n`;
};

// One object per app and no global one: a process may run several. Counts are plain numbers, read on export.

interface CountingMetrics extends Omit<Metrics, 'render'> {
  /** Grows with each added instrument. */
  readonly exported: Exported;
}

export const createCountingMetrics = (): CountingMetrics => {
  const counts = newCounts();
  const watched = watchProcess();
  const counted = exportedCounts(counts);
  const delays = single('nodejs_eventloop_delay_seconds', 'Delay of timers in the event loop.', watched.delays);
  const instruments: Instrument[] = [...counted.instruments, ...watched.instruments];
  return {
    counts,
    countToolCall: (tool, outcome) => {
      counts.toolCalls.at(tool, outcome, 'platform').value += 1;
    },
    add: (instrument) => {
      instruments.push(instrument);
    },
    exported: { instruments, histograms: [...counted.histograms, delays] },
    close: async () => watched.close(),
  };
};

// Prometheus names and help texts of the counters.

const exportedCounts = (counts: Counts): Exported => ({
  instruments: instrumentsOf(counts),
  histograms: histogramsOf(counts),
});

const instrumentsOf = (counts: Counts): readonly Instrument[] => [
  {
    name: 'http_requests',
    description: 'Answered HTTP requests, by route and status.',
    kind: 'counter',
    read: () => counts.requests.answers(),
  },
  {
    name: 'http_requests_in_flight',
    description: 'HTTP requests that are not answered yet.',
    kind: 'gauge',
    read: () => [{ value: counts.requests.inFlight }],
  },
  tallied('gatehouse_graphql_operations', 'GraphQL operations, by root field and outcome.', counts.operations),
  tallied('mcp_tools_call', 'Calls of Platform MCP tools, by tool and outcome.', counts.toolCalls),
  tallied('gatehouse_oauth_token_requests', 'Requests to the OAuth token endpoint.', counts.tokenRequests),
  tallied('gatehouse_sessions_begun', 'Sessions that began, by sign-in method.', counts.sessionsBegun),
  tallied('gatehouse_revocations', 'Revocations that ended at least one credential, by reason.', counts.revocations),
  tallied(
    'gatehouse_revoked_credentials',
    'Active credentials that were revoked, by reason.',
    counts.revokedCredentials,
  ),
  tallied('gatehouse_rate_limit_refusals', 'Refusals because of a rate limit, by limit.', counts.rateLimitRefusals),
  tallied('gatehouse_mails', 'Attempts to send a mail, by outcome.', counts.mails),
];

const tallied = (name: string, description: string, family: Family<Counter>): Instrument => ({
  name,
  description,
  kind: 'counter',
  read: () => Array.from(family.all(), ({ labels, member }) => ({ value: member.value, labels })),
});

const histogramsOf = (counts: Counts): readonly Histograms[] => [
  {
    name: 'http_request_duration_seconds',
    description: 'Time from an HTTP request to its response, by route.',
    members: () => counts.requests.durations(),
  },
  {
    name: 'gatehouse_graphql_operation_duration_seconds',
    description: 'Time from a fully read GraphQL request to its response, by operation.',
    members: () => counts.operationSeconds.all(),
  },
  single(
    'gatehouse_acceptance_window_seconds',
    'Time from reading a credential in durable storage to accepting it.',
    counts.acceptanceSeconds,
  ),
];

const single = (name: string, description: string, member: Histogram): Histograms => ({
  name,
  description,
  members: () => [{ labels: {}, member }],
});

// Process metrics, under the names that Prometheus dashboards know.

interface WatchedProcess {
  readonly instruments: readonly Instrument[];
  /** Seconds by which the event loop was late for a timer. */
  readonly delays: Histogram;
  /** Stops the timer. */
  readonly close: () => void;
}

const number = (kind: Instrument['kind'], name: string, description: string, read: () => number): Instrument => ({
  name,
  description,
  kind,
  read: () => [{ value: read() }],
});

const watchProcess = (): WatchedProcess => ({ instruments: processInstruments(), ...watchEventLoop() });

const processInstruments = (): readonly Instrument[] => {
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1000;
  return [
    number('gauge', 'process_start_time_seconds', 'Unix time at which the process started.', () => startedAtSeconds),
    number('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', () =>
      process.memoryUsage.rss(),
    ),
    number('gauge', 'nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed),
    number('counter', 'process_cpu_seconds', 'CPU time of all threads.', cpuSeconds),
    number(
      'counter',
      'nodejs_eventloop_active_seconds',
      'Time for which the event loop was busy; a rate near 1 means that requests wait.',
      () => eventLoopUtilization().active / 1000,
    ),
  ];
};

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

const tickMilliseconds = 50;

/** Uses its own timer: Node's monitor is more precise, but reports only the whole time since its last reset. */
const watchEventLoop = (): Pick<WatchedProcess, 'delays' | 'close'> => {
  const delays = new Histogram(secondsBounds);
  let due = performance.now() + tickMilliseconds;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + tickMilliseconds;
  }, tickMilliseconds).unref();
  return { delays, close: () => clearInterval(timer) };
};

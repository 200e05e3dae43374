/** Owns names and help texts of the counters, and the process's own values. Loaded only to export metrics. */
import { eventLoopUtilization } from 'node:perf_hooks';
import {
  type Counts,
  counter,
  type Family,
  gauge,
  Histogram,
  histogram,
  type Instrument,
  type Metrics,
  newCounts,
  type Reading,
  secondsBounds,
} from './metrics.ts';

// One object per app and no global one: a process may run several. Counts are plain numbers, read on export.

interface CountingMetrics extends Omit<Metrics, 'render'> {
  readonly counts: Counts;
  /** Grows with each added instrument. */
  readonly instruments: readonly Instrument[];
}

export const createCountingMetrics = (): CountingMetrics => {
  const counts = newCounts();
  const delays = new Histogram(secondsBounds);
  const timer = observeDelays(delays);
  const instruments = [...instrumentsOf(counts), ...processInstruments(delays)];
  return {
    counts,
    instruments,
    countToolCall: (tool, outcome, server) => {
      counts.toolCalls.at(tool, outcome, server).value += 1;
    },
    add: (instrument) => {
      instruments.push(instrument);
    },
    close: async () => clearInterval(timer),
  };
};

const instrumentsOf = (counts: Counts): Instrument[] => [
  counter('http_requests', 'Answered HTTP requests, by route and status.', () => counts.requests.answers()),
  gauge('http_requests_in_flight', 'HTTP requests that are not answered yet.', () => counts.requests.inFlight),
  tallied('gatehouse_graphql_operations', 'GraphQL operations, by root field and outcome.', counts.operations),
  tallied('mcp_tools_call', 'Calls of MCP tools, by tool, outcome and server.', counts.toolCalls),
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
  histogram('http_request_duration_seconds', 'Time from an HTTP request to its response, by route.', () =>
    counts.requests.durations(),
  ),
  histogram(
    'gatehouse_graphql_operation_duration_seconds',
    'Time from a fully read GraphQL request to its response, by operation.',
    () => Array.from(counts.operationSeconds.all(), ({ labels, member }) => ({ value: member, labels })),
  ),
  histogram(
    'gatehouse_acceptance_window_seconds',
    'Time from reading a credential in durable storage to accepting it.',
    () => counts.acceptanceSeconds,
  ),
];

const tallied = (name: string, description: string, family: Family<{ readonly value: number }>): Instrument =>
  counter(name, description, () =>
    Array.from(family.all(), ({ labels, member }): Reading => ({ value: member.value, labels })),
  );

/** Metrics of the process, under the names that Prometheus dashboards know. */
const processInstruments = (delays: Histogram): Instrument[] => {
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1000;
  return [
    gauge('process_start_time_seconds', 'Unix time at which the process started.', () => startedAtSeconds),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss()),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed),
    counter('process_cpu_seconds', 'CPU time of all threads.', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000_000;
    }),
    counter(
      'nodejs_eventloop_active_seconds',
      'Time for which the event loop was busy; a rate near 1 means that requests wait.',
      () => eventLoopUtilization().active / 1000,
    ),
    histogram('nodejs_eventloop_delay_seconds', 'Delay of timers in the event loop.', () => delays),
  ];
};

const tickMilliseconds = 50;

/** Uses its own timer: Node's monitor is more precise, but reports only the whole time since its last reset. */
const observeDelays = (delays: Histogram): NodeJS.Timeout => {
  let due = performance.now() + tickMilliseconds;
  return setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + tickMilliseconds;
  }, tickMilliseconds).unref();
};

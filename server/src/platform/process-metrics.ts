/** What it takes to run the process, under the names that dashboards for Prometheus know. */
import { eventLoopUtilization } from 'node:perf_hooks';
import { Histogram, secondsBounds } from './counts.ts';
import type { Instrument } from './metrics.ts';

export interface WatchedProcess {
  readonly instruments: readonly Instrument[];
  /** Seconds by which the event loop came late to a timer. */
  readonly delays: Histogram;
  /** Ends the timer. */
  readonly close: () => void;
}

const number = (kind: Instrument['kind'], name: string, description: string, read: () => number): Instrument => ({
  name,
  description,
  kind,
  read: () => [{ value: read() }],
});

export const watchProcess = (): WatchedProcess => ({ instruments: processInstruments(), ...watchEventLoop() });

const processInstruments = (): readonly Instrument[] => {
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1000;
  return [
    number(
      'gauge',
      'process_start_time_seconds',
      'When the process began, in seconds since 1970.',
      () => startedAtSeconds,
    ),
    number('gauge', 'process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss()),
    number('gauge', 'nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed),
    number('counter', 'process_cpu_seconds', 'Processor time, of all threads.', cpuSeconds),
    number(
      'counter',
      'nodejs_eventloop_active_seconds',
      'Time in which the event loop was busy; a rate near 1 means that requests wait.',
      () => eventLoopUtilization().active / 1000,
    ),
  ];
};

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

const tickMilliseconds = 50;

/** A timer of our own: Node's measures more finely, but tells only the whole time since somebody last reset it. */
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

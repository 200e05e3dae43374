/**
 * What the process counts of itself, for whichever exporter reads it. One object for each app and no global one: a process
 * may run several. Everything is counted in plain numbers, which are read when somebody asks.
 */
import { exportedCounts, single } from './counted-metrics.ts';
import type { Exported } from './metric-data.ts';
import { type Instrument, type Metrics, newCounts } from './metrics.ts';
import { watchProcess } from './process-metrics.ts';

export interface CountingMetrics extends Omit<Metrics, 'render'> {
  /** Grows with each instrument that is added. */
  readonly exported: Exported;
}

export const createCountingMetrics = (): CountingMetrics => {
  const counts = newCounts();
  const watched = watchProcess();
  const counted = exportedCounts(counts);
  const delays = single('nodejs_eventloop_delay_seconds', 'How late the event loop came to a timer.', watched.delays);
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

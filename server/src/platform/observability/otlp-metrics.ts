/**
 * Owns pushing metrics to a collector by OTLP over HTTP. An unavailable collector affects nothing else: each export is
 * cumulative since the process began, so the next one makes up for a lost one.
 */
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Logger } from './logger.ts';
import type { Instrument } from './metrics.ts';
import { readMetrics } from './open-metrics.ts';
import { exportMilliseconds, logAvailability, otlpUrl, serviceResource, withTimeout } from './otlp.ts';

interface MetricPushOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; `v1/metrics` is appended. */
  readonly endpoint: string;
  readonly logger: Logger;
  readonly everyMilliseconds?: number;
}

const minute = 60_000;

/** @returns the function that exports a last time within the timeout, then stops */
export const pushMetrics = (
  instruments: readonly Instrument[],
  { endpoint, logger, everyMilliseconds = minute }: MetricPushOptions,
): (() => Promise<void>) => {
  const url = otlpUrl(endpoint, 'v1/metrics');
  const exporter = new OTLPMetricExporter({ url, timeoutMillis: exportMilliseconds });
  // Exports are sequential: a slow collector does not make them pile up.
  const reader = new PeriodicExportingMetricReader({
    exporter: logAvailability(exporter, 'metrics', logger),
    exportIntervalMillis: everyMilliseconds,
    exportTimeoutMillis: everyMilliseconds,
  });
  const resource = serviceResource();
  reader.setMetricProducer({
    collect: async () => ({ resourceMetrics: await readMetrics(instruments, resource), errors: [] }),
  });
  return () => withTimeout(reader.shutdown());
};

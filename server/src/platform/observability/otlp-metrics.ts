/**
 * Owns pushing metrics to a collector by OTLP over HTTP. An unavailable collector affects nothing else: each export is
 * cumulative since the process began, so the next one makes up for a lost one.
 */
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type { Logger } from './logger.ts';
import type { Instrument } from './metrics.ts';
import { readMetrics } from './open-metrics.ts';
import { exportMilliseconds, logAvailability, otlpUrl, serviceResource, withTimeout } from './otlp.ts';

interface MetricPush {
  /** Exports a last time within the timeout, then stops. Idempotent. */
  stop(): Promise<void>;
}

interface MetricPushOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; `v1/metrics` is appended. */
  readonly endpoint: string;
  readonly logger: Logger;
  readonly everyMilliseconds?: number;
}

const minute = 60_000;

export const pushMetrics = (
  instruments: readonly Instrument[],
  { endpoint, logger, everyMilliseconds = minute }: MetricPushOptions,
): MetricPush => {
  const url = otlpUrl(endpoint, 'v1/metrics');
  const exporter = logAvailability(
    new OTLPMetricExporter({ url, timeoutMillis: exportMilliseconds }),
    'metrics',
    logger,
  );
  const resource = serviceResource();
  const send = async (): Promise<void> => {
    const resourceMetrics = await readMetrics(instruments, resource);
    await new Promise<void>((resolve) => exporter.export(resourceMetrics, () => resolve()));
  };
  // Exports are sequential: a slow collector does not make them pile up.
  let sending: Promise<void> | null = null;
  const timer = setInterval(() => {
    sending ??= send()
      // The exporter logs its failures; after any other, the next export has the same numbers.
      .catch(() => undefined)
      .finally(() => {
        sending = null;
      });
  }, everyMilliseconds).unref();
  // One timeout for the running export, the last one, and closing the connections.
  const end = (): Promise<void> => {
    clearInterval(timer);
    return withTimeout((sending ?? Promise.resolve()).then(send).then(() => exporter.shutdown()));
  };
  let stopping: Promise<void> | null = null;
  return {
    stop: () => {
      stopping ??= end();
      return stopping;
    },
  };
};

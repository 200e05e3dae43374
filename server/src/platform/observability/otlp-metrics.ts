/**
 * Sends what the process counts of itself to a collector, by OTLP over HTTP. A collector that is away is no trouble of
 * anybody else: each sending has everything since the process began, so that one that is lost is made good by the next.
 */
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type { Logger } from './logger.ts';
import { type Exported, readMetrics } from './metric-data.ts';
import { exportMilliseconds, otlpUrl, serviceResource, telling, withTimeout } from './otlp.ts';

export interface MetricPush {
  /** Sends a last time, as long as there is patience, and no more. Idempotent. */
  stop(): Promise<void>;
}

export interface MetricPushOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; `v1/metrics` is appended. */
  readonly endpoint: string;
  readonly logger: Logger;
  readonly everyMilliseconds?: number;
}

const minute = 60_000;

export const pushMetrics = (
  exported: Exported,
  { endpoint, logger, everyMilliseconds = minute }: MetricPushOptions,
): MetricPush => {
  const url = otlpUrl(endpoint, 'v1/metrics');
  const exporter = telling(new OTLPMetricExporter({ url, timeoutMillis: exportMilliseconds }), 'metrics', logger);
  const resource = serviceResource();
  const send = async (): Promise<void> => {
    const resourceMetrics = await readMetrics(exported, resource);
    await new Promise<void>((resolve) => exporter.export(resourceMetrics, () => resolve()));
  };
  // One after the other: a slow collector does not make them pile up.
  let sending: Promise<void> | null = null;
  const timer = setInterval(() => {
    sending ??= send()
      // The exporter tells of what it cannot send; for anything else, the next sending has the same numbers.
      .catch(() => undefined)
      .finally(() => {
        sending = null;
      });
  }, everyMilliseconds).unref();
  // One patience for all of it: the wait for what is under way, the last sending, and the end of the connections.
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

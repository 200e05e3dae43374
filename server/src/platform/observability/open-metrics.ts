/** Opens the metrics exporters, each loaded only when configured. */
import { createCountingMetrics } from './counting-metrics.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

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
  const served = isServed ? (await import('./prometheus-metrics.ts')).createPrometheusMetrics(counting) : null;
  const push =
    endpoint === undefined
      ? null
      : (await import('./otlp-metrics.ts')).pushMetrics(counting.exported, { endpoint, logger });
  return {
    ...counting,
    render: async () => (await served?.render()) ?? '',
    close: async () => {
      await push?.stop();
      await counting.close();
    },
  };
};

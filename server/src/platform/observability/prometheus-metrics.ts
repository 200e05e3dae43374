/** Owns the export of this process's metrics in the Prometheus format. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { emptyResource } from '@opentelemetry/resources';
import { type CountingMetrics, createCountingMetrics } from './counting-metrics.ts';
import { readMetrics } from './metric-data.ts';
import type { Metrics } from './metrics.ts';

/** @param counting may be shared with other exporters */
export const createPrometheusMetrics = (counting: CountingMetrics = createCountingMetrics()): Metrics => {
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  return {
    ...counting,
    render: async () => `${serializer.serialize(await readMetrics(counting.exported, emptyResource())).trimEnd()}\n`,
  };
};

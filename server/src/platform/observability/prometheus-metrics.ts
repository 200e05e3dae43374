/** What the process counts of itself, as Prometheus reads it. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { emptyResource } from '@opentelemetry/resources';
import { type CountingMetrics, createCountingMetrics } from './counting-metrics.ts';
import { readMetrics } from './metric-data.ts';
import type { Metrics } from './metrics.ts';

/** @param counting others may read it too */
export const createPrometheusMetrics = (counting: CountingMetrics = createCountingMetrics()): Metrics => {
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  return {
    ...counting,
    render: async () => `${serializer.serialize(await readMetrics(counting.exported, emptyResource())).trimEnd()}\n`,
  };
};

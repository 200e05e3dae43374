/**
 * Owns the exporters of metrics, each loaded only when configured, and the conversion to OpenTelemetry data. Each
 * export reads anew: an OpenTelemetry instrument would keep reporting a vanished series, and costs a look-up per value.
 */
import { type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource, type Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram as HistogramValue,
  type MetricData,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { within } from '../../kernel/waits/within.ts';
import { createCountingMetrics } from './counting-metrics.ts';
import type { Logger } from './logger.ts';
import { Histogram, type Instrument, type Metrics, type Reading } from './metrics.ts';

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
  const toText = isServed ? await prometheusText() : null;
  const stopPush = endpoint === undefined ? null : await pushMetrics(counting.instruments, { endpoint, logger });
  return {
    ...counting,
    render: async () => (await toText?.(counting.instruments)) ?? '',
    close: async () => {
      await stopPush?.();
      await counting.close();
    },
  };
};

/** Returns the function that reads instruments into the Prometheus text format. */
export const prometheusText = async (): Promise<(instruments: readonly Instrument[]) => Promise<string>> => {
  const { PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus');
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  return async (instruments) => `${serializer.serialize(await readMetrics(instruments, emptyResource())).trimEnd()}\n`;
};

interface MetricPushOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; `v1/metrics` is appended. */
  readonly endpoint: string;
  readonly logger: Logger;
  readonly everyMilliseconds?: number;
}

const minute = 60_000;

/**
 * Pushes metrics to a collector by OTLP over HTTP. Each export is cumulative, so the next one makes up for a lost one.
 * @returns the function that exports a last time within the timeout, then stops
 */
export const pushMetrics = async (
  instruments: readonly Instrument[],
  { endpoint, logger, everyMilliseconds = minute }: MetricPushOptions,
): Promise<() => Promise<void>> => {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const { exportMilliseconds, logAvailability, otlpUrl, serviceResource, withTimeout } = await import('./otlp.ts');
  const exporter = new OTLPMetricExporter({ url: otlpUrl(endpoint, 'v1/metrics'), timeoutMillis: exportMilliseconds });
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

/** Timeout of asynchronous readings: an export must not wait long for an unavailable database. */
const limits = scaledMillis({ readingMilliseconds: 2000 });

const readMetrics = async (instruments: readonly Instrument[], resource: Resource): Promise<ResourceMetrics> => {
  const metrics = (await Promise.all(instruments.map(readInstrument))).filter(
    ({ dataPoints }) => dataPoints.length > 0,
  );
  return { resource, scopeMetrics: [{ scope: { name: 'gatehouse' }, metrics }] };
};

const readInstrument = async (instrument: Instrument): Promise<MetricData> => {
  const { name, description, kind } = instrument;
  return {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: (await readingsOf(instrument)).map(pointOf),
    ...types[kind],
  } as MetricData;
};

const types = {
  counter: { dataPointType: DataPointType.SUM, isMonotonic: true },
  gauge: { dataPointType: DataPointType.GAUGE },
  histogram: { dataPointType: DataPointType.HISTOGRAM },
} as const;

/** Readings of one instrument; empty when it fails or times out, so that the others are still exported. */
const readingsOf = async ({ read }: Instrument): Promise<readonly Reading[]> => {
  try {
    const found = read();
    const readings = found instanceof Promise ? await within(limits.readingMilliseconds, found, () => []) : found;
    return typeof readings === 'number' || readings instanceof Histogram ? [{ value: readings }] : [...readings];
  } catch {
    return [];
  }
};

/** Cumulative since the process began. */
const pointOf = ({ value, labels = {} }: Reading): DataPoint<number | HistogramValue> => ({
  startTime: instant(performance.timeOrigin),
  endTime: instant(Date.now()),
  attributes: { ...labels },
  value: typeof value === 'number' ? value : histogramValue(value),
});

const histogramValue = ({ bounds, counts, count, sum }: Histogram): HistogramValue => ({
  buckets: { boundaries: [...bounds], counts: [...counts] },
  count,
  sum,
});

/** Converts milliseconds since 1970 to seconds and nanoseconds. */
const instant = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1_000_000),
];

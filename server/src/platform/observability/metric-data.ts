/**
 * Owns the conversion of this process's metrics to OpenTelemetry data. Each export reads anew: an OpenTelemetry
 * instrument would keep reporting the last value of a vanished series, and costs a look-up per value.
 */

import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram as HistogramValue,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { within } from '../../kernel/within.ts';
import type { Histogram, Instrument, Labels, Reading } from './metrics.ts';

/** A family of histograms. */
export interface Histograms {
  readonly name: string;
  readonly description: string;
  readonly members: () => Iterable<{ readonly labels: Labels; readonly member: Histogram }>;
}

export interface Exported {
  readonly instruments: readonly Instrument[];
  readonly histograms: readonly Histograms[];
}

/** Timeout of asynchronous readings: an export must not wait long for an unavailable database. */
const timeoutMilliseconds = 2000;

/**
 * Reads all metrics once.
 * @param resource the attributes of the process
 */
export const readMetrics = async (
  { instruments, histograms }: Exported,
  resource: Resource,
): Promise<ResourceMetrics> => {
  const read = await Promise.all(instruments.map(readInstrument));
  const metrics = [...read, ...histograms.map(dataOfHistograms)].filter(({ dataPoints }) => dataPoints.length > 0);
  return { resource, scopeMetrics: [{ scope: { name: 'gatehouse' }, metrics }] };
};

const readInstrument = async (instrument: Instrument): Promise<MetricData> => {
  const { kind } = instrument;
  const readings = await readingsOf(instrument);
  const dataPoints = readings.map(({ value, labels }) => pointOf(labels ?? {}, value));
  const common = { ...commonOf(instrument), dataPoints };
  return kind === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE };
};

/** Readings of one instrument; empty when it fails or times out, so that the others are still exported. */
const readingsOf = async ({ read }: Instrument): Promise<readonly Reading[]> => {
  try {
    const readings = read();
    return [...(readings instanceof Promise ? await within(timeoutMilliseconds, readings, () => []) : readings)];
  } catch {
    return [];
  }
};

const dataOfHistograms = ({ members, ...described }: Histograms): MetricData => ({
  ...commonOf(described),
  dataPointType: DataPointType.HISTOGRAM,
  dataPoints: Array.from(members(), ({ labels, member }) => pointOf(labels, histogramValue(member))),
});

const histogramValue = ({ bounds, counts, count, sum }: Histogram): HistogramValue => ({
  buckets: { boundaries: [...bounds], counts: [...counts] },
  count,
  sum,
});

const commonOf = ({ name, description }: Pick<Instrument, 'name' | 'description'>) => ({
  descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
});

/** Cumulative since the process began. */
const pointOf = <Value>(labels: Labels, value: Value): DataPoint<Value> => ({
  startTime: instant(performance.timeOrigin),
  endTime: instant(Date.now()),
  attributes: { ...labels },
  value,
});

/** Converts milliseconds since 1970 to seconds and nanoseconds. */
const instant = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1_000_000),
];

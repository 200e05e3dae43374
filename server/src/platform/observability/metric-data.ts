/**
 * What the process counts of itself, as OpenTelemetry exports it. Each export reads anew: an instrument of OpenTelemetry
 * would go on to tell the last value of what nobody knows any more, and costs a look-up for each value that it is told.
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
import type { Histogram, Instrument, Labels, Reading } from './metrics.ts';

/** A row of histograms that somebody keeps. */
export interface Histograms {
  readonly name: string;
  readonly description: string;
  readonly members: () => Iterable<{ readonly labels: Labels; readonly member: Histogram }>;
}

export interface Exported {
  readonly instruments: readonly Instrument[];
  readonly histograms: readonly Histograms[];
}

/** For everything that has to be asked for: whoever reads must not wait long for a database that is away. */
const timeoutMilliseconds = 2000;

/**
 * Reads everything once.
 * @param resource what the process says of itself
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

/** What cannot be read is left out, and the rest is told all the same. */
const readingsOf = async ({ read }: Instrument): Promise<readonly Reading[]> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    const readings = read();
    if (!(readings instanceof Promise)) return [...readings];
    const end = new Promise<Iterable<Reading>>((resolve) => {
      timer = setTimeout(() => resolve([]), timeoutMilliseconds);
    });
    return [...(await Promise.race([readings, end]))];
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
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

/** Since the process began: nothing is ever taken away. */
const pointOf = <Value>(labels: Labels, value: Value): DataPoint<Value> => ({
  startTime: instant(performance.timeOrigin),
  endTime: instant(Date.now()),
  attributes: { ...labels },
  value,
});

/** Seconds and nanoseconds, of milliseconds since 1970. */
const instant = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1_000_000),
];

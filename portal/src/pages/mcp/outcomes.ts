/** Outcomes of tool calls over time, as coordinates of a plot: deny rate and number of calls. */

export interface OutcomeBucket {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly success: number;
  readonly deny: number;
  readonly error: number;
}

interface OutcomeTotals {
  readonly calls: number;
  readonly denied: number;
  readonly failed: number;
  /** From 0 to 1; 0 without calls. */
  readonly denyRate: number;
}

export const callsIn = ({ success, deny, error }: OutcomeBucket): number => success + deny + error;

/** Undefined without calls. */
export const denyRateOf = (bucket: OutcomeBucket): number | undefined =>
  callsIn(bucket) === 0 ? undefined : bucket.deny / callsIn(bucket);

export const totalsOf = (buckets: readonly OutcomeBucket[]): OutcomeTotals => {
  const sum = (of: (bucket: OutcomeBucket) => number) => buckets.reduce((total, bucket) => total + of(bucket), 0);
  const calls = sum(callsIn);
  const denied = sum(({ deny }) => deny);
  return { calls, denied, failed: sum(({ error }) => error), denyRate: calls === 0 ? 0 : denied / calls };
};

/** Size of the plot in its own units. */
export const plotWidth = 1000;
export const plotHeight = 100;

interface Dot {
  readonly startsAt: string;
  readonly x: number;
  readonly y: number;
}

interface Bar {
  readonly startsAt: string;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

interface OutcomePlot {
  /** The deny rate of each bucket with calls, at the bucket's middle: 0 at the bottom, 1 at the top. */
  readonly dots: readonly Dot[];
  /** The line through the dots of adjacent buckets; it breaks where there were no calls. */
  readonly line: string;
  /** The number of calls in each bucket, relative to the maximum. */
  readonly bars: readonly Bar[];
  readonly maxCalls: number;
}

export const plotOf = (buckets: readonly OutcomeBucket[]): OutcomePlot => {
  const step = plotWidth / Math.max(buckets.length, 1);
  const maxCalls = Math.max(0, ...buckets.map(callsIn));
  const rated = buckets.map((bucket, position) => ({ bucket, position, rate: denyRateOf(bucket) }));
  const dots = rated.flatMap(({ bucket, position, rate }) =>
    rate === undefined
      ? []
      : [{ position, startsAt: bucket.startsAt, x: round((position + 0.5) * step), y: round((1 - rate) * plotHeight) }],
  );
  return {
    dots: dots.map(({ startsAt, x, y }) => ({ startsAt, x, y })),
    line: dots
      .map(({ position, x, y }, index) => `${dots[index - 1]?.position === position - 1 ? 'L' : 'M'}${x} ${y}`)
      .join(''),
    bars: rated.flatMap(({ bucket, position }) => {
      const calls = callsIn(bucket);
      if (calls === 0) return [];
      const height = round((calls / maxCalls) * plotHeight);
      return [{ startsAt: bucket.startsAt, x: round((position + 0.15) * step), width: round(step * 0.7), height }];
    }),
    maxCalls,
  };
};

const round = (length: number): number => Math.round(length * 100) / 100;

const dayMilliseconds = 86_400_000;

export type BucketUnit = 'hour' | 'day';

/** The length of the buckets, taken from the first, because the last may be cut off. A day may have 23 hours. */
export const unitOf = ([first]: readonly OutcomeBucket[]): BucketUnit =>
  first !== undefined && Date.parse(first.endsAt) - Date.parse(first.startsAt) >= dayMilliseconds - 3_600_000
    ? 'day'
    : 'hour';

/** Format of a bucket's start. */
export const timeStyles = {
  hour: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
} as const;

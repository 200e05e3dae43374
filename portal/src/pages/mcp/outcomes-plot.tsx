/** Denied tool calls over time: a plot, its summary in a sentence, and the same numbers as a table. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../components/dates.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Section } from '../../components/section.tsx';
import { EmptyList } from '../../lists/empty-list.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ConsoleQueryProblem } from '../console/scope-gate.tsx';
import {
  type BucketUnit,
  callsIn,
  denyRateOf,
  type OutcomeBucket,
  plotHeight,
  plotOf,
  plotWidth,
  timeStyles,
  totalsOf,
  unitOf,
} from './outcomes.ts';
import { outcomesQuery } from './queries.ts';
import { plotRange, useMcpView } from './view.ts';

export const McpOutcomes = () => {
  const t = useTranslations('mcp.plot');
  const { view } = useMcpView();
  const now = useNow();
  const outcomes = useQuery(outcomesQuery(useSession(), view, now));
  const { from, to } = plotRange(view, now);
  const formatInstant = (instant: string) => formatDate(instant, { dateStyle: 'medium', timeStyle: 'short' });
  const range = { from: formatInstant(from), to: formatInstant(to) };
  return (
    <Section title={t('title')} lead={t('lead', range)}>
      <QueryState query={outcomes} problem={ConsoleQueryProblem} />
      {outcomes.data !== undefined && <PlotSummary buckets={outcomes.data} none={t('noneThen', range)} />}
    </Section>
  );
};

interface PlotSummaryProps {
  readonly buckets: readonly OutcomeBucket[];
  readonly none: string;
}

const PlotSummary = ({ buckets, none }: PlotSummaryProps) => {
  const t = useTranslations('mcp.plot');
  const format = useFormatter();
  const { calls, denied, failed, denyRate } = totalsOf(buckets);
  if (calls === 0) return <EmptyList text={none} />;
  return (
    <div className="space-y-4 px-5 py-4 sm:px-6">
      <p className="font-medium">
        {t('summary', { denied, calls, rate: format.number(denyRate, percent) })}{' '}
        {failed > 0 && <span className="font-normal text-soft">{t('failed', { failed })}</span>}
      </p>
      <Plot buckets={buckets} />
      <details>
        <summary className="w-fit rounded text-sm text-soft hover:text-ink">{t('table')}</summary>
        <McpOutcomesTable buckets={buckets.filter((bucket) => callsIn(bucket) > 0)} unit={unitOf(buckets)} />
      </details>
    </div>
  );
};

const percent = { style: 'percent', maximumFractionDigits: 1 } as const;

/** The shapes are stretched to the available width, so the labels are outside the SVG. Time runs as the text does. */
const Plot = ({ buckets }: { readonly buckets: readonly OutcomeBucket[] }) => {
  const t = useTranslations('mcp.plot');
  const format = useFormatter();
  const titleId = useId();
  const descriptionId = useId();
  const { dots, line, bars, maxCalls } = plotOf(buckets);
  const unit = unitOf(buckets);
  const box = `0 0 ${plotWidth} ${plotHeight}`;
  const frame = `M0 0H${plotWidth}M0 ${plotHeight / 2}H${plotWidth}M0 ${plotHeight}H${plotWidth}`;
  return (
    <div className="text-xs text-soft tabular-nums">
      <p className="pb-1.5">{t('rate')}</p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-2">
        <Scale marks={[1, 0.5, 0].map((rate) => format.number(rate, percent))} />
        <svg
          role="img"
          aria-labelledby={titleId}
          aria-describedby={descriptionId}
          viewBox={box}
          preserveAspectRatio="none"
          className="block h-40 w-full overflow-visible text-accent rtl:-scale-x-100"
          fill="none"
          stroke="currentColor"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <title id={titleId}>{t('rate')}</title>
          <desc id={descriptionId}>{t(`description.${unit}`)}</desc>
          <path d={frame} strokeWidth="1" vectorEffect="non-scaling-stroke" className="text-line" />
          <path d={line} strokeWidth="2" vectorEffect="non-scaling-stroke" />
          {dots.map(({ startsAt, x, y }) => (
            // A zero-length line with round caps stays a circle in a stretched drawing.
            <path key={startsAt} d={`M${x} ${y}h0`} strokeWidth="7" vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
        <p className="col-span-2 pt-1">{t('calls')}</p>
        <Scale marks={[maxCalls, 0].map((calls) => format.number(calls))} />
        <svg
          aria-hidden="true"
          viewBox={box}
          preserveAspectRatio="none"
          className="block h-10 w-full text-soft rtl:-scale-x-100"
          fill="currentColor"
        >
          {bars.map(({ startsAt, x, width, height }) => (
            <rect key={startsAt} x={x} y={plotHeight - height} width={width} height={height} />
          ))}
        </svg>
        <Times buckets={buckets} />
      </div>
    </div>
  );
};

const Scale = ({ marks }: { readonly marks: readonly string[] }) => (
  <div aria-hidden="true" className="flex flex-col items-end justify-between leading-none">
    {marks.map((mark) => (
      <span key={mark}>{mark}</span>
    ))}
  </div>
);

/** Start of the first and the last bucket. */
const Times = ({ buckets }: { readonly buckets: readonly OutcomeBucket[] }) => {
  const ends = [buckets[0], buckets.at(-1)].map((bucket) =>
    bucket === undefined ? '' : formatDate(bucket.startsAt, timeStyles[unitOf(buckets)]),
  );
  return (
    <div className="col-start-2 flex flex-wrap justify-between gap-x-4">
      <span>{ends[0]}</span>
      <span>{ends[1]}</span>
    </div>
  );
};

const columns = ['when', 'calls', 'deny', 'error', 'rate'] as const;

interface McpOutcomesTableProps {
  /** Buckets that have calls. */
  readonly buckets: readonly OutcomeBucket[];
  readonly unit: BucketUnit;
}

const McpOutcomesTable = ({ buckets, unit }: McpOutcomesTableProps) => {
  const t = useTranslations('mcp.plot');
  const format = useFormatter();
  return (
    <table className="mt-2 w-full text-end text-xs tabular-nums sm:text-sm">
      <caption className="sr-only">{t(`caption.${unit}`)}</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          {columns.map((column) => (
            <th key={column} scope="col" className="px-1 py-1 font-medium wrap-anywhere first:text-start">
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.startsAt}>
            <th scope="row" className="px-1 py-1 text-start font-medium">
              <Instant at={bucket.startsAt}>{formatDate(bucket.startsAt, timeStyles[unit])}</Instant>
            </th>
            {[callsIn(bucket), bucket.deny, bucket.error].map((count, position) => (
              <td key={columns[position + 1]} className="px-1 py-1">
                {format.number(count)}
              </td>
            ))}
            <td className="px-1 py-1">
              {format.number(denyRateOf(bucket) ?? 0, { style: 'percent', maximumFractionDigits: 1 })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

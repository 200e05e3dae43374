/** Numbers over time as bars: the picture, and the same numbers as a table. */
import { useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../../components/dates.tsx';

export interface Bar {
  /** ISO 8601. */
  readonly startsAt: string;
  /** Null where nothing is known: of the first pieces only. */
  readonly count: number | null;
}

interface BarPlotProps {
  readonly name: string;
  readonly unit: 'hour' | 'day';
  readonly bars: readonly Bar[];
}

const [width, height, gap] = [600, 100, 3];

/** The shapes are stretched to the available width, so the labels are outside the SVG. */
export const BarPlot = ({ name, unit, bars }: BarPlotProps) => {
  const t = useTranslations('overview');
  const titleId = useId();
  const most = Math.max(1, ...bars.map(({ count }) => count ?? 0));
  const known = bars.find(({ count }) => count !== null);
  const unknownCount = known === undefined ? bars.length : bars.indexOf(known);
  const step = width / Math.max(1, bars.length);
  const label = formatOf(unit);
  return (
    <div className="space-y-2">
      <svg
        role="img"
        aria-labelledby={titleId}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-24 w-full text-accent rtl:-scale-x-100"
      >
        <title id={titleId}>{t('plot', { name, unit })}</title>
        <path
          d={`M0 ${height}H${width}`}
          stroke="currentColor"
          vectorEffect="non-scaling-stroke"
          className="text-line"
        />
        {/* One field, which does not look like bars. */}
        {unknownCount > 0 && (
          <rect width={unknownCount * step} height={height} fill="currentColor" className="text-canvas" />
        )}
        {bars.map(({ startsAt, count }, at) => {
          const size = sizeOf(count ?? 0, most);
          return (
            <rect
              key={startsAt}
              x={at * step + gap / 2}
              y={height - size}
              width={step - gap}
              height={size}
              fill="currentColor"
            />
          );
        })}
      </svg>
      <p aria-hidden="true" className="flex justify-between text-xs text-soft tabular-nums">
        {[bars[0], bars.at(-1)].map((bar, at) => (
          <span key={at === 0 ? 'first' : 'last'}>{bar === undefined ? '' : label(bar.startsAt)}</span>
        ))}
      </p>
      {unknownCount > 0 && (
        <p className="text-sm text-soft">
          {known === undefined ? t('noData') : t('noDataBefore', { when: label(known.startsAt) })}
        </p>
      )}
      <details>
        <summary className="w-fit rounded text-sm text-soft hover:text-ink">{t('table')}</summary>
        <NumbersTable name={name} unit={unit} bars={bars.filter(({ count }) => count !== 0)} />
      </details>
    </div>
  );
};

/** The least is still seen. */
const sizeOf = (count: number, most: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * height));

const formatOf =
  (unit: 'hour' | 'day') =>
  (at: string): string =>
    formatDate(at, unit === 'hour' ? { dateStyle: 'short', timeStyle: 'short' } : { dateStyle: 'medium' });

const NumbersTable = ({ name, unit, bars }: BarPlotProps) => {
  const t = useTranslations('overview');
  const format = useFormatter();
  const label = formatOf(unit);
  return (
    <table className="mt-2 w-full text-sm tabular-nums">
      <caption className="sr-only">{t('plot', { name, unit })}</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          <th scope="col" className="py-1.5 text-start font-medium">
            {t('columns.when')}
          </th>
          <th scope="col" className="py-1.5 text-end font-medium">
            {t('columns.count')}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ startsAt, count }) => (
          <tr key={startsAt} className="border-b border-line last:border-0">
            <td className="py-1.5">
              <Instant at={startsAt}>{label(startsAt)}</Instant>
            </td>
            <td className="py-1.5 text-end">{count === null ? t('noDataCell') : format.number(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

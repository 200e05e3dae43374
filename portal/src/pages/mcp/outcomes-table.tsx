/** The numbers of the plot as a table: for who does not see it, and for who wants to copy them. */
import { useFormatter, useTranslations } from 'use-intl';
import { Instant } from '../../components/instant.tsx';
import { formatDate } from '../../dates.ts';
import { type BucketUnit, callsIn, denyRateOf, type OutcomeBucket, timeStyles } from './outcomes.ts';

const columns = ['when', 'calls', 'deny', 'error', 'rate'] as const;

interface McpOutcomesTableProps {
  /** Those that have calls. */
  readonly buckets: readonly OutcomeBucket[];
  readonly unit: BucketUnit;
}

export const McpOutcomesTable = ({ buckets, unit }: McpOutcomesTableProps) => {
  const t = useTranslations('mcp.plot');
  const format = useFormatter();
  return (
    <table className="mt-2 w-full text-right text-sm tabular-nums">
      <caption className="sr-only">{t(`caption.${unit}`)}</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          {columns.map((column) => (
            <th key={column} scope="col" className="px-1 py-1 font-medium first:text-left">
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.startsAt}>
            <th scope="row" className="px-1 py-1 text-left font-medium">
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

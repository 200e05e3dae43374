/** The numbers of the plot as a table: for who does not see it, and for who wants to copy them. */
import { useFormatter, useTranslations } from 'use-intl';
import { callsIn, denyRateOf, isDaily, type OutcomeBucket, timeStyleOf } from './mcp-outcomes.ts';

const columns = ['when', 'calls', 'deny', 'error', 'rate'] as const;

/** @param buckets those that have calls */
export const McpOutcomesTable = ({ buckets }: { readonly buckets: readonly OutcomeBucket[] }) => {
  const t = useTranslations('mcp.plot');
  const format = useFormatter();
  const time = timeStyleOf(buckets);
  return (
    <table className="mt-2 w-full text-right text-sm tabular-nums">
      <caption className="sr-only">{t(`caption.${isDaily(buckets) ? 'day' : 'hour'}`)}</caption>
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
              {format.dateTime(new Date(bucket.startsAt), time)}
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

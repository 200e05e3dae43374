/** The frame of a list that is fetched at once: heading, what was done last, and the rows or why there are none. */
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import type { RetryNoticeProps } from '../components/notice.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Section } from '../components/section.tsx';
import { EmptyList } from './empty-list.tsx';

interface WholeListProps<Row> {
  readonly title: string;
  readonly lead?: string;
  readonly footer?: ReactNode;
  /** The result of an action. */
  readonly result?: ReactNode;
  readonly query: ComponentProps<typeof QueryState>['query'];
  /** Undefined until they are known. */
  readonly rows: readonly Row[] | undefined;
  readonly loading?: ReactNode;
  /** Shows a failure of the query. */
  readonly problem?: ComponentType<RetryNoticeProps>;
  /** The words of an empty list; undefined to show none. */
  readonly none?: string | undefined;
  /** A part below the rows. */
  readonly note?: ReactNode;
  /** A row, which is an item of the list and has a key. */
  readonly children: (row: Row) => ReactNode;
}

export const WholeList = <Row,>(props: WholeListProps<Row>) => {
  const { title, lead, footer, result, query, rows, loading, problem, none, note, children } = props;
  const isEmpty = rows?.length === 0;
  return (
    <Section title={title} lead={lead} footer={footer}>
      {result}
      <QueryState query={query} loading={loading} problem={problem} />
      {isEmpty && none !== undefined && <EmptyList text={none} />}
      {rows !== undefined && !isEmpty && <ul className="divide-y divide-line">{rows.map((row) => children(row))}</ul>}
      {note}
    </Section>
  );
};

/** The frame of a list that is fetched page by page: heading, filters, total, rows or why there are none, and more. */
import { type ComponentType, type ReactNode, type RefObject, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import type { RetryNoticeProps } from '../components/notice.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Card, Section } from '../components/section.tsx';
import { EmptyList } from './empty-list.tsx';
import { focusFilters } from './focus-filters.ts';
import type { PagedList } from './paged-list.ts';

interface Counts {
  readonly shown: number;
  readonly total: number;
}

export interface ListFrameProps<Row> {
  readonly list: PagedList<Row>;
  /** The heading; absent where the heading of the page is the list's. */
  readonly title?: string;
  readonly lead?: string;
  readonly filters?: ReactNode;
  /** Parts between the filters and the rows, such as the result of an action. */
  readonly result?: ReactNode;
  /** Shows a failure of the query. */
  readonly problem?: ComponentType<RetryNoticeProps>;
  /** A part that is shown in place of the rows. */
  readonly instead?: ReactNode;
  /** The total in words, above the rows beside the button that asks again. */
  readonly total?: (total: number, isCapped: boolean) => string;
  /** How many are shown, in the footer while there are more. */
  readonly shown?: (counts: Counts, isCapped: boolean) => string;
  /** The total in words, in the footer once all rows are shown. */
  readonly all?: (total: number) => string;
  /** The words of an empty list. */
  readonly none: string;
  /** Clears the filters that may have made the list empty; undefined without one. */
  readonly onClear?: (() => void) | undefined;
  readonly clearLabel?: string;
  /** A part below the rows. */
  readonly note?: ReactNode;
  readonly children: (rows: readonly Row[], isBusy: boolean) => ReactNode;
}

export const ListFrame = <Row,>(props: ListFrameProps<Row>) => {
  const { list, title, lead, filters, result, problem, instead, note } = props;
  const bar = useRef<HTMLDivElement>(null);
  const content = (
    <>
      <div ref={bar}>{filters}</div>
      {result}
      {instead ?? (
        <>
          {list.isAsked && <QueryState query={list.query} problem={problem} />}
          {list.isLoaded && <Rows {...props} bar={bar} />}
        </>
      )}
      {note}
    </>
  );
  const footer = instead === undefined ? footerOf(props) : undefined;
  if (title === undefined) return <Card footer={footer}>{content}</Card>;
  return (
    <Section title={title} lead={lead} footer={footer}>
      {content}
    </Section>
  );
};

interface RowsProps<Row> extends ListFrameProps<Row> {
  readonly bar: RefObject<HTMLElement | null>;
}

const Rows = <Row,>({ list, total, none, onClear, clearLabel, bar, children }: RowsProps<Row>) => (
  <>
    {total !== undefined && <Summary text={total(list.total, list.isCapped)} list={list} />}
    {list.rows.length === 0 ? (
      <EmptyList
        text={none}
        label={clearLabel}
        onClear={
          onClear &&
          (() => {
            onClear();
            // The focused button is unmounted.
            focusFilters(bar.current);
          })
        }
      />
    ) : (
      children(list.rows, list.query.isPlaceholderData)
    )}
  </>
);

interface SummaryProps {
  readonly text: string;
  readonly list: PagedList<unknown>;
}

const Summary = ({ text, list: { query } }: SummaryProps) => {
  const t = useTranslations('lists');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <p role="status" className="font-medium">
        {text}
      </p>
      <Button variant="secondary" busy={query.isRefetching} onClick={() => void query.refetch()}>
        {t('reload')}
      </Button>
    </div>
  );
};

const footerOf = <Row,>({ list, shown, all }: ListFrameProps<Row>): ReactNode => {
  const { rows, total, isCapped, query } = list;
  if (rows.length === 0 && !query.hasNextPage) return undefined;
  if (query.hasNextPage && shown !== undefined) {
    return <Footer text={shown({ shown: rows.length, total }, isCapped)} list={list} />;
  }
  return all === undefined ? undefined : <Footer text={all(total)} list={list} />;
};

const Footer = ({ text, list: { query } }: SummaryProps) => {
  const t = useTranslations('lists');
  return (
    <>
      <p role="status" className="text-soft">
        {text}
      </p>
      {query.hasNextPage && (
        <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
};

/** Parts that the lists of the signed-in part share: state of the query, summary, footer, empty list and reasons. */
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode, RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button.tsx';
import { RetryNotice, type RetryNoticeProps } from './notice.tsx';
import { SectionLoading } from './section.tsx';

interface QueryStateProps {
  readonly query: Pick<UseQueryResult, 'isError' | 'isPending' | 'isFetching' | 'error' | 'refetch'>;
  readonly loading?: ReactNode;
  /** Shows the failure. */
  readonly problem?: ComponentType<RetryNoticeProps>;
}

/** The content of a section whose query has failed or has not ended. */
export const QueryState = ({ query, loading, problem: Problem = RetryNotice }: QueryStateProps) => (
  <>
    {query.isError && (
      <div className="p-3">
        <Problem error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      </div>
    )}
    {query.isPending && (loading ?? <SectionLoading />)}
  </>
);

interface ListSummaryProps {
  readonly text: string;
  readonly list: Pick<UseInfiniteQueryResult, 'isRefetching' | 'refetch'>;
  /** Receives the focus when a link in a row sets a filter. */
  readonly textRef?: RefObject<HTMLParagraphElement | null>;
}

export const ListSummary = ({ text, list, textRef }: ListSummaryProps) => {
  const t = useTranslations('lists');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <p ref={textRef} tabIndex={-1} role="status" className="font-medium outline-none">
        {text}
      </p>
      <Button variant="secondary" busy={list.isRefetching} onClick={() => void list.refetch()}>
        {t('reload')}
      </Button>
    </div>
  );
};

interface ListFooterProps {
  readonly text: string;
  readonly list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

export const ListFooter = ({ text, list }: ListFooterProps) => {
  const t = useTranslations('lists');
  return (
    <>
      <p role="status" className="text-soft">
        {text}
      </p>
      {list.hasNextPage && (
        <Button variant="secondary" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
};

interface EmptyListProps {
  readonly text: string;
  /** The button that clears the filters; absent when none is set. */
  readonly clear?: { readonly label?: string; readonly onClear: () => void } | undefined;
}

export const EmptyList = ({ text, clear }: EmptyListProps) => {
  const t = useTranslations('lists');
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="wrap-anywhere text-soft">{text}</p>
      {clear !== undefined && (
        <Button variant="secondary" onClick={clear.onClear}>
          {clear.label ?? t('clear')}
        </Button>
      )}
    </div>
  );
};

/** Why the person lacks a scope. */
export const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <ul className="list-disc space-y-1 ps-5">
    {reasons.map((reason) => (
      <li key={reason}>{reason}</li>
    ))}
  </ul>
);

/** The content of a section whose query has failed or has not ended. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { RetryNotice, type RetryNoticeProps } from './notice.tsx';
import { SectionLoading } from './section.tsx';

interface QueryStateProps {
  readonly query: Pick<UseQueryResult, 'isError' | 'isPending' | 'isFetching' | 'error' | 'refetch'>;
  readonly loading?: ReactNode;
  /** Shows the failure. */
  readonly problem?: ComponentType<RetryNoticeProps> | undefined;
}

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

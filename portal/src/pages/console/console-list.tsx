/** A searchable list of the console: the search in the URL, the total, the rows, and the button for more. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { SearchField } from '../../components/filters.tsx';
import { EmptyList, ListFooter, ListSummary, QueryState } from '../../components/list.tsx';
import { uniqueBy } from '../../session/paged-query.ts';
import { ConsoleQueryProblem } from './scope-gate.tsx';

interface ConsolePage<Row> {
  readonly totalCount: number;
  readonly totalCountIsCapped: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Row[];
}

type ListQuery<Row> = UseInfiniteQueryResult<InfiniteData<ConsolePage<Row>>>;

interface ConsoleListProps<Row> {
  readonly list: ListQuery<Row>;
  readonly keyOf: (row: Row) => string;
  readonly total: (total: number) => string;
  readonly moreThan: (total: number) => string;
  /** Text of the empty list, and what clears the filters that made it empty. */
  readonly none: string;
  readonly onClear?: (() => void) | undefined;
  readonly children: (rows: readonly Row[], isBusy: boolean) => ReactNode;
}

export const ConsoleList = <Row,>({ list, keyOf, total, moreThan, none, onClear, children }: ConsoleListProps<Row>) => {
  const pages = list.data?.pages;
  const last = pages?.at(-1);
  const rows = uniqueBy(pages?.flatMap(({ nodes }) => nodes) ?? [], keyOf);
  return (
    <>
      <QueryState query={list} problem={ConsoleQueryProblem} />
      {last !== undefined && (
        <>
          <ListSummary
            text={last.totalCountIsCapped ? moreThan(last.totalCount) : total(last.totalCount)}
            list={list}
          />
          {rows.length === 0 ? (
            <EmptyList text={none} clear={onClear === undefined ? undefined : { onClear }} />
          ) : (
            children(rows, list.isPlaceholderData)
          )}
          {list.hasNextPage && <MoreRows shown={rows.length} last={last} list={list} />}
        </>
      )}
    </>
  );
};

interface MoreRowsProps<Row> {
  readonly shown: number;
  readonly last: ConsolePage<Row>;
  readonly list: ListQuery<Row>;
}

const MoreRows = <Row,>({ shown, last, list }: MoreRowsProps<Row>) => {
  const t = useTranslations('console.list');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line px-5 py-4 sm:px-6">
      <ListFooter
        text={t(last.totalCountIsCapped ? 'shownOfMoreThan' : 'shownOf', { shown, total: last.totalCount })}
        list={list}
      />
    </div>
  );
};

/** The text in the URL's parameter `search`; empty without one. */
export const useConsoleSearch = (): string => useSearch({ strict: false }).search ?? '';

interface SearchableListProps<Row> extends Omit<ConsoleListProps<Row>, 'none' | 'onClear'> {
  readonly label: string;
}

/** A list with one search field, whose text is the parameter `search` of the URL. */
export const SearchableList = <Row,>({ label, ...props }: SearchableListProps<Row>) => {
  const none = useTranslations('console.list')('none');
  const search = useConsoleSearch();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const change = (next: string): void =>
    void navigate({ to: '.', search: next === '' ? {} : { search: next }, replace: true, resetScroll: false });
  const clear = (): void => {
    change('');
    // The focused button is unmounted.
    field.current?.focus();
  };
  return (
    <div className="rounded-card border border-line bg-surface">
      <div className="border-b border-line px-5 py-4 sm:px-6">
        <SearchField label={label} search={search} field={field} onSearch={change} />
      </div>
      <ConsoleList {...props} none={none} onClear={search === '' ? undefined : clear} />
    </div>
  );
};

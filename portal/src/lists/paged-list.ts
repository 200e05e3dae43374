/** A list that is fetched page by page: its query, which keeps the rows while a filter changes, and its rows so far. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { withRefreshOnForbidden } from '../session/refresh-on-forbidden.ts';
import type { Session } from '../session/session.ts';

/** A page of a list, as in every connection of the API. */
interface ListPage {
  readonly nodes: readonly unknown[];
  readonly totalCount: number;
  /** Whether there are more than `totalCount`; absent where the list does not ask. */
  readonly totalCountIsCapped?: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

type RowOf<Page extends ListPage> = Page['nodes'][number];

const firstPage = '';

/** @param fetchPage fetches the rows after a cursor, or the first ones */
export const pagedQuery = <Page extends ListPage>(
  session: Session,
  queryKey: readonly unknown[],
  fetchPage: (after: string | null) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      withRefreshOnForbidden(session, () => fetchPage(pageParam === firstPage ? null : pageParam)),
    initialPageParam: firstPage,
    getNextPageParam: ({ pageInfo }: ListPage) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

interface MergedPages<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Whether there are more than `total`. */
  readonly isCapped: boolean;
}

/**
 * Merges the pages fetched so far. They are fetched one after the other, so a node may be in two of them; the newer one
 * wins.
 * @internal A test covers the cases that no request reaches.
 */
export const mergePages = <Page extends ListPage>(
  pages: readonly Page[] | undefined,
  keyOf: (node: RowOf<Page>) => unknown,
): MergedPages<RowOf<Page>> | undefined => {
  const newest = pages?.at(-1);
  if (pages === undefined || newest === undefined) return undefined;
  const nodes = pages.flatMap((page): readonly RowOf<Page>[] => page.nodes);
  return {
    rows: [...new Map(nodes.map((node) => [keyOf(node), node])).values()],
    total: newest.totalCount,
    isCapped: newest.totalCountIsCapped === true,
  };
};

export interface PagedList<Row> extends MergedPages<Row> {
  readonly query: UseInfiniteQueryResult;
  /** False where the filter is one that nothing can match: nothing is asked, and there are no rows. */
  readonly isAsked: boolean;
  /** Whether the rows are known. */
  readonly isLoaded: boolean;
}

const nothing = { rows: [], total: 0, isCapped: false } as const;

/**
 * @param key the field of a row that no other row has
 * @param isAsked false for a filter that nothing can match
 */
export const usePagedList = <Page extends ListPage>(
  options: ReturnType<typeof pagedQuery<Page>>,
  key: keyof RowOf<Page>,
  isAsked = true,
): PagedList<RowOf<Page>> & { readonly newest: Page | undefined } => {
  const query = useInfiniteQuery({ ...options, enabled: isAsked });
  const pages = isAsked ? query.data?.pages : undefined;
  const merged = useMemo(() => mergePages(pages, (row) => row[key]), [pages, key]);
  return { query, isAsked, isLoaded: merged !== undefined || !isAsked, newest: pages?.at(-1), ...(merged ?? nothing) };
};

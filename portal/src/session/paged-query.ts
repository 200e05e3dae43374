/** Queries of lists that are fetched page by page, and keep their data while a filter changes. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { refreshOnForbidden } from './refusal.ts';
import type { Session } from './session.ts';

/** A page of a list, as in every connection of the API. */
interface Page {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const firstPage = '';

export const pagedQuery = <Fetched extends Page>(
  session: Session,
  queryKey: readonly unknown[],
  fetchPage: (after: string | null) => Promise<Fetched>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      withRefreshOnForbidden(session, () => fetchPage(pageParam === firstPage ? null : pageParam)),
    initialPageParam: firstPage,
    getNextPageParam: ({ pageInfo }: Page) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

/** Refreshes the person when the request is forbidden, because their scopes may have changed. */
export const withRefreshOnForbidden = async <Result>(
  session: Session,
  request: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await request();
  } catch (error) {
    await refreshOnForbidden(session, error);
    throw error;
  }
};

/** Pages are fetched one after the other, so a node may be in two of them; the newer one wins. */
export const uniqueBy = <Node>(nodes: readonly Node[], keyOf: (node: Node) => string): readonly Node[] => [
  ...new Map(nodes.map((node) => [keyOf(node), node])).values(),
];

/** Invented answers of the API, for states of pages that take much to bring about. */

/** An id, the same for the same number. */
export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const day = 86_400_000;

export const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

export const answering = (data: unknown) => ({
  status: 200,
  headers: { 'content-type': 'application/graphql-response+json' },
  body: JSON.stringify({ data }),
});

/** The first page of a list; others follow where the count is higher. */
export const listing = (field: string, nodes: readonly unknown[], totalCount = nodes.length) =>
  answering({ [field]: { nodes, totalCount, pageInfo: { hasNextPage: totalCount > nodes.length, endCursor: 'x' } } });

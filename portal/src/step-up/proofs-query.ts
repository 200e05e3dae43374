/** The query for what the person can prove themself with, and for how this session did. */
import { queryOptions } from '@tanstack/react-query';
import { FetchProofsDocument } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';

/** Never from the cache: another tab may have added or removed a factor. */
export const proofsQuery = (session: Session) =>
  queryOptions({
    queryKey: ['proofs'],
    queryFn: () => session.send(FetchProofsDocument, {}),
    staleTime: 0,
    gcTime: 0,
  });

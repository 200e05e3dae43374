/** Tokens of machines as data: the person's own, and their scopes in words. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { applicationQuery } from '../access/roles.ts';
import { useScopeWords } from '../access/scope-words.ts';
import { FetchMyTokensDocument, type TokenFieldsFragment } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';

export type Token = TokenFieldsFragment;

/** All queries of tokens, of service accounts and of the policy. */
export const allTokens = { queryKey: ['tokens'] } as const;

export const myTokensQuery = (session: Session) =>
  queryOptions({
    queryKey: [...allTokens.queryKey, 'own'],
    queryFn: async () => (await session.request(FetchMyTokensDocument, {})).myTokens,
  });

/** Whether it is expired or revoked: nothing can be done with it any more. */
export const isEnded = ({ status }: Pick<Token, 'status'>): boolean => status === 'EXPIRED' || status === 'REVOKED';

/** @returns the words for a scope; undefined until they are known, and for a scope that no longer exists */
export const useWordsOfScopes = (): ((scope: string) => string | undefined) => {
  const application = useQuery(applicationQuery(useSession()));
  return useScopeWords(application.data?.scopes ?? []).wordsOf;
};

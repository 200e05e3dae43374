/** Scopes of a token or a client in words, on one line. */
import { ScopeName } from '../access/scope-name.tsx';
import { useWordsOfScopes } from './tokens.ts';

export const ScopesInWords = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const wordsOf = useWordsOfScopes();
  return scopes.map((scope, at) => (
    <span key={scope}>
      {at > 0 && ' · '}
      <ScopeName scope={scope} words={wordsOf(scope)} />
    </span>
  ));
};

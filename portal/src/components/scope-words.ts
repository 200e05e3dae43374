/** Scopes in words: the portal's for built-in ones, those of the definition for all others. */
import { useTranslations } from 'use-intl';
import { plan } from '../messages/plan.ts';

interface Scope {
  readonly name: string;
  readonly words: string;
}

interface ScopeWords {
  /** Undefined for a scope that the application does not have. */
  readonly wordsOf: (scope: string) => string | undefined;
  readonly isBuiltIn: (scope: string) => boolean;
}

type BuiltInScope = keyof typeof plan.scopes;

const isBuiltIn = (scope: string): scope is BuiltInScope => Object.hasOwn(plan.scopes, scope);

/** @param scopes of the application */
export const useScopeWords = (scopes: readonly Scope[]): ScopeWords => {
  const t = useTranslations('plan.scopes');
  const words = new Map(scopes.map((scope) => [scope.name, scope.words]));
  return { wordsOf: (scope) => (isBuiltIn(scope) ? t(scope) : words.get(scope)), isBuiltIn };
};

/** Scopes in words: the portal's for built-in ones, those of the definition for all others. */
import { useTranslations } from 'use-intl';
import type { Messages } from '../languages/messages.ts';

interface Scope {
  readonly name: string;
  readonly words: string;
}

interface ScopeWords {
  /** Undefined for a scope that the application does not have. */
  readonly wordsOf: (scope: string) => string | undefined;
  readonly isBuiltIn: (scope: string) => boolean;
}

const builtInScopes = {
  MEMBERS_VIEW: true,
  MEMBERS_INVITE: true,
  MEMBERS_UPDATE: true,
  MEMBERS_REMOVE: true,
  ORGANIZATION_UPDATE: true,
  BILLING_MANAGE: true,
  TOKENS_MANAGE: true,
  MCP_MANAGE: true,
  AUDIT_VIEW: true,
} as const satisfies Readonly<Record<keyof Messages['plan']['scopes'], true>>;

const isBuiltIn = (scope: string): scope is keyof typeof builtInScopes => Object.hasOwn(builtInScopes, scope);

/** @param scopes of the application */
export const useScopeWords = (scopes: readonly Scope[]): ScopeWords => {
  const t = useTranslations('plan.scopes');
  const words = new Map(scopes.map((scope) => [scope.name, scope.words]));
  return { wordsOf: (scope) => (isBuiltIn(scope) ? t(scope) : words.get(scope)), isBuiltIn };
};

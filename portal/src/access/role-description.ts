/** Owns the words for a role's permissions: the portal's for a built-in role, and those of its defined scopes. */
import { useTranslations } from 'use-intl';
import type { ApplicationInfo } from './roles.ts';
import { useScopeWords } from './scope-words.ts';

const describedRoles = ['MEMBER', 'ADMIN', 'OWNER'] as const;

const isDescribed = (role: string): role is (typeof describedRoles)[number] =>
  describedRoles.some((known) => known === role);

/** A role can have hundreds of scopes. */
const shownScopes = 6;

export const useRoleDescription = ({ roles, scopes }: ApplicationInfo): ((role: string) => string) => {
  const t = useTranslations('invite');
  const { wordsOf, isBuiltIn } = useScopeWords(scopes);
  const inWords = (held: readonly string[]): string | undefined => {
    const words = held.slice(0, shownScopes).map((scope) => wordsOf(scope) ?? scope);
    const [count, scopesInWords] = [held.length - words.length, words.join(' · ')];
    if (count > 0) return t('moreScopes', { scopes: scopesInWords, count });
    return words.length === 0 ? undefined : scopesInWords;
  };
  return (name) => {
    // An owner may do everything, by the portal's own words.
    if (name === 'OWNER') return t('roles.OWNER');
    const held = roles.find((role) => role.name === name)?.scopes ?? [];
    if (!isDescribed(name)) return inWords(held) ?? t('noScopes');
    const text = t(`roles.${name}`);
    const also = inWords(held.filter((scope) => !isBuiltIn(scope)));
    return also === undefined ? text : t('alsoScopes', { text, scopes: also });
  };
};

/** What a role may do, in words: the portal's for a built-in role, and those of its defined scopes. */
import { useTranslations } from 'use-intl';
import { useScopeWords } from '../../components/scope-words.ts';
import { invite } from '../../messages/members.ts';
import type { ApplicationFacts } from './roles.ts';

type DescribedRole = keyof typeof invite.roles;

const isDescribed = (role: string): role is DescribedRole => Object.hasOwn(invite.roles, role);

/** A role can have hundreds of scopes. */
const shownScopes = 6;

export const useRoleDescription = ({ roles, scopes }: ApplicationFacts): ((role: string) => string) => {
  const t = useTranslations('invite');
  const { wordsOf, isBuiltIn } = useScopeWords(scopes);
  return (name) => {
    // An owner may do everything, by the portal's own words.
    if (name === 'OWNER') return t('roles.OWNER');
    const held = roles.find((role) => role.name === name)?.scopes ?? [];
    const listed = isDescribed(name) ? held.filter((scope) => !isBuiltIn(scope)) : held;
    const own = isDescribed(name) ? [t(`roles.${name}`)] : [];
    const words = [...own, ...listed.slice(0, shownScopes).map((scope) => wordsOf(scope) ?? scope)].join(' · ');
    const count = listed.length - shownScopes;
    if (count > 0) return t('moreScopes', { scopes: words, count });
    return words === '' ? t('noScopes') : words;
  };
};

/** A scope in words. One that an adopter has added has none here and is shown by its own name. */
import { useTranslations } from 'use-intl';

const inWords = [
  'MEMBERS_VIEW',
  'MEMBERS_INVITE',
  'MEMBERS_UPDATE',
  'MEMBERS_REMOVE',
  'ORGANIZATION_UPDATE',
  'BILLING_MANAGE',
] as const;

export const ScopeName = ({ scope }: { readonly scope: string }) => {
  const t = useTranslations('plan.scopes');
  const known = inWords.find((name) => name === scope);
  if (known === undefined) return <code className="font-mono text-[0.9em] wrap-anywhere">{scope}</code>;
  return <span title={scope}>{t(known)}</span>;
};

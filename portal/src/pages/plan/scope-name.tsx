/** A scope in words. One that an adopter has added has none here and is shown by its own name. */
import { useTranslations } from 'use-intl';
import { plan } from '../../messages/plan.ts';

const isInWords = (scope: string): scope is keyof typeof plan.scopes => Object.hasOwn(plan.scopes, scope);

export const ScopeName = ({ scope }: { readonly scope: string }) => {
  const t = useTranslations('plan.scopes');
  if (!isInWords(scope)) return <code className="font-mono text-[0.9em] wrap-anywhere">{scope}</code>;
  return <span title={scope}>{t(scope)}</span>;
};

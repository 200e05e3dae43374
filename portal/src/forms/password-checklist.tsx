/** The password rules beside the field, ticked off while the person types. */
import { useTranslations } from 'use-intl';
import { Icon } from '../components/icon.tsx';
import { isMet, listedRules } from './password-rules.ts';

export const PasswordChecklist = ({ id, password }: { readonly id: string; readonly password: string }) => {
  const t = useTranslations('passwordRules');
  return (
    <ul id={id} aria-label={t('label')} className="grid gap-x-4 gap-y-1 text-sm text-soft sm:grid-cols-2">
      {listedRules.map((rule) => {
        const met = isMet(rule, password);
        return (
          <li key={rule} className={`flex items-center gap-1.5 ${met ? 'text-accent' : ''}`}>
            {met ? <Icon name="check" className="size-4.5" /> : <Icon name="circle" className="size-4.5" />}
            <span className={rule === 'symbol' ? 'whitespace-nowrap' : undefined}>
              {t(rule, { characters: '@ . # $ ! % * ? &' })}
            </span>
            <span className="sr-only">({met ? t('met') : t('notMet')})</span>
          </li>
        );
      })}
    </ul>
  );
};

/** The field where a password is chosen, with the rules that it has to meet. */
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { FieldProps } from './field.tsx';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';

interface NewPasswordFieldProps extends Omit<FieldProps, 'label' | 'type' | 'adornment' | 'describedBy'> {
  /** What has been typed so far, for the list of rules. */
  readonly typed: string;
}

export const NewPasswordField = ({ typed, ...input }: NewPasswordFieldProps) => {
  const t = useTranslations('fields');
  const rulesId = useId();
  return (
    <div className="space-y-3">
      <PasswordField {...input} label={t('password')} autoComplete="new-password" describedBy={rulesId} />
      <PasswordChecklist id={rulesId} password={typed} />
    </div>
  );
};

/** Password fields: one that can show what was typed, and one for a new password with the checklist of rules. */
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/icon.tsx';
import { Field, type FieldProps } from './field.tsx';
import { isMet, listedRules } from './password-rules.ts';

export const PasswordField = (props: Omit<FieldProps, 'type' | 'adornment'>) => {
  const t = useTranslations('fields');
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck="false"
      adornment={
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={t('showPassword')}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 end-1 grid w-10 place-items-center rounded-lg text-soft hover:text-ink"
        >
          {isShown ? <Icon name="eye-off" /> : <Icon name="eye" />}
        </button>
      }
    />
  );
};

/**
 * The rules of {@link listedRules} for password managers that make one.
 * @see https://developer.apple.com/password-rules/
 */
const passwordRules =
  'minlength: 8; maxlength: 40; required: upper; required: lower; required: digit; required: [@.#$!%*?&]; allowed: ascii-printable;';

interface NewPasswordFieldProps extends Omit<FieldProps, 'label' | 'type' | 'adornment' | 'describedBy'> {
  /** Default: the plain word for a password. */
  readonly label?: string;
  /** The current value, for the checklist. */
  readonly typed: string;
}

export const NewPasswordField = ({ typed, label, ...input }: NewPasswordFieldProps) => {
  const t = useTranslations('fields');
  const rulesId = useId();
  return (
    <div className="space-y-3">
      <PasswordField
        {...input}
        label={label ?? t('password')}
        autoComplete="new-password"
        passwordrules={passwordRules}
        describedBy={rulesId}
      />
      <PasswordChecklist id={rulesId} password={typed} />
    </div>
  );
};

const PasswordChecklist = ({ id, password }: { readonly id: string; readonly password: string }) => {
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

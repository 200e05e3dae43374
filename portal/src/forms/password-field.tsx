/** A password input that can show what was typed. */
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/icon.tsx';
import { Field, type FieldProps } from './field.tsx';

export const PasswordField = (props: Omit<FieldProps, 'type' | 'adornment'>) => {
  const t = useTranslations('fields');
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      adornment={
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={t('showPassword')}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 right-1 grid w-10 place-items-center rounded-lg text-soft hover:text-ink"
        >
          {isShown ? <Icon name="eye-off" /> : <Icon name="eye" />}
        </button>
      }
    />
  );
};

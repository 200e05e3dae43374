/** Owns the checks of a form before it is sent: one rule for each kind of field. The server decides. */
import type { useTranslations } from 'use-intl';
import { isEmailShaped } from './email-shape.ts';
import { brokenRules } from './password-rules.ts';

type FieldMessages = ReturnType<typeof useTranslations<'fields'>>;

export interface FieldRule {
  /** Whether white space at the ends belongs to the value, as in a password. */
  readonly isVerbatim?: boolean;
  /** The problem of a value; undefined where it has none. */
  readonly check: (value: string) => string | undefined;
}

export const nameRule = (t: FieldMessages): FieldRule => ({
  check: (name) => (name === '' ? t('nameMissing') : undefined),
});

export const emailRule = (t: FieldMessages, missing: string = t('emailMissing')): FieldRule => ({
  check: (email) => {
    if (email === '') return missing;
    return isEmailShaped(email) ? undefined : t('emailShape');
  },
});

/** A password that the person already has. */
export const currentPasswordRule = (t: FieldMessages): FieldRule => ({
  isVerbatim: true,
  check: (password) => (password === '' ? t('passwordMissing') : undefined),
});

export const newPasswordRule = (t: FieldMessages): FieldRule => ({
  isVerbatim: true,
  check: (password) => {
    const broken = brokenRules(password);
    if (broken.length === 0) return undefined;
    if (password === '') return t('passwordMissing');
    return broken.every((rule) => rule === 'bytes') ? t('passwordTooManyBytes') : t('passwordTooWeak');
  },
});

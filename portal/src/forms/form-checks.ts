/** Client-side validation: the checks of each form. The server decides. */
import { useEffect, useEffectEvent } from 'react';
import type { FieldErrors, FieldValues, Path, Resolver, UseFormReturn, UseFormSetError } from 'react-hook-form';
import type { useTranslations } from 'use-intl';
import type { Role } from '../generated/graphql.ts';
import { hasCode } from '../session/refusal.ts';
import { isEmailShaped } from './email-shape.ts';
import { brokenRules } from './password-rules.ts';

type FieldMessages = ReturnType<typeof useTranslations<'fields'>>;

interface Check {
  /** Whether white space at the ends is removed; not that of a password. */
  readonly isTrimmed: boolean;
  /** What is wrong with the value; undefined when nothing is. */
  readonly problem: (value: string) => string | undefined;
}

const email = (t: FieldMessages, missing: string = t('emailMissing')): Check => ({
  isTrimmed: true,
  problem: (typed) => {
    if (typed === '') return missing;
    return isEmailShaped(typed) ? undefined : t('emailShape');
  },
});

const name = (t: FieldMessages): Check => ({
  isTrimmed: true,
  problem: (typed) => (typed === '' ? t('nameMissing') : undefined),
});

const newPassword = (t: FieldMessages): Check => ({
  isTrimmed: false,
  problem: (password) => (brokenRules(password).length === 0 ? undefined : passwordProblem(t, password)),
});

const presentPassword = (t: FieldMessages): Check => ({
  isTrimmed: false,
  problem: (password) => (password === '' ? t('passwordMissing') : undefined),
});

const passwordProblem = (t: FieldMessages, password: string): string => {
  if (password === '') return t('passwordMissing');
  return brokenRules(password).every((rule) => rule === 'bytes') ? t('passwordTooManyBytes') : t('passwordTooWeak');
};

/** The type of a problem that a check has found, in contrast to one of the server. */
const checked = 'checked';

type Checks<Values> = Readonly<Partial<Record<keyof Values, Check>>>;

/** @returns the form with checked values, trimmed where they are, or the problem of each field that has one */
const checkedBy =
  <Values extends FieldValues>(checks: Checks<Values>): Resolver<Values> =>
  (values, _, { fields }) => {
    const read: Values = { ...values };
    const errors: FieldErrors = {};
    for (const [field, value] of Object.entries(values)) {
      const check = checks[field];
      if (check === undefined || typeof value !== 'string') continue;
      const typed = check.isTrimmed ? value.trim() : value;
      const message = check.problem(typed);
      Object.assign(read, { [field]: typed });
      const ref = Reflect.get(fields, field)?.ref;
      if (message !== undefined) errors[field] = { type: checked, message, ...(ref && { ref }) };
    }
    return Object.keys(errors).length === 0 ? { values: read, errors: {} } : { values: {}, errors: Object(errors) };
  };

interface PasswordValues {
  readonly currentPassword: string;
  readonly newPassword: string;
}

export const signUpChecks = (t: FieldMessages) =>
  checkedBy<{ name: string; email: string; password: string }>({
    name: name(t),
    email: email(t),
    password: newPassword(t),
  });

/** For a person who knows the password that they replace. */
export const changePasswordChecks = (t: FieldMessages) =>
  checkedBy<PasswordValues>({ currentPassword: presentPassword(t), newPassword: newPassword(t) });

/** For a person who has no password yet. */
export const firstPasswordChecks = (t: FieldMessages) => checkedBy<PasswordValues>({ newPassword: newPassword(t) });

/** For an invited person, whose e-mail address is known. */
export const profileChecks = (t: FieldMessages) =>
  checkedBy<{ name: string; password: string }>({ name: name(t), password: newPassword(t) });

export const inviteChecks = (t: FieldMessages) =>
  checkedBy<{ email: string; role: Role }>({ email: email(t, t('inviteeEmailMissing')) });

/** Words the problems that a form shows again, when the language has changed. Those of the server stay. */
export const useProblemsInLanguage = <Values extends FieldValues>(
  { trigger, formState: { errors } }: UseFormReturn<Values>,
  names: readonly Path<Values>[],
  resolver: Resolver<Values>,
): void => {
  const shown = names.filter((name) => Reflect.get(errors, name)?.type === checked);
  const latest = useEffectEvent(() => void (shown.length > 0 && trigger(shown)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new resolver means new words
  useEffect(() => latest(), [resolver]);
};

/** Shows the server's validation messages at their fields. @returns whether every message has a field */
export const setFieldErrors = <Values extends FieldValues>(
  error: unknown,
  names: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): boolean => {
  if (!hasCode(error, 'BAD_USER_INPUT')) return false;
  const reasons = Object.entries(error.fields);
  const known = names.filter((name) => name in error.fields);
  for (const [position, name] of known.entries()) {
    setError(name, { message: error.fields[name] ?? '' }, { shouldFocus: position === 0 });
  }
  return reasons.length > 0 && known.length === reasons.length;
};

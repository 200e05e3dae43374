/** Client-side validation: the schema of each form. The server decides. */
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import type { useTranslations } from 'use-intl';
import * as z from 'zod/mini';
import type { Role } from '../generated/graphql.ts';
import { hasCode } from '../session/refusal.ts';
import { isEmailShaped } from './email-shape.ts';
import { brokenRules } from './password-rules.ts';

// Zod would otherwise try `new Function`, which is reported as a CSP violation even though zod catches it.
z.config({ jitless: true });

type FieldMessages = ReturnType<typeof useTranslations<'fields'>>;

const email = (t: FieldMessages, missing: string = t('emailMissing')) =>
  z.string().check(
    z.trim(),
    z.minLength(1, missing),
    z.refine((typed) => typed === '' || isEmailShaped(typed), t('emailShape')),
  );

const name = (t: FieldMessages) => z.string().check(z.trim(), z.minLength(1, t('nameMissing')));

const newPassword = (t: FieldMessages) =>
  z.string().check(
    z.refine((password) => brokenRules(password).length === 0, {
      error: ({ input }) => passwordProblem(t, typeof input === 'string' ? input : ''),
    }),
  );

export const signUpSchema = (t: FieldMessages) =>
  z.object({ name: name(t), email: email(t), password: newPassword(t) });

/** For a person who knows the password that they replace. */
export const changePasswordSchema = (t: FieldMessages) =>
  z.object({
    currentPassword: z.string().check(z.minLength(1, t('passwordMissing'))),
    newPassword: newPassword(t),
  });

/** For a person who has no password yet. */
export const firstPasswordSchema = (t: FieldMessages) =>
  z.object({ currentPassword: z.string(), newPassword: newPassword(t) });

/** For an invited person, whose e-mail address is known. */
export const profileSchema = (t: FieldMessages) => z.object({ name: name(t), password: newPassword(t) });

export const inviteSchema = (t: FieldMessages) =>
  z.object({ email: email(t, t('inviteeEmailMissing')), role: z.custom<Role>((role) => typeof role === 'string') });

const passwordProblem = (t: FieldMessages, password: string): string => {
  if (password === '') return t('passwordMissing');
  return brokenRules(password).every((rule) => rule === 'bytes') ? t('passwordTooManyBytes') : t('passwordTooWeak');
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

/** Client-side validation: the schema of each form, and the password rules of the specification. The server decides. */
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import type { useTranslations } from 'use-intl';
import * as z from 'zod/mini';
import type { Role } from '../generated/graphql.ts';
import { hasCode } from '../session/refusal.ts';

// Zod would otherwise try `new Function`, which is reported as a CSP violation even though zod catches it.
z.config({ jitless: true });

type FieldMessages = ReturnType<typeof useTranslations<'fields'>>;

const email = (t: FieldMessages, missing: string = t('emailMissing')) =>
  z.string().check(z.trim(), z.minLength(1, missing), z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$|^$/, t('emailShape')));

export const signInSchema = (t: FieldMessages) =>
  z.object({ email: email(t), password: z.string().check(z.minLength(1, t('passwordMissing'))) });

/** For an existing password, when the e-mail address is known. */
export const existingPasswordSchema = (t: FieldMessages) =>
  z.object({ password: z.string().check(z.minLength(1, t('passwordMissing'))) });

const name = (t: FieldMessages) => z.string().check(z.trim(), z.minLength(1, t('nameMissing')));

const newPassword = (t: FieldMessages) =>
  z.string().check(
    z.refine((password) => brokenRules(password).length === 0, {
      error: ({ input }) => passwordProblem(t, typeof input === 'string' ? input : ''),
    }),
  );

export const signUpSchema = (t: FieldMessages) =>
  z.object({ name: name(t), email: email(t), password: newPassword(t) });

/** For an invited person, whose e-mail address is known. */
export const profileSchema = (t: FieldMessages) => z.object({ name: name(t), password: newPassword(t) });

export const inviteSchema = (t: FieldMessages) =>
  z.object({ email: email(t, t('inviteeEmailMissing')), role: z.custom<Role>((role) => typeof role === 'string') });

export const organizationSchema = (t: FieldMessages) =>
  z.object({ name: z.string().check(z.trim(), z.minLength(1, t('organizationNameMissing'))) });

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

type PasswordRule = 'length' | 'upperCase' | 'lowerCase' | 'digit' | 'symbol' | 'bytes';

/** bcrypt ignores everything after byte 72, so a longer password would be weaker than it looks. */
const maxBytes = 72;

const rules: Readonly<Record<PasswordRule, (password: string) => boolean>> = {
  length: (password) => {
    // Counts code points; `length` would count an emoji as two.
    const characters = [...password].length;
    return characters >= 8 && characters <= 40;
  },
  upperCase: (password) => /\p{Lu}/u.test(password),
  lowerCase: (password) => /\p{Ll}/u.test(password),
  digit: (password) => /[0-9]/.test(password),
  symbol: (password) => /[@.#$!%*?&]/.test(password),
  bytes: (password) => new TextEncoder().encode(password).length <= maxBytes,
};

/** Rules listed from the start. The byte limit is shown only when it is exceeded. */
export const listedRules = ['length', 'upperCase', 'lowerCase', 'digit', 'symbol'] as const satisfies PasswordRule[];

export const isMet = (rule: PasswordRule, password: string): boolean => rules[rule](password);

export const brokenRules = (password: string): PasswordRule[] =>
  [...listedRules, 'bytes' as const].filter((rule) => !isMet(rule, password));

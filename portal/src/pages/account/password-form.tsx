/** Form that changes the person's password, by the current one, or sets the first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { FormButtons } from '../../forms/field.tsx';
import {
  changePasswordChecks,
  firstPasswordChecks,
  setFieldErrors,
  useProblemsInLanguage,
} from '../../forms/form-checks.ts';
import { NewPasswordField, PasswordField } from '../../forms/password-fields.tsx';
import { ChangePasswordDocument } from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { signInMethodsQuery } from './sign-in-methods.tsx';

interface PasswordFormProps {
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

interface PasswordValues {
  readonly currentPassword: string;
  readonly newPassword: string;
}

export const PasswordForm = ({ hasPassword, onClose }: PasswordFormProps) => {
  // As it was when the form was opened: a password that is set meanwhile changes no form under the person's hands.
  const [isFirst] = useState(!hasPassword);
  const t = useTranslations('ownAccount');
  const fields = useTranslations('fields');
  const session = useSession();
  const queries = useQueryClient();
  const resolver = useMemo(() => (isFirst ? firstPasswordChecks : changePasswordChecks)(fields), [fields, isFirst]);
  const form = useForm({ resolver, defaultValues: { currentPassword: '', newPassword: '' } });
  useProblemsInLanguage(form, ['currentPassword', 'newPassword'], resolver);
  const typed = useWatch({ control: form.control, name: 'newPassword' });
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: PasswordValues) =>
      session.request(ChangePasswordDocument, { input: isFirst ? { newPassword } : { currentPassword, newPassword } }),
    onSuccess: async () => {
      form.reset();
      await queries.invalidateQueries(signInMethodsQuery(session));
      if (isFirst) onClose();
    },
    onError: (error) => {
      if (hasCode(error, 'INVALID_CREDENTIALS'))
        form.setError('currentPassword', { message: t('wrongPassword') }, { shouldFocus: true });
      else setFieldErrors(error, ['currentPassword', 'newPassword'], form.setError);
    },
  });
  const { errors } = form.formState;
  const hasFieldProblem = errors.currentPassword !== undefined || errors.newPassword !== undefined;
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={form.handleSubmit((input) => change.mutate(input))}
    >
      <div role="status" className="empty:mb-0">
        {change.isSuccess && (
          <Notice tone="success">
            <p>{t('passwordChanged')}</p>
          </Notice>
        )}
      </div>
      {change.isError && !hasFieldProblem && <RefusalNotice error={change.error} />}
      {!isFirst && (
        <PasswordField
          {...form.register('currentPassword')}
          label={t('currentPassword')}
          autoComplete="current-password"
          problem={errors.currentPassword?.message}
        />
      )}
      <NewPasswordField
        {...form.register('newPassword')}
        label={t('newPassword')}
        typed={typed}
        problem={errors.newPassword?.message}
      />
      <p className="text-sm text-soft">{t('othersSignedOut')}</p>
      <FormButtons submit={t(isFirst ? 'setPassword' : 'savePassword')} busy={change.isPending} onClose={onClose} />
    </form>
  );
};

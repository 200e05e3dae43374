/** Form that changes the person's password, by the current one, or sets the first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { FormButtons } from '../../forms/field.tsx';
import { useForm } from '../../forms/form.ts';
import { currentPasswordRule, newPasswordRule } from '../../forms/form-rules.ts';
import { NewPasswordField, PasswordField } from '../../forms/password-fields.tsx';
import { ChangePasswordDocument } from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { useHasMachineTokens } from '../../tokens/has-machine-tokens.ts';
import { signInMethodsQuery } from './sign-in-methods.tsx';

interface PasswordFormProps {
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

interface PasswordValues {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** A field that the form does not show. */
const notAsked = { check: () => undefined };

export const PasswordForm = ({ hasPassword, onClose }: PasswordFormProps) => {
  // As it was when the form was opened: a password that is set meanwhile changes no form under the person's hands.
  const [isFirst] = useState(!hasPassword);
  const t = useTranslations('ownAccount');
  const fields = useTranslations('fields');
  const hasMachineTokens = useHasMachineTokens();
  const session = useSession();
  const queries = useQueryClient();
  const form = useForm({
    currentPassword: isFirst ? notAsked : currentPasswordRule(fields),
    newPassword: newPasswordRule(fields),
  });
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: PasswordValues) =>
      session.request(ChangePasswordDocument, { input: isFirst ? { newPassword } : { currentPassword, newPassword } }),
    onSuccess: async () => {
      form.clear();
      await queries.invalidateQueries(signInMethodsQuery(session));
      if (isFirst) onClose();
    },
    onError: (error) => {
      if (hasCode(error, 'INVALID_CREDENTIALS')) form.showProblem('currentPassword', t('wrongPassword'));
      else form.showRefusal(error);
    },
  });
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={form.onSubmit((read) =>
        change.mutate({ currentPassword: read('currentPassword'), newPassword: read('newPassword') }),
      )}
    >
      <div role="status" className="empty:mb-0">
        {change.isSuccess && (
          <Notice tone="success">
            <p>{t(hasMachineTokens ? 'passwordChangedNotTokens' : 'passwordChanged')}</p>
          </Notice>
        )}
      </div>
      {change.isError && !form.hasProblem && <RefusalNotice error={change.error} />}
      {!isFirst && (
        <PasswordField
          {...form.field('currentPassword')}
          label={t('currentPassword')}
          autoComplete="current-password"
        />
      )}
      <NewPasswordField {...form.field('newPassword')} label={t('newPassword')} typed={form.typed('newPassword')} />
      <p className="text-sm text-soft">{t(hasMachineTokens ? 'othersSignedOutNotTokens' : 'othersSignedOut')}</p>
      <FormButtons submit={t(isFirst ? 'setPassword' : 'savePassword')} busy={change.isPending} onClose={onClose} />
    </form>
  );
};

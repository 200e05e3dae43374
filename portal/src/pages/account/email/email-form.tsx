/** Form that requests another e-mail address for the account. */
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../../components/notice.tsx';
import { isEmailShaped } from '../../../forms/email-shape.ts';
import { EmailField, FormButtons } from '../../../forms/field.tsx';
import { useOneField } from '../../../forms/one-field.ts';
import { RequestEmailChangeDocument } from '../../../generated/graphql.ts';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';

interface EmailFormProps {
  readonly onClose: () => void;
  readonly onRequested: (newEmail: string) => void;
}

export const EmailForm = ({ onClose, onRequested }: EmailFormProps) => {
  const t = useTranslations('emailSection');
  const fields = useTranslations('fields');
  const session = useSession();
  const hintId = useId();
  const field = useOneField({
    missing: t('missing'),
    check: (typed) => (isEmailShaped(typed) ? undefined : fields('emailShape')),
  });
  const request = useMutation({
    mutationFn: async (newEmail: string) => {
      await session.request(RequestEmailChangeDocument, { newEmail });
      return newEmail;
    },
    onSuccess: onRequested,
    onError: (error) => field.showRefusal(error, 'newEmail'),
  });
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={field.onSubmit((newEmail) => request.mutate(newEmail))}
    >
      {request.isError && field.problem === undefined && <RequestProblem error={request.error} />}
      <div className="space-y-1.5">
        <EmailField
          {...field.input}
          label={t('newEmail')}
          autoComplete="email"
          autoFocus
          problem={field.problem}
          describedBy={hintId}
        />
        <p id={hintId} className="text-sm leading-relaxed text-soft">
          {t('hint')}
        </p>
      </div>
      <FormButtons submit={t('submit')} busy={request.isPending} onClose={onClose} />
    </form>
  );
};

const RequestProblem = ({ error }: { readonly error: Error }) => {
  const t = useTranslations('emailSection');
  if (!hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="warning">
      <p>{t('pending')}</p>
    </Notice>
  );
};

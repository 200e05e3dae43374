/** Sends the verification mail again. Needs no password, and gives the same answer for every address. */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { isEmailShaped } from '../../forms/email-shape.ts';
import { EmailField } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { ResendVerificationDocument } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';

const useSending = () => {
  const session = useSession();
  return useMutation({ mutationFn: (email: string) => session.request(ResendVerificationDocument, { email }) });
};

export const ResendButton = ({ email }: { readonly email: string }): ReactNode => {
  const t = useTranslations('resend');
  const sending = useSending();
  return (
    <>
      <Outcome isSent={sending.isSuccess} error={sending.error} />
      <Button variant="secondary" className="w-full" busy={sending.isPending} onClick={() => sending.mutate(email)}>
        {t('submit')}
      </Button>
    </>
  );
};

/** For a link that no longer says whose it was. */
export const ResendForm = ({ submit }: { readonly submit: string }): ReactNode => {
  const fields = useTranslations('fields');
  const sending = useSending();
  const { problem, input, onSubmit, showRefusal } = useOneField({
    missing: fields('emailMissing'),
    check: (typed) => (isEmailShaped(typed) ? undefined : fields('emailShape')),
  });
  const send = onSubmit((email) => sending.mutate(email, { onError: (error) => showRefusal(error, 'email') }));
  return (
    <form noValidate className="space-y-3" onSubmit={send}>
      <EmailField {...input} name="email" label={fields('email')} autoComplete="email" problem={problem} />
      <Outcome isSent={sending.isSuccess} error={problem === undefined ? sending.error : null} />
      <Button type="submit" variant="secondary" className="w-full" busy={sending.isPending}>
        {submit}
      </Button>
    </form>
  );
};

const Outcome = ({ isSent, error }: { readonly isSent: boolean; readonly error: Error | null }) => {
  const t = useTranslations('resend');
  return (
    <>
      <div role="status" className={isSent ? undefined : 'sr-only'}>
        {isSent && (
          <Notice tone="info">
            <p>{t('sent')}</p>
          </Notice>
        )}
      </div>
      {error !== null && <RefusalNotice error={error} />}
    </>
  );
};

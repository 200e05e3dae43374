/** The confirmation of an address where its password was not chosen last: by the password of the sign-up. */
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { PageHeading, PageLoading } from '../../components/page.tsx';
import { SubmitButton } from '../../components/submit-button.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { PasswordField } from '../../forms/password-fields.tsx';
import type { EmailValidationStatus } from '../../generated/graphql.ts';
import { useRedirectAfterSignIn } from '../../redirects/redirect-after-sign-in.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { confirmSignUp } from './verification-query.ts';

interface PasswordConfirmationProps {
  readonly token: string;
  readonly redirect: string | undefined;
  /** Whether the password that was chosen in this browser is not that of the account. */
  readonly isEarlierSignUp: boolean;
  /** Renders a link that became invalid while the password was typed. */
  readonly renderOutcome: (status: EmailValidationStatus) => ReactNode;
}

export const PasswordConfirmation = ({
  token,
  redirect,
  isEarlierSignUp,
  renderOutcome,
}: PasswordConfirmationProps) => {
  const t = useTranslations('verify');
  const session = useSession();
  const state = useSessionState();
  const confirmation = useMutation({
    mutationFn: ({ password }: { readonly password: string }) => confirmSignUp(session, { token, password }),
  });
  const isConfirmed = confirmation.data === 'VERIFIED';
  // A person signed in to another account is not redirected away from the link.
  const isRedirecting = useRedirectAfterSignIn(redirect, !isConfirmed);
  if (isRedirecting || isConfirmed) return <PageLoading />;
  if (confirmation.isSuccess) return renderOutcome(confirmation.data);
  return (
    <div className="space-y-6">
      <PageHeading title={t('title')} />
      {isEarlierSignUp && (
        <Notice tone="info" title={t('earlier.title')}>
          <p>{t('earlier.text')}</p>
        </Notice>
      )}
      <p className="leading-relaxed text-soft">{t(isEarlierSignUp ? 'earlier.lead' : 'byPassword.lead')}</p>
      {state.status === 'signedIn' && !confirmation.isPending && (
        <Notice tone="info">
          <p>{t('byPassword.replaces', { email: state.user.email })}</p>
        </Notice>
      )}
      <PasswordForm
        busy={confirmation.isPending}
        error={confirmation.error}
        onSubmit={(input) => confirmation.mutate(input)}
      />
      <p>
        <Link to="/verify/$token/reject" params={{ token }} className="text-link">
          {t(isEarlierSignUp ? 'earlier.anew' : 'byPassword.reject')}
        </Link>
      </p>
    </div>
  );
};

interface PasswordFormProps {
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (input: { readonly password: string }) => void;
}

const PasswordForm = ({ busy, error, onSubmit }: PasswordFormProps) => {
  const t = useTranslations('verify');
  const fields = useTranslations('fields');
  const {
    problem,
    input,
    onSubmit: submitting,
  } = useOneField({ missing: fields('passwordMissing'), isTrimmed: false });
  return (
    <form noValidate className="space-y-5" onSubmit={submitting((password) => onSubmit({ password }))}>
      {error !== null && problem === undefined && <ConfirmationProblem error={error} />}
      <PasswordField {...input} label={fields('password')} autoComplete="current-password" problem={problem} />
      <SubmitButton busy={busy}>{t('byPassword.submit')}</SubmitButton>
    </form>
  );
};

const ConfirmationProblem = ({ error }: { readonly error: Error }) => {
  const t = useTranslations('verify');
  if (!hasCode(error, 'INVALID_CREDENTIALS')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="error" title={t('byPassword.refusedTitle')}>
      <p>{t('byPassword.refused')}</p>
    </Notice>
  );
};

/** A verification link in a browser that did not sign up: the password that was chosen confirms the address and signs in. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { chosenPasswordSchema } from '../../forms/form-rules.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import type { EmailValidationStatus } from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { useArrival } from '../sign-in/arrival.ts';

interface PasswordConfirmationProps {
  readonly token: string;
  readonly redirect: string | undefined;
  /** The page for a link that ended while the password was typed. */
  readonly renderOutcome: (status: EmailValidationStatus) => ReactNode;
}

export const PasswordConfirmation = ({ token, redirect, renderOutcome }: PasswordConfirmationProps) => {
  const t = useTranslations('verify');
  const session = useSession();
  const state = useSessionState();
  const confirmation = useMutation({
    mutationFn: ({ password }: { readonly password: string }) => session.confirmSignUp({ token, password }),
  });
  const isConfirmed = confirmation.data === 'VERIFIED';
  // A person who opens the link while another account is signed in here is not led away from it.
  const isLeaving = useArrival(redirect, !isConfirmed);
  if (isLeaving || isConfirmed) return <Waiting />;
  if (confirmation.isSuccess) return renderOutcome(confirmation.data);
  return (
    <div className="space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('byPassword.lead')}</p>
      {state.kind === 'in' && !confirmation.isPending && (
        <Notice tone="news">
          <p>{t('byPassword.replaces', { email: state.person.email })}</p>
        </Notice>
      )}
      <PasswordForm
        busy={confirmation.isPending}
        error={confirmation.error}
        onSubmit={(input) => confirmation.mutate(input)}
      />
      <p>
        <Link to="/verify/$token/reject" params={{ token }} className="text-link">
          {t('byPassword.reject')}
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
  const words = useTranslations('fields');
  const schema = useMemo(() => chosenPasswordSchema(words), [words]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: '' } });
  const problem = form.formState.errors.password?.message;
  return (
    <form noValidate className="space-y-5" onSubmit={form.handleSubmit(onSubmit)}>
      {error !== null && problem === undefined && <ConfirmationProblem error={error} />}
      <PasswordField
        {...form.register('password')}
        label={words('password')}
        autoComplete="current-password"
        problem={problem}
      />
      <Button type="submit" className="min-h-12 w-full" busy={busy}>
        {t('byPassword.submit')}
      </Button>
    </form>
  );
};

const ConfirmationProblem = ({ error }: { readonly error: Error }) => {
  const t = useTranslations('verify');
  if (!hasCode(error, 'INVALID_CREDENTIALS')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="problem" title={t('byPassword.refusedTitle')}>
      <p>{t('byPassword.refused')}</p>
    </Notice>
  );
};

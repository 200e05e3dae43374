/** /signin: e-mail address and password, and what to do when they are refused. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { MailboxLink } from '../components/mailbox-link.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { RefusalNotice } from '../components/refusal-notice.tsx';
import { Waiting } from '../components/waiting.tsx';
import { PageWords, withOwnWords } from '../components/words.tsx';
import { signIn } from '../messages/sign-in.ts';
import { hasCode } from '../session/refusal.ts';
import { useSession, useSessionState } from '../session/session-context.tsx';
import type { Ending } from '../session/session-store.ts';
import { useArrival } from './arrival.ts';
import { showFieldProblems, signInSchema } from './form-rules.ts';

const route = getRouteApi('/entrance/signin');

const pageWords = withOwnWords({ signIn });

export const SignInPage = () => (
  <PageWords words={pageWords}>
    <SignIn />
  </PageWords>
);

const SignIn = () => {
  const t = useTranslations('signIn');
  const { redirect } = route.useSearch();
  const state = useSessionState();
  const isLeaving = useArrival(redirect);
  if (isLeaving) return <Waiting />;
  return (
    <div className="space-y-7">
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <SignInForm ending={state.kind === 'out' ? state.ending : undefined} redirect={redirect} />
      <p className="text-soft">
        {t('newHere')}{' '}
        <Link to="/signup" search={{ redirect }} className="text-link">
          {t('createAccount')}
        </Link>
      </p>
    </div>
  );
};

interface SignInFormProps {
  readonly ending: Ending | undefined;
  readonly redirect: string | undefined;
}

const SignInForm = ({ ending, redirect }: SignInFormProps) => {
  const t = useTranslations('signIn');
  const words = useTranslations('fields');
  const session = useSession();
  const schema = useMemo(() => signInSchema(words), [words]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: '', password: '' } });
  const attempt = useMutation({
    mutationFn: session.signIn,
    onError: (error) => {
      if (!showFieldProblems(error, ['email', 'password'], form.setError)) form.setFocus('password');
    },
  });
  const { errors } = form.formState;
  const hasFieldProblem = errors.email !== undefined || errors.password !== undefined;
  return (
    <form noValidate className="space-y-5" onSubmit={form.handleSubmit((input) => attempt.mutate(input))}>
      {attempt.isIdle && ending !== undefined && (
        <Notice tone="news">
          <p>{t(`endings.${ending}`)}</p>
        </Notice>
      )}
      {attempt.isError && !hasFieldProblem && <SignInProblem error={attempt.error} redirect={redirect} />}
      <Field
        {...form.register('email')}
        label={words('email')}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        problem={errors.email?.message}
      />
      <PasswordField
        {...form.register('password')}
        label={words('password')}
        autoComplete="current-password"
        problem={errors.password?.message}
      />
      <Button type="submit" className="min-h-12 w-full" busy={attempt.isPending || attempt.isSuccess}>
        {t('submit')}
      </Button>
    </form>
  );
};

const SignInProblem = ({ error, redirect }: { readonly error: unknown; readonly redirect: string | undefined }) => {
  const t = useTranslations('signIn');
  if (hasCode(error, 'INVALID_CREDENTIALS')) {
    return (
      <Notice tone="problem">
        <p>{t('refused')}</p>
      </Notice>
    );
  }
  if (!hasCode(error, 'EMAIL_NOT_VERIFIED')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="caution" title={t('notVerifiedTitle')}>
      <p>{t('notVerified')}</p>
      <p>
        <Link to="/signup" search={{ redirect }} className="text-link">
          {t('signUpAgain')}
        </Link>
      </p>
      <MailboxLink />
    </Notice>
  );
};

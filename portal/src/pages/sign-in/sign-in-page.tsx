/** /signin: password form, external provider, and the problems of either. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { MailboxLink } from '../../components/mailbox-link.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading, PageLoading, PageMessages, withPageMessages } from '../../components/page.tsx';
import { ProviderOrForm, useProviderName } from '../../components/provider-link.tsx';
import { EmailField } from '../../forms/field.tsx';
import { setFieldErrors, signInSchema } from '../../forms/form-schemas.ts';
import { PasswordField } from '../../forms/password-fields.tsx';
import { provider } from '../../messages/account-forms.ts';
import { external, signIn } from '../../messages/sign-in.ts';
import { hasCode, type Refusal } from '../../session/refusal.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { handoffProblem, isCompletingHandoff, type SessionState } from '../../session/session-store.ts';
import { useRedirectAfterSignIn } from './redirect-after-sign-in.ts';
import { isRelevantWhenSignedIn, SignedInProblem, useProviderLabel, VisitorProblem } from './sign-in-problem.tsx';

const route = getRouteApi('/public/signin');

const pageMessages = withPageMessages({ signIn, external, provider });

export const SignInPage = () => (
  <PageMessages messages={pageMessages}>
    <SignIn />
  </PageMessages>
);

const SignIn = () => {
  const { redirect, error, id } = route.useSearch();
  const state = useSessionState();
  const clearProblem = useClearProblem();
  const isRedirecting = useRedirectAfterSignIn(redirect, isRelevantWhenSignedIn(error));
  if (isRedirecting || isCompletingHandoff(state)) return <PageLoading />;
  if (state.kind === 'in' && isRelevantWhenSignedIn(error)) {
    return <SignedInProblem code={error} id={id} person={state.person} onContinue={clearProblem} />;
  }
  return <SignInView state={state} />;
};

/** Removes the problem of the last attempt from the URL. */
const useClearProblem = (): (() => void) => {
  const navigate = route.useNavigate();
  const { redirect, error } = route.useSearch();
  return () => {
    if (error !== undefined) void navigate({ search: { redirect }, replace: true });
  };
};

const SignInView = ({ state }: { readonly state: SessionState }) => {
  const t = useTranslations('signIn');
  const { redirect } = route.useSearch();
  const name = useProviderName();
  const problem = handoffProblem(state);
  return (
    <div className="space-y-7">
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        {problem === undefined ? (
          <p className="text-soft">{name === undefined ? t('lead') : t('leadWithProvider', { provider: name })}</p>
        ) : (
          <UnfinishedHandoff problem={problem} />
        )}
      </div>
      <SignInForm redirect={redirect} notice={<SignInNotice state={state} />} />
      <p className="text-soft">
        {t('newHere')}{' '}
        <Link to="/signup" search={{ redirect }} className="text-link">
          {t('createAccount')}
        </Link>
      </p>
    </div>
  );
};

/** Why the sign-in page is shown, when that is not obvious. */
const SignInNotice = ({ state }: { readonly state: SessionState }) => {
  const t = useTranslations('signIn');
  const { error, id } = route.useSearch();
  const confirmedEmail = useConfirmedEmail();
  if (error !== undefined) return <VisitorProblem code={error} id={id} />;
  if (confirmedEmail !== undefined) {
    return (
      <div role="status">
        <Notice tone="success">
          <p>{t('confirmed')}</p>
        </Notice>
      </div>
    );
  }
  if (state.kind !== 'out' || state.ending === undefined) return null;
  return (
    <Notice tone="info">
      <p>{t(`endings.${state.ending}`)}</p>
    </Notice>
  );
};

/** Set by the verification page. */
const useConfirmedEmail = (): string | undefined => useLocation({ select: ({ state }) => state.confirmedEmail });

const UnfinishedHandoff = ({ problem }: { readonly problem: Refusal }) => {
  const t = useTranslations('external');
  const name = useProviderLabel();
  const { open } = useSession();
  const retry = useMutation({ mutationFn: open });
  return (
    <>
      <p className="pb-3 text-soft">{t('unfinished', { provider: name })}</p>
      <RetryNotice error={problem} busy={retry.isPending} onRetry={() => retry.mutate()} />
    </>
  );
};

interface SignInFormProps {
  readonly redirect: string | undefined;
  /** Shown until the form is submitted. */
  readonly notice: ReactNode;
}

const SignInForm = ({ redirect, notice }: SignInFormProps) => {
  const t = useTranslations('signIn');
  const fields = useTranslations('fields');
  const session = useSession();
  const clearProblem = useClearProblem();
  const schema = useMemo(() => signInSchema(fields), [fields]);
  const email = useConfirmedEmail() ?? '';
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email, password: '' } });
  const attempt = useMutation({
    mutationFn: session.signIn,
    onMutate: clearProblem,
    onError: (error) => {
      if (!setFieldErrors(error, ['email', 'password'], form.setError)) form.setFocus('password');
    },
  });
  const { errors } = form.formState;
  const hasFieldProblem = errors.email !== undefined || errors.password !== undefined;
  return (
    <form noValidate className="space-y-5" onSubmit={form.handleSubmit((input) => attempt.mutate(input))}>
      {attempt.isIdle && notice}
      {attempt.isError && !hasFieldProblem && <SignInProblem error={attempt.error} redirect={redirect} />}
      <ProviderOrForm redirect={redirect} onLeave={clearProblem} />
      <EmailField
        {...form.register('email')}
        label={fields('email')}
        autoComplete="username"
        problem={errors.email?.message}
      />
      <PasswordField
        {...form.register('password')}
        label={fields('password')}
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
      <Notice tone="error">
        <p>{t('refused')}</p>
      </Notice>
    );
  }
  if (!hasCode(error, 'EMAIL_NOT_VERIFIED')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="warning" title={t('notVerifiedTitle')}>
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

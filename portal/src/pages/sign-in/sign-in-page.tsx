/** /signin: e-mail address and password or the outside provider, and what to do when they are refused. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { MailboxLink } from '../../components/mailbox-link.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading, PageWords, Waiting, withOwnWords } from '../../components/page.tsx';
import { ProviderOrForm, useProviderName } from '../../components/provider-link.tsx';
import { Field } from '../../forms/field.tsx';
import { showFieldProblems, signInSchema } from '../../forms/form-schemas.ts';
import { PasswordField } from '../../forms/password-fields.tsx';
import { provider } from '../../messages/account-forms.ts';
import { external, signIn } from '../../messages/sign-in.ts';
import { hasCode, type Refusal } from '../../session/refusal.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { isFinishing, type SessionState, unfinishedBy } from '../../session/session-store.ts';
import { useArrival } from './redirect-after-sign-in.ts';
import { concernsSignedIn, SignedInProblem, useProviderWord, VisitorProblem } from './sign-in-problem.tsx';

const route = getRouteApi('/entrance/signin');

const pageWords = withOwnWords({ signIn, external, provider });

export const SignInPage = () => (
  <PageWords words={pageWords}>
    <SignIn />
  </PageWords>
);

const SignIn = () => {
  const { redirect, error, id } = route.useSearch();
  const state = useSessionState();
  const forgetProblem = useForgetProblem();
  const isLeaving = useArrival(redirect, concernsSignedIn(error));
  if (isLeaving || isFinishing(state)) return <Waiting />;
  if (state.kind === 'in' && concernsSignedIn(error)) {
    return <SignedInProblem code={error} id={id} person={state.person} onGoOn={forgetProblem} />;
  }
  return <Entrance state={state} />;
};

/** What the server said in the address is about one attempt, and leaves with the next. */
const useForgetProblem = (): (() => void) => {
  const navigate = route.useNavigate();
  const { redirect, error } = route.useSearch();
  return () => {
    if (error !== undefined) void navigate({ search: { redirect }, replace: true });
  };
};

const Entrance = ({ state }: { readonly state: SessionState }) => {
  const t = useTranslations('signIn');
  const { redirect } = route.useSearch();
  const name = useProviderName();
  const problem = unfinishedBy(state);
  return (
    <div className="space-y-7">
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        {problem === undefined ? (
          <p className="text-soft">{name === undefined ? t('lead') : t('leadWithProvider', { provider: name })}</p>
        ) : (
          <Unfinished problem={problem} />
        )}
      </div>
      <SignInForm redirect={redirect} news={<News state={state} />} />
      <p className="text-soft">
        {t('newHere')}{' '}
        <Link to="/signup" search={{ redirect }} className="text-link">
          {t('createAccount')}
        </Link>
      </p>
    </div>
  );
};

/** Why the person is here, where that is not plain to them. */
const News = ({ state }: { readonly state: SessionState }) => {
  const t = useTranslations('signIn');
  const { error, id } = route.useSearch();
  const confirmedEmail = useConfirmedEmail();
  if (error !== undefined) return <VisitorProblem code={error} id={id} />;
  if (confirmedEmail !== undefined) {
    return (
      <div role="status">
        <Notice tone="done">
          <p>{t('confirmed')}</p>
        </Notice>
      </div>
    );
  }
  if (state.kind !== 'out' || state.ending === undefined) return null;
  return (
    <Notice tone="news">
      <p>{t(`endings.${state.ending}`)}</p>
    </Notice>
  );
};

/** The person comes from the page that confirmed it. */
const useConfirmedEmail = (): string | undefined => useLocation({ select: ({ state }) => state.confirmedEmail });

const Unfinished = ({ problem }: { readonly problem: Refusal }) => {
  const t = useTranslations('external');
  const name = useProviderWord();
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
  /** Shown until the person acts. */
  readonly news: ReactNode;
}

const SignInForm = ({ redirect, news }: SignInFormProps) => {
  const t = useTranslations('signIn');
  const words = useTranslations('fields');
  const session = useSession();
  const forgetProblem = useForgetProblem();
  const schema = useMemo(() => signInSchema(words), [words]);
  const email = useConfirmedEmail() ?? '';
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email, password: '' } });
  const attempt = useMutation({
    mutationFn: session.signIn,
    onMutate: forgetProblem,
    onError: (error) => {
      if (!showFieldProblems(error, ['email', 'password'], form.setError)) form.setFocus('password');
    },
  });
  const { errors } = form.formState;
  const hasFieldProblem = errors.email !== undefined || errors.password !== undefined;
  return (
    <form noValidate className="space-y-5" onSubmit={form.handleSubmit((input) => attempt.mutate(input))}>
      {attempt.isIdle && news}
      {attempt.isError && !hasFieldProblem && <SignInProblem error={attempt.error} redirect={redirect} />}
      <ProviderOrForm redirect={redirect} onLeave={forgetProblem} />
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

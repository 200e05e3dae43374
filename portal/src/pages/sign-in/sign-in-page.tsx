/** /signin: password form, external provider, and the problems of either. */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { MailboxLink } from '../../components/links/mailbox-link.tsx';
import { ProviderOrForm, useProviderName } from '../../components/links/provider-link.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading, PageLoading } from '../../components/page.tsx';
import { SubmitButton } from '../../components/submit-button.tsx';
import { isEmailShaped } from '../../forms/email-shape.ts';
import { EmailField } from '../../forms/field.tsx';
import { useOneField } from '../../forms/one-field.ts';
import { PasswordField } from '../../forms/password-fields.tsx';
import type { SignInWithPasswordInput } from '../../generated/graphql.ts';
import { useRedirectAfterSignIn } from '../../redirects/redirect-after-sign-in.ts';
import { hasCode, isUnanswered, type Refusal } from '../../session/refusal.ts';
import { handoffProblem, isCompletingHandoff, type SessionState } from '../../session/session.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { deliberateEndOf } from '../../session/sign-out.ts';
import { ForgottenPassword, useHasPasskeys } from './forgotten-password.tsx';
import { signInWithPassword } from './password-sign-in.ts';
import { ResendButton } from './resend.tsx';
import { isRelevantWhenSignedIn, SignedInProblem, useProviderLabel, VisitorProblem } from './sign-in-problem.tsx';

const route = getRouteApi('/public/signin');

const PasskeySignIn = lazyComponent(async () => (await import('../../passkeys/passkey-sign-in.tsx')).PasskeySignIn);

export const SignInPage = (): ReactNode => {
  const { redirect, error, id } = route.useSearch();
  const session = useSession();
  const state = useSessionState();
  const clearProblem = useClearProblem();
  const isRedirecting = useRedirectAfterSignIn(redirect, isRelevantWhenSignedIn(error));
  if (isRedirecting || isCompletingHandoff(session)) return <PageLoading />;
  if (state.status === 'signedIn' && isRelevantWhenSignedIn(error)) {
    return <SignedInProblem code={error} id={id} person={state.user} onContinue={clearProblem} />;
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

const SecondFactorStep = lazyComponent(async () => (await import('./second-factor-step.tsx')).SecondFactorStep);

/** The form, or the second step of a sign-in whose first one is done: here, or at the provider. */
const SignInView = ({ state }: { readonly state: SessionState }) => {
  const { handoff } = useSession();
  const [challenge, setChallenge] = useState(handoff.challenge);
  if (challenge === undefined) return <FirstStep state={state} onChallenge={setChallenge} />;
  const startAgain = () => {
    handoff.forgetChallenge();
    setChallenge(undefined);
  };
  return (
    <Suspense fallback={<PageLoading />}>
      <SecondFactorStep challenge={challenge} onStartAgain={startAgain} />
    </Suspense>
  );
};

interface FirstStepProps {
  readonly state: SessionState;
  /** Called with the refusal SECOND_FACTOR_REQUIRED. */
  readonly onChallenge: (challenge: Refusal) => void;
}

const FirstStep = ({ state, onChallenge }: FirstStepProps) => {
  const t = useTranslations('signIn');
  const { redirect } = route.useSearch();
  const name = useProviderName();
  const problem = handoffProblem(useSession());
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
      <SignInForm redirect={redirect} notice={<SignInNotice state={state} />} onChallenge={onChallenge} />
      <PasskeyOption />
      <p className="text-soft">
        {t('newHere')}{' '}
        <Link to="/signup" search={{ redirect }} className="text-link">
          {t('createAccount')}
        </Link>
      </p>
    </div>
  );
};

const PasskeyOption = () => {
  const clearProblem = useClearProblem();
  if (!useHasPasskeys()) return null;
  return (
    <Suspense fallback={null}>
      <PasskeySignIn onBegin={clearProblem} />
    </Suspense>
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
  if (state.status !== 'signedOut' || state.reason === undefined) return null;
  return (
    <Notice tone="info">
      <p>{t(`endings.${deliberateEndOf(state) ?? 'expired'}`)}</p>
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

interface SignInFormProps extends Pick<FirstStepProps, 'onChallenge'> {
  readonly redirect: string | undefined;
  /** Shown until the form is submitted. */
  readonly notice: ReactNode;
}

const SignInForm = ({ redirect, notice, onChallenge }: SignInFormProps) => {
  const t = useTranslations('signIn');
  const fields = useTranslations('fields');
  const session = useSession();
  const clearProblem = useClearProblem();
  const email = useOneField({
    missing: fields('emailMissing'),
    initial: useConfirmedEmail() ?? '',
    check: (typed) => (isEmailShaped(typed) ? undefined : fields('emailShape')),
  });
  const password = useOneField({ missing: fields('passwordMissing'), isTrimmed: false });
  const attempt = useMutation({
    mutationFn: (input: SignInWithPasswordInput) => signInWithPassword(session, input),
    onMutate: clearProblem,
    onError: (error) => {
      if (hasCode(error, 'SECOND_FACTOR_REQUIRED')) return onChallenge(error);
      password.focus();
      // The first field with a problem gets the focus last.
      password.showRefusal(error, 'password');
      email.showRefusal(error, 'email');
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [typedPassword, typedEmail] = [password.accept(), email.accept()];
    if (typedEmail !== undefined && typedPassword !== undefined) {
      attempt.mutate({ email: typedEmail, password: typedPassword });
    }
  };
  const hasFieldProblem = email.problem !== undefined || password.problem !== undefined;
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      {attempt.isIdle && notice}
      {attempt.isError && !hasFieldProblem && <SignInProblem error={attempt.error} email={attempt.variables.email} />}
      <ProviderOrForm redirect={redirect} onLeave={clearProblem} />
      <EmailField
        {...email.input}
        name="email"
        label={fields('email')}
        autoComplete={useHasPasskeys() ? 'username webauthn' : 'username'}
        problem={email.problem}
      />
      <PasswordField
        {...password.input}
        name="password"
        label={fields('password')}
        autoComplete="current-password"
        problem={password.problem}
      />
      <ForgottenPassword />
      <SubmitButton busy={attempt.isPending || attempt.isSuccess}>{t('submit')}</SubmitButton>
    </form>
  );
};

const SignInProblem = ({ error, email }: { readonly error: unknown; readonly email: string }) => {
  const t = useTranslations('signIn');
  if (hasCode(error, 'INVALID_CREDENTIALS')) {
    return (
      <Notice tone="error">
        <p>{t('refused')}</p>
      </Notice>
    );
  }
  if (isUnanswered(error)) {
    return (
      <Notice tone="warning">
        <p>{t('noAnswer')}</p>
      </Notice>
    );
  }
  if (!hasCode(error, 'EMAIL_NOT_VERIFIED')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="warning" title={t('notVerifiedTitle')}>
      <p>{t('notVerified')}</p>
      <MailboxLink />
      <ResendButton email={email} />
    </Notice>
  );
};

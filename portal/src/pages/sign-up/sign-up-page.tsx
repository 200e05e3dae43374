/**
 * /signup: the registration form, then the page that says a message is on its way. The answer is the same for every
 * address. The request is kept in the history entry of the tab, so that a reload stays on the second page.
 */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { isReachable } from '../../components/lazy-component.tsx';
import { MailboxLink } from '../../components/links/mailbox-link.tsx';
import { ProviderOrForm, useProviderName } from '../../components/links/provider-link.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { PageHead, PageHeading, PageLoading } from '../../components/page.tsx';
import { SubmitButton } from '../../components/submit-button.tsx';
import { EmailField, Field } from '../../forms/field.tsx';
import { useForm } from '../../forms/form.ts';
import { emailRule, nameRule, newPasswordRule } from '../../forms/form-rules.ts';
import { NewPasswordField } from '../../forms/password-fields.tsx';
import { SignUpDocument, type SignUpWithPasswordInput } from '../../generated/graphql.ts';
import { useRedirectAfterSignIn } from '../../redirects/redirect-after-sign-in.ts';
import { hasCode, isUnanswered } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { ResendButton } from '../sign-in/resend.tsx';

const route = getRouteApi('/public/signup');

export const SignUpPage = (): ReactNode => {
  const { redirect } = route.useSearch();
  const session = useSession();
  const isRedirecting = useRedirectAfterSignIn(redirect);
  const navigate = route.useNavigate();
  const requested = useLocation({ select: ({ state }) => state.requested });
  const registration = useMutation({
    mutationFn: (input: SignUpWithPasswordInput) => signUp(session, input),
    onSuccess: (verificationRequired, { email }) =>
      navigate({ search: { redirect }, state: { requested: { email, verificationRequired } } }),
  });
  if (isRedirecting) return <PageLoading />;
  if (requested !== undefined) {
    return (
      <CheckMail
        {...requested}
        redirect={redirect}
        onChangeAddress={() => {
          registration.reset();
          void navigate({ search: { redirect }, replace: true });
        }}
      />
    );
  }
  return <SignUp redirect={redirect} registration={registration} />;
};

/** @returns whether the address must be confirmed; undefined when the answer was lost, and the account may exist */
const signUp = async (session: Session, input: SignUpWithPasswordInput): Promise<boolean | undefined> => {
  try {
    return (await session.request(SignUpDocument, { input })).signUpWithPassword.verificationRequired;
  } catch (error) {
    if (isUnanswered(error) || (hasCode(error, 'OFFLINE') && (await isReachable()))) return undefined;
    throw error;
  }
};

interface SignUpProps {
  readonly redirect: string | undefined;
  readonly registration: {
    readonly mutate: (input: SignUpWithPasswordInput, options: { onError: (error: Error) => void }) => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
}

const SignUp = ({ redirect, registration }: SignUpProps) => {
  const t = useTranslations('signUp');
  const name = useProviderName();
  return (
    <div className="space-y-7">
      <PageHead title={t('title')} lead={name === undefined ? t('lead') : t('leadWithProvider', { provider: name })} />
      <SignUpForm redirect={redirect} registration={registration} />
      <p className="text-soft">
        {t('haveAccount')}{' '}
        <Link to="/signin" search={{ redirect }} className="text-link">
          {t('signIn')}
        </Link>
      </p>
    </div>
  );
};

const SignUpForm = ({ redirect, registration }: SignUpProps) => {
  const t = useTranslations('signUp');
  const fields = useTranslations('fields');
  const form = useForm({ name: nameRule(fields), email: emailRule(fields), password: newPasswordRule(fields) });
  const submit = form.onSubmit((read) => {
    const input = { name: read('name'), email: read('email'), password: read('password') };
    registration.mutate(redirect === undefined ? input : { ...input, redirect }, { onError: form.showRefusal });
  });
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      {registration.error !== null && !form.hasProblem && <RefusalNotice error={registration.error} />}
      <ProviderOrForm redirect={redirect} />
      <Field {...form.field('name')} label={fields('name')} autoComplete="name" />
      <EmailField {...form.field('email')} label={fields('email')} autoComplete="username" />
      <NewPasswordField {...form.field('password')} typed={form.typed('password')} />
      <SubmitButton busy={registration.isPending}>{t('submit')}</SubmitButton>
    </form>
  );
};

interface CheckMailProps {
  readonly email: string;
  readonly verificationRequired: boolean | undefined;
  readonly redirect: string | undefined;
  readonly onChangeAddress: () => void;
}

const CheckMail = ({ email, verificationRequired, redirect, onChangeAddress }: CheckMailProps) => {
  const t = useTranslations('checkMail');
  const common = useTranslations('common');
  const isUnknown = verificationRequired === undefined;
  if (verificationRequired === false) {
    return (
      <div className="settle space-y-6">
        <PageHeading title={t('readyTitle')} />
        <p className="leading-relaxed text-soft">{t('ready')}</p>
        <Link to="/signin" search={{ redirect }} className={buttonClass('primary', 'w-full')}>
          {common('toSignIn')}
        </Link>
      </div>
    );
  }
  return (
    <div className="settle space-y-6">
      <PageHeading title={t(isUnknown ? 'unansweredTitle' : 'title')} />
      <div className="space-y-3 leading-relaxed text-soft">
        <p>
          {t.rich(isUnknown ? 'unanswered' : 'sent', {
            email,
            address: (text) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>,
          })}{' '}
          {t('validity')}
        </p>
        <p>{t('earlier')}</p>
        <p>{t(isUnknown ? 'unansweredMissing' : 'missing')}</p>
      </div>
      <div className="space-y-3">
        <MailboxLink isNextStep />
        <ResendButton email={email} />
        <Link to="/signin" search={{ redirect }} className={buttonClass('secondary', 'w-full')}>
          {common('toSignIn')}
        </Link>
        <Button variant="secondary" className="w-full" onClick={onChangeAddress}>
          {t(isUnknown ? 'again' : 'otherAddress')}
        </Button>
      </div>
    </div>
  );
};

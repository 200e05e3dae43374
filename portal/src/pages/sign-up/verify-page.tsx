/**
 * /verify/:token: confirms an e-mail address on a click, not on opening, because mail scanners open links too. The
 * browser that signed up needs one click; any other asks for the password, so that the owner of an address cannot
 * activate an account that a stranger registered with it.
 */

import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { MailboxLink } from '../../components/links/mailbox-link.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { FailedPage, PageHeading, PageLoading } from '../../components/page.tsx';
import type { EmailValidationStatus } from '../../generated/graphql.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { ResendForm } from '../sign-in/resend.tsx';
import { validateToken, verificationLinkQuery } from './verification-query.ts';
import { PasswordConfirmation } from './verify-by-password.tsx';

const route = getRouteApi('/public/verify/$token');

export const VerifyPage = (): ReactNode => {
  const t = useTranslations('verify');
  const { token } = route.useParams();
  const { redirect } = route.useSearch();
  const link = useQuery(verificationLinkQuery(useSession(), token));
  if (link.isPending) return <PageLoading />;
  if (link.isError)
    return (
      <FailedPage title={t('title')} error={link.error} busy={link.isFetching} onRetry={() => void link.refetch()} />
    );
  const { status, email, isEarlierSignUp } = link.data;
  if (status === 'INVALID') return <Outcome status="INVALID" token={token} redirect={redirect} />;
  if (status === 'EXPIRED') return <ExpiredLink token={token} redirect={redirect} />;
  return email === null ? (
    <PasswordConfirmation
      token={token}
      redirect={redirect}
      isEarlierSignUp={isEarlierSignUp}
      renderOutcome={(outcome) => <Outcome status={outcome} token={token} redirect={redirect} />}
    />
  ) : (
    <OneClickConfirmation token={token} email={email} redirect={redirect} />
  );
};

interface LinkProps {
  readonly token: string;
  readonly redirect: string | undefined;
}

/** In the browser that signed up, where the password was chosen. */
const OneClickConfirmation = ({ token, email, redirect }: LinkProps & { readonly email: string }) => {
  const t = useTranslations('verify');
  const session = useSession();
  const navigate = route.useNavigate();
  const validation = useMutation({
    mutationFn: () => validateToken(session, token),
    onSuccess: async (status) => {
      // A person signed in to another account would be redirected away from the sign-in page.
      if (status !== 'VERIFIED' || (await session.open()).status === 'signedIn') return;
      await navigate({ to: '/signin', search: { redirect }, state: { confirmedEmail: email }, replace: true });
    },
  });
  if (validation.isSuccess) return <Outcome status={validation.data} token={token} redirect={redirect} />;
  return (
    <div className="space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">
        {t.rich('lead', {
          email,
          address: (text) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>,
        })}
      </p>
      {validation.isError && <RefusalNotice error={validation.error} />}
      <Button className="min-h-12 w-full" busy={validation.isPending} onClick={() => validation.mutate()}>
        {t('submit')}
      </Button>
    </div>
  );
};

interface ExpiredLinkProps extends LinkProps {
  /** Whether another one was asked for in vain, because the last mail is less than an hour old. */
  readonly isRecent?: boolean;
}

const ExpiredLink = ({ token, redirect, isRecent = false }: ExpiredLinkProps) => {
  const t = useTranslations('verify');
  const session = useSession();
  const [status, setStatus] = useState<EmailValidationStatus | undefined>(isRecent ? 'EXPIRED' : undefined);
  const renewal = useMutation({ mutationFn: () => validateToken(session, token), onSuccess: setStatus });
  if (status !== undefined && status !== 'EXPIRED') {
    return <Outcome status={status} token={token} redirect={redirect} />;
  }
  const texts = status ?? 'expired';
  return (
    <div className="settle space-y-6">
      <PageHeading title={t(`${texts}.title`)} />
      <p className="leading-relaxed text-soft">{t(`${texts}.text`)}</p>
      {renewal.isError && <RefusalNotice error={renewal.error} />}
      <div className="space-y-3">
        {status === 'EXPIRED' && <MailboxLink isNextStep />}
        <Button
          variant={status === 'EXPIRED' ? 'secondary' : 'primary'}
          className="min-h-12 w-full"
          busy={renewal.isPending}
          onClick={() => renewal.mutate()}
        >
          {t('expired.submit')}
        </Button>
      </div>
    </div>
  );
};

interface OutcomeProps extends LinkProps {
  readonly status: EmailValidationStatus;
}

const Outcome = ({ status, token, redirect }: OutcomeProps) => {
  const t = useTranslations('verify');
  const state = useSessionState();
  if (status === 'EXPIRED') return <ExpiredLink token={token} redirect={redirect} isRecent />;
  const isOtherAccount = status === 'VERIFIED' && state.status === 'signedIn';
  return (
    <div className="settle space-y-6">
      <PageHeading title={t(`${status}.title`)} />
      <p className="leading-relaxed wrap-anywhere text-soft">
        {isOtherAccount ? t('signedInAsOther', { email: state.user.email }) : t(`${status}.text`)}
      </p>
      {status === 'EXPIRED_RESENT' ? (
        <MailboxLink isNextStep />
      ) : (
        <NextStep toStart={isOtherAccount} redirect={redirect} />
      )}
      {status === 'INVALID' && (
        <>
          <ResendForm submit={t('expired.submit')} />
          <p>
            <Link to="/signup" search={{ redirect }} className="text-link">
              {t('signUp')}
            </Link>
          </p>
        </>
      )}
    </div>
  );
};

const NextStep = ({ toStart, redirect }: Pick<LinkProps, 'redirect'> & { readonly toStart: boolean }) => {
  const t = useTranslations('verify');
  const style = buttonClass('primary', 'min-h-12 w-full');
  return toStart ? (
    <Link to="/" className={style}>
      {t('toStart')}
    </Link>
  ) : (
    <Link to="/signin" search={{ redirect }} className={style}>
      {t('signIn')}
    </Link>
  );
};

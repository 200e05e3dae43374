/**
 * /account/email/:token: gives the signed-in person's account the address that the link was sent to, on a click and not
 * on opening, because mail scanners open links too.
 */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../../components/button.tsx';
import { RefusalNotice } from '../../../components/notice.tsx';
import { PageHeading, PageLoading } from '../../../components/page.tsx';
import { ConfirmEmailChangeDocument } from '../../../generated/graphql.ts';
import { hasCode } from '../../../session/refusal.ts';
import { useSession, useSessionState } from '../../../session/session-context.tsx';

const route = getRouteApi('/public/account/email/$token');

const strong = (text: ReactNode) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>;

export const ConfirmEmailPage = (): ReactNode => {
  const { token } = route.useParams();
  const session = useSession();
  const state = useSessionState();
  const confirmation = useMutation({
    mutationFn: async () => {
      const { confirmEmailChange } = await session.request(ConfirmEmailChangeDocument, { token });
      await session.refetchEverywhere();
      return confirmEmailChange.email;
    },
  });
  if (confirmation.isSuccess) return <Changed email={confirmation.data} />;
  if (state.status === 'loading') return <PageLoading />;
  if (state.status !== 'signedIn') return <SignInFirst />;
  const { email } = state.user;
  if (hasCode(confirmation.error, 'ACCOUNT_MISMATCH'))
    return <OtherAccount email={email} onSignedOut={confirmation.reset} />;
  if (hasCode(confirmation.error, 'LINK_NOT_OPEN')) return <NotOpen />;
  return (
    <Question
      email={email}
      busy={confirmation.isPending}
      error={confirmation.error}
      onSubmit={() => confirmation.mutate()}
    />
  );
};

interface QuestionProps {
  readonly email: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSubmit: () => void;
}

const Question = ({ email, busy, error, onSubmit }: QuestionProps) => {
  const t = useTranslations('emailChange');
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <div className="space-y-3 leading-relaxed wrap-anywhere text-soft">
        <p>{t.rich('lead', { email, who: strong })}</p>
        <p>{t('effect')}</p>
      </div>
      {error !== null && <RefusalNotice error={error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" busy={busy} onClick={onSubmit}>
          {t('submit')}
        </Button>
        <Link to="/account" className={buttonClass('secondary', 'w-full')}>
          {t('later')}
        </Link>
      </div>
    </div>
  );
};

const Changed = ({ email }: { readonly email: string }) => {
  const t = useTranslations('emailChange.done');
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed wrap-anywhere text-soft">{t.rich('text', { email, who: strong })}</p>
      <Link to="/account" className={buttonClass('primary', 'min-h-12 w-full')}>
        {t('submit')}
      </Link>
    </div>
  );
};

const SignInFirst = () => {
  const t = useTranslations('emailChange.signIn');
  const redirect = useLocation({ select: ({ pathname }) => pathname });
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('text')}</p>
      <Link to="/signin" search={{ redirect }} className={buttonClass('primary', 'min-h-12 w-full')}>
        {t('submit')}
      </Link>
    </div>
  );
};

interface OtherAccountProps {
  readonly email: string;
  /** Resets the attempt that was refused for this account. */
  readonly onSignedOut: () => void;
}

const OtherAccount = ({ email, onSignedOut }: OtherAccountProps) => {
  const t = useTranslations('emailChange.otherAccount');
  const session = useSession();
  const signOut = useMutation({ mutationFn: session.signOut, onSuccess: onSignedOut });
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed wrap-anywhere text-soft">{t.rich('text', { email, who: strong })}</p>
      {signOut.isError && <RefusalNotice error={signOut.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t('submit')}
        </Button>
        <Link to="/" className={buttonClass('secondary', 'w-full')}>
          {t('stay')}
        </Link>
      </div>
    </div>
  );
};

const NotOpen = () => {
  const t = useTranslations('emailChange.notOpen');
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('text')}</p>
      <Link to="/account" className={buttonClass('primary', 'min-h-12 w-full')}>
        {t('submit')}
      </Link>
    </div>
  );
};

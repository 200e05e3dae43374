/**
 * /invitation/:token: the offer of an invitation link. Opening it changes nothing, because mail scanners open links
 * too.
 */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../components/button.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { FailedPage, PageHeading, PageLoading } from '../../components/page.tsx';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import {
  type Acceptance,
  AcceptInvitation,
  OtherAccount,
  SignInToAccept,
  useAcceptance,
} from './accept-invitation.tsx';
import { type Invitation, invitationQuery, invitationState } from './invitation-query.ts';
import { findRedirect, keepRedirect } from './invitation-redirect.ts';

const route = getRouteApi('/public/invitation/$token');

// The form with its schemas is a seventh of the page, and people with an account never see it.
const CompleteProfile = lazyComponent(async () => (await import('./invitation-profile.tsx')).CompleteProfile);

export const InvitationPage = (): ReactNode => {
  const t = useTranslations('invitation');
  const { token } = route.useParams();
  const session = useSession();
  const state = useSessionState();
  const personId = state.status === 'signedIn' ? state.user.id : undefined;
  const preview = useQuery(invitationQuery(session, token, personId));
  const acceptance = useAcceptance(preview.refetch, useInvitationRedirect(token));
  if (acceptance.isSuccess) return <PageLoading />;
  if (preview.data !== undefined)
    return <InvitationStagePage token={token} invitation={preview.data} acceptance={acceptance} />;
  if (preview.isError)
    return (
      <FailedPage
        title={t('title')}
        error={preview.error}
        busy={preview.isFetching}
        onRetry={() => void preview.refetch()}
      />
    );
  return <PageLoading />;
};

/** The redirect of the URL, else the one that this tab keeps. */
const useInvitationRedirect = (token: string): string | undefined => {
  const { redirect } = route.useSearch();
  useEffect(() => keepRedirect(token, redirect), [token, redirect]);
  const found = redirect ?? findRedirect(token);
  // Not to an invitation, such as this page again.
  return found?.startsWith('/invitation/') === true ? undefined : found;
};

interface StageProps {
  readonly token: string;
  readonly invitation: Invitation | null;
  readonly acceptance: Acceptance;
}

const InvitationStagePage = ({ token, invitation, acceptance }: StageProps) => {
  const stage = invitationState(invitation, acceptance.error);
  switch (stage.kind) {
    case 'unknown':
      return <UnknownInvitation />;
    case 'expired':
      return <ExpiredInvitation invitation={stage.invitation} />;
    case 'accepted':
      return <AcceptedInvitation invitation={stage.invitation} />;
    case 'other-account':
      return <OtherAccount invitation={stage.invitation} onSignedOut={acceptance.reset} />;
    case 'sign-in':
      return <SignInToAccept invitation={stage.invitation} />;
    case 'accept':
      return <AcceptInvitation invitation={stage.invitation} token={token} acceptance={acceptance} />;
    case 'complete-profile':
      return (
        <Suspense fallback={<PageLoading />}>
          <CompleteProfile invitation={stage.invitation} token={token} vToken={stage.vToken} acceptance={acceptance} />
        </Suspense>
      );
  }
};

interface ClosedInvitationProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Whether the link is the primary action. */
  readonly isPrimary?: boolean;
}

const ClosedInvitation = ({ title, children, isPrimary = false }: ClosedInvitationProps) => {
  const common = useTranslations('common');
  const { redirect } = route.useSearch();
  const isSignedIn = useSessionState().status === 'signedIn';
  const target = isSignedIn ? ({ to: '/' } as const) : ({ to: '/signin', search: { redirect } } as const);
  return (
    <div className="settle space-y-6">
      <PageHeading title={title} />
      <p className="leading-relaxed wrap-anywhere text-soft">{children}</p>
      <Link
        {...target}
        className={isPrimary ? buttonClass('primary', 'min-h-12 w-full') : buttonClass('secondary', 'w-full')}
      >
        {isSignedIn ? common('toStart') : common('toSignIn')}
      </Link>
    </div>
  );
};

const UnknownInvitation = () => {
  const t = useTranslations('invitation.unknown');
  return <ClosedInvitation title={t('title')}>{t('text')}</ClosedInvitation>;
};

const ExpiredInvitation = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTranslations('invitation.EXPIRED');
  return (
    <ClosedInvitation title={t('title')}>{t('text', { organization: invitation.organizationName })}</ClosedInvitation>
  );
};

const AcceptedInvitation = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTranslations('invitation.ACCEPTED');
  const isSignedIn = useSessionState().status === 'signedIn';
  return (
    <ClosedInvitation title={t('title')} isPrimary>
      {t('text', { organization: invitation.organizationName })} {isSignedIn ? t('signedIn') : t('visitor')}
    </ClosedInvitation>
  );
};

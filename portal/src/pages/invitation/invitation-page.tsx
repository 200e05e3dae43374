/** /invitation/:token: what the link offers whoever opens it. Nothing happens before a press: mail scanners open links too. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-component.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { PageHeading, PageWords, Waiting, withOwnWords } from '../../components/page.tsx';
import { passwordRules, provider } from '../../messages/account-forms.ts';
import { invitation } from '../../messages/invitation.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { AcceptInvitation, type Joining, OtherAccount, SignInToAccept, useJoining } from './accept-invitation.tsx';
import { type Invitation, invitationQuery, invitationStage } from './invitation-query.ts';

const route = getRouteApi('/entrance/invitation/$token');

// The form and the rules of its fields are a seventh of the page, and a person with an account never sees them.
const CompleteProfile = lazyPart(async () => (await import('./invitation-profile.tsx')).CompleteProfile);

const pageWords = withOwnWords({ invitation, passwordRules, provider });

export const InvitationPage = () => (
  <PageWords words={pageWords}>
    <Landing />
  </PageWords>
);

const Landing = () => {
  const { token } = route.useParams();
  const session = useSession();
  const state = useSessionState();
  const personId = state.kind === 'in' ? state.person.id : undefined;
  const preview = useQuery(invitationQuery(session, token, personId));
  const joining = useJoining(preview.refetch);
  if (joining.isSuccess) return <Waiting />;
  if (preview.data !== undefined) return <Stage token={token} invitation={preview.data} joining={joining} />;
  if (preview.isError) {
    return <PreviewProblem error={preview.error} busy={preview.isFetching} onRetry={() => void preview.refetch()} />;
  }
  return <Waiting />;
};

interface StageProps {
  readonly token: string;
  readonly invitation: Invitation | null;
  readonly joining: Joining;
}

const Stage = ({ token, invitation, joining }: StageProps) => {
  const stage = invitationStage(invitation, joining.error);
  switch (stage.kind) {
    case 'unknown':
      return <UnknownInvitation />;
    case 'expired':
      return <ExpiredInvitation invitation={stage.invitation} />;
    case 'accepted':
      return <AcceptedInvitation invitation={stage.invitation} />;
    case 'other-account':
      return <OtherAccount invitation={stage.invitation} onLeft={joining.reset} />;
    case 'sign-in':
      return <SignInToAccept invitation={stage.invitation} />;
    case 'accept':
      return <AcceptInvitation invitation={stage.invitation} token={token} joining={joining} />;
    case 'complete-profile':
      return (
        <Suspense fallback={<Waiting />}>
          <CompleteProfile invitation={stage.invitation} token={token} vToken={stage.vToken} joining={joining} />
        </Suspense>
      );
  }
};

interface PreviewProblemProps {
  readonly error: unknown;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

const PreviewProblem = ({ error, busy, onRetry }: PreviewProblemProps) => {
  const t = useTranslations();
  return (
    <div className="space-y-6">
      <PageHeading title={t('invitation.title')} />
      <RefusalNotice error={error} />
      <Button busy={busy} onClick={onRetry}>
        {t('common.tryAgain')}
      </Button>
    </div>
  );
};

interface ClosedProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Whether the start page, or the way to it, is what the reader most likely wants. */
  readonly isAtGoal?: boolean;
}

const Closed = ({ title, children, isAtGoal = false }: ClosedProps) => {
  const common = useTranslations('common');
  const isIn = useSessionState().kind === 'in';
  return (
    <div className="settle space-y-6">
      <PageHeading title={title} />
      <p className="leading-relaxed break-words text-soft">{children}</p>
      <Link
        to={isIn ? '/' : '/signin'}
        className={isAtGoal ? buttonClass('primary', 'min-h-12 w-full') : buttonClass('quiet', 'w-full')}
      >
        {isIn ? common('toStart') : common('toSignIn')}
      </Link>
    </div>
  );
};

const UnknownInvitation = () => {
  const t = useTranslations('invitation.unknown');
  return <Closed title={t('title')}>{t('text')}</Closed>;
};

const ExpiredInvitation = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTranslations('invitation.EXPIRED');
  return <Closed title={t('title')}>{t('text', { organization: invitation.organizationName })}</Closed>;
};

const AcceptedInvitation = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTranslations('invitation.ACCEPTED');
  const isIn = useSessionState().kind === 'in';
  return (
    <Closed title={t('title')} isAtGoal>
      {t('text', { organization: invitation.organizationName })} {isIn ? t('signedIn') : t('visitor')}
    </Closed>
  );
};

/** /invitation/:token: what the link offers whoever opens it. Nothing happens before a press: mail scanners open links too. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { PageWords, withOwnWords } from '../../components/words.tsx';
import { invitation } from '../../messages/invitation.ts';
import { passwordRules } from '../../messages/password-rules.ts';
import { provider } from '../../messages/provider.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { AcceptedInvitation, ExpiredInvitation, UnknownInvitation } from './invitation-closed.tsx';
import { type Joining, useJoining } from './invitation-joining.tsx';
import { AcceptInvitation, OtherAccount, SignInToAccept } from './invitation-open.tsx';
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

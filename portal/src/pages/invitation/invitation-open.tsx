/** An open invitation for whoever has an account: to sign in first, to accept, or to leave for the right account. */
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { ProviderLink } from '../../components/provider-link.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { formatDate } from '../../dates.ts';
import { AcceptInvitationDocument } from '../../generated/graphql.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { type Joining, JoiningProblem } from './invitation-joining.tsx';
import type { Invitation } from './invitation-query.ts';

interface OpenProps {
  readonly invitation: Invitation;
}

/** What is offered: to which organization, in which role, until when. */
export const Offer = ({ invitation }: OpenProps) => {
  const t = useTranslations('invitation');
  const { organizationName, role, expiresAt } = invitation;
  return (
    <div className="space-y-3">
      <PageHeading title={t('join', { organization: organizationName })} />
      <p className="leading-relaxed text-soft">
        {t(`as.${role}`)}{' '}
        {expiresAt !== null && (
          <Instant at={expiresAt}>
            {t('openUntil', { date: formatDate(expiresAt, { dateStyle: 'long', timeStyle: 'short' }) })}
          </Instant>
        )}
      </p>
    </div>
  );
};

export const SignInToAccept = ({ invitation }: OpenProps) => {
  const t = useTranslations('invitation.signIn');
  const redirect = useLocation({ select: ({ pathname }) => pathname });
  return (
    <div className="settle space-y-6">
      <Offer invitation={invitation} />
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      <div className="space-y-3">
        <Link to="/signin" search={{ redirect }} className={buttonClass('primary', 'min-h-12 w-full')}>
          {t('submit')}
        </Link>
        <ProviderLink redirect={redirect} />
      </div>
    </div>
  );
};

interface AcceptProps extends OpenProps {
  readonly token: string;
  readonly joining: Joining;
}

export const AcceptInvitation = ({ invitation, token, joining }: AcceptProps) => {
  const t = useTranslations('invitation.accept');
  const session = useSession();
  const email = useOwnEmail();
  const accept = async () => {
    await session.request(AcceptInvitationDocument, { token });
    await session.noteChange();
  };
  return (
    <div className="settle space-y-6">
      <Offer invitation={invitation} />
      <p className="leading-relaxed break-words text-soft">
        {t.rich('lead', { organization: invitation.organizationName, email, who: strong })}
      </p>
      {joining.isError && <JoiningProblem error={joining.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" busy={joining.isPending} onClick={() => joining.mutate(accept)}>
          {t('submit')}
        </Button>
        <Link to="/" className={buttonClass('quiet', 'w-full')}>
          {t('later')}
        </Link>
      </div>
    </div>
  );
};

const useOwnEmail = (): string => {
  const state = useSessionState();
  return state.kind === 'in' ? state.person.email : '';
};

const strong = (text: ReactNode) => <strong className="font-semibold wrap-anywhere text-ink">{text}</strong>;

/** @param onLeft forgets the attempt that was refused for this account */
export const OtherAccount = ({ invitation, onLeft }: OpenProps & { readonly onLeft: () => void }) => {
  const t = useTranslations('invitation.otherAccount');
  const session = useSession();
  const email = useOwnEmail();
  const leaving = useMutation({ mutationFn: session.signOut, onSuccess: onLeft });
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <div className="space-y-3 leading-relaxed break-words text-soft">
        <p>{t.rich('lead', { organization: invitation.organizationName, email, who: strong })}</p>
        <p>{t('advice')}</p>
      </div>
      {leaving.isError && <RefusalNotice error={leaving.error} />}
      <div className="space-y-3">
        <Button className="min-h-12 w-full" busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {t('submit')}
        </Button>
        <Link to="/" className={buttonClass('quiet', 'w-full')}>
          {t('stay')}
        </Link>
      </div>
    </div>
  );
};

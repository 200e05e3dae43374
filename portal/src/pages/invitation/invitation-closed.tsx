/** Invitations that cannot be accepted any more: expired, accepted, withdrawn or replaced. Each says what to do next. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../components/button.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { useSessionState } from '../../session/session-context.tsx';
import type { Invitation } from './invitation-query.ts';

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

export const UnknownInvitation = () => {
  const t = useTranslations('invitation.unknown');
  return <Closed title={t('title')}>{t('text')}</Closed>;
};

export const ExpiredInvitation = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTranslations('invitation.EXPIRED');
  return <Closed title={t('title')}>{t('text', { organization: invitation.organizationName })}</Closed>;
};

export const AcceptedInvitation = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTranslations('invitation.ACCEPTED');
  const isIn = useSessionState().kind === 'in';
  return (
    <Closed title={t('title')} isAtGoal>
      {t('text', { organization: invitation.organizationName })} {isIn ? t('signedIn') : t('visitor')}
    </Closed>
  );
};

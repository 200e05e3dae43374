/** /verify/:token/reject: the second link of a verification mail. Deletes the account on a click, not on opening. */

import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { FailedPage, PageHeading, PageLoading } from '../../components/page.tsx';
import { RejectSignUpDocument } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';
import { verificationLinkQuery } from './verification-query.ts';

const route = getRouteApi('/public/verify/$token/reject');

export const RejectPage = (): ReactNode => {
  const t = useTranslations('reject');
  const { token } = route.useParams();
  const session = useSession();
  const link = useQuery(verificationLinkQuery(session, token));
  const rejection = useMutation({ mutationFn: () => session.request(RejectSignUpDocument, { token }) });
  if (rejection.isSuccess) return <Rejected isDone={rejection.data.rejectSignUp} />;
  if (link.isPending) return <PageLoading />;
  if (link.isError)
    return (
      <FailedPage title={t('title')} error={link.error} busy={link.isFetching} onRetry={() => void link.refetch()} />
    );
  if (link.data.status === 'INVALID') return <Rejected isDone={false} />;
  return (
    <div className="space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('lead')}</p>
      {rejection.isError && <RefusalNotice error={rejection.error} />}
      <div className="space-y-3">
        <Button
          variant="danger"
          className="min-h-12 w-full"
          busy={rejection.isPending}
          onClick={() => rejection.mutate()}
        >
          {t('submit')}
        </Button>
        <Link to="/verify/$token" params={{ token }} className={buttonClass('secondary', 'w-full')}>
          {t('keep')}
        </Link>
      </div>
    </div>
  );
};

const Rejected = ({ isDone }: { readonly isDone: boolean }) => {
  const t = useTranslations('reject');
  const outcome = isDone ? 'done' : 'invalid';
  return (
    <div className="settle space-y-6">
      <PageHeading title={t(`${outcome}.title`)} />
      <p className="leading-relaxed text-soft">{t(`${outcome}.text`)}</p>
      <Link to="/signup" className={buttonClass('secondary', 'w-full')}>
        {t('toSignUp')}
      </Link>
    </div>
  );
};

/** /account/email/undo/:token: undoes a change of address on a click, signed in or not. */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../../components/button.tsx';
import { RefusalNotice } from '../../../components/notice.tsx';
import { PageHeading } from '../../../components/page.tsx';
import { UndoEmailChangeDocument } from '../../../generated/graphql.ts';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';

const route = getRouteApi('/public/account/email/undo/$token');

export const UndoEmailPage = () => {
  const t = useTranslations('emailUndo');
  const { token } = route.useParams();
  const session = useSession();
  const undoing = useMutation({
    mutationFn: () => session.request(UndoEmailChangeDocument, { token }),
    // A session of the account in this browser has ended.
    onSuccess: () => (session.state().status === 'signedIn' ? session.refetch() : undefined),
  });
  if (undoing.isSuccess) return <Undone />;
  if (hasCode(undoing.error, 'LINK_NOT_OPEN')) return <NotOpen />;
  return (
    <div className="space-y-6">
      <PageHeading title={t('title')} />
      <div className="space-y-3 leading-relaxed text-soft">
        <p>{t('lead')}</p>
        <ul className="list-disc space-y-2 ps-5">
          <li>{t('effects.address')}</li>
          <li>{t('effects.added')}</li>
          <li>{t('effects.sessions')}</li>
        </ul>
        <p>{t('unchanged')}</p>
      </div>
      {undoing.isError && <RefusalNotice error={undoing.error} />}
      <Button variant="danger" className="min-h-12 w-full" busy={undoing.isPending} onClick={() => undoing.mutate()}>
        {t('submit')}
      </Button>
    </div>
  );
};

const Undone = () => {
  const t = useTranslations('emailUndo.done');
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('text')}</p>
      <Link to="/signin" className={buttonClass('primary', 'min-h-12 w-full')}>
        {t('submit')}
      </Link>
    </div>
  );
};

const NotOpen = () => {
  const t = useTranslations('emailUndo.notOpen');
  return (
    <div className="settle space-y-6">
      <PageHeading title={t('title')} />
      <p className="leading-relaxed text-soft">{t('text')}</p>
    </div>
  );
};

/** /admin/super/sessions: who is signed in right now, for super admins, and the ways to end that. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../components/button.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { usePerson } from '../../session/session-context.tsx';
import { GovernanceList } from './governance-list.tsx';

export const GovernancePage = () => {
  const t = useTranslations('governance');
  const { isSuperAdmin } = usePerson();
  if (!isSuperAdmin) return <Closed />;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <GovernanceList />
    </>
  );
};

const Closed = () => {
  const t = useTranslations();
  return (
    <div className="space-y-6">
      <PageHeading title={t('governance.closed.title')} />
      <p className="leading-relaxed text-soft">{t('governance.closed.text')}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('common.toStart')}
      </Link>
    </div>
  );
};

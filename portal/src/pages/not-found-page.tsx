/** Any address that the portal does not know. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../components/button.tsx';
import { Entrance } from '../components/entrance-layout.tsx';
import { PageHeading } from '../components/page-heading.tsx';

export const NotFoundPage = () => {
  const t = useTranslations();
  return (
    <Entrance>
      <div className="space-y-6">
        <PageHeading title={t('failures.notFound.title')} />
        <p className="leading-relaxed text-soft">{t('failures.notFound.text')}</p>
        <Link to="/" className={buttonClass('primary')}>
          {t('common.toStart')}
        </Link>
      </div>
    </Entrance>
  );
};

/** /members: who belongs to the active organization, and who is invited. */
import { useTranslations } from 'use-intl';
import { PageHeading } from '../components/page-heading.tsx';

export const MembersPage = () => {
  const t = useTranslations('members');
  return <PageHeading title={t('title')} />;
};

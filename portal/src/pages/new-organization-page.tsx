/** /organizations/new: the name of an organization that the person founds. */
import { useTranslations } from 'use-intl';
import { PageHeading } from '../components/page-heading.tsx';

export const NewOrganizationPage = () => {
  const t = useTranslations('newOrganization');
  return <PageHeading title={t('title')} />;
};

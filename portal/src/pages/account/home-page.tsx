/** /: who the signed-in person is here, and where their account is in use. */
import { useTranslations } from 'use-intl';
import { NoOrganization } from '../../components/no-organization.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PrivacySection } from '../../consent/privacy-section.tsx';
import { usePerson } from '../../session/session-context.tsx';
import { Devices } from './devices.tsx';
import { Profile } from './profile.tsx';
import { WaysToSignIn } from './ways-to-sign-in.tsx';

export const HomePage = () => {
  const t = useTranslations('home');
  const { name, currentMembership } = usePerson();
  return (
    <>
      <PageHeading title={t('title')}>{t('greeting', { name })}</PageHeading>
      {currentMembership === null && <NoOrganization />}
      <Profile />
      <WaysToSignIn />
      <Devices />
      <PrivacySection />
    </>
  );
};

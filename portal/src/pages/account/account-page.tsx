/** /account: name, password, e-mail address, and ways to sign in. */
import { useTranslations } from 'use-intl';
import { AccountFrame } from './account-pages.tsx';
import { EmailSection } from './email/email-section.tsx';
import { OwnAccount } from './own-account.tsx';
import { SignInMethods } from './sign-in-methods.tsx';

export const AccountPage = () => {
  const t = useTranslations('accountPages');
  return (
    <AccountFrame title={t('title')}>
      <OwnAccount />
      <EmailSection />
      <SignInMethods />
    </AccountFrame>
  );
};

/** Owns the way on without the password: the same answer for every address, so that it names no account. */
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useApplication } from '../../components/application.tsx';
import { useProviderName } from '../../components/links/provider-link.tsx';

export const useHasPasskeys = (): boolean => useRouter().options.context.hasPasskeys;

export const ForgottenPassword = () => {
  const t = useTranslations('signIn.forgotten');
  const { name, links } = useApplication();
  return (
    <details className="group -mt-2 mb-3 text-sm text-soft">
      <summary className="min-h-11 w-fit content-center rounded-lg group-open:text-ink hover:text-ink">
        {t('question')}
      </summary>
      <div className="settle space-y-2 pb-2 leading-relaxed wrap-anywhere">
        <OtherWays />
        <p>
          {t('ask', { application: name })}{' '}
          {links.support !== undefined && (
            <a href={links.support} rel="noreferrer" className="text-link">
              {t('support')}
            </a>
          )}
        </p>
      </div>
    </details>
  );
};

/** The ways to sign in that need no password; nothing where the service has none. */
const OtherWays = () => {
  const t = useTranslations('signIn.forgotten');
  const hasPasskeys = useHasPasskeys();
  const provider = useProviderName();
  if (provider !== undefined) return <p>{t(hasPasskeys ? 'passkeyOrProvider' : 'provider', { provider })}</p>;
  return hasPasskeys ? <p>{t('passkey')}</p> : null;
};

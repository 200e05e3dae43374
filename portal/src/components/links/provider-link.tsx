/** Sign-in with the external provider: link and mark. Renders nothing where the server has no provider. */
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import googleMark from '../../assets/google.svg';
import { buttonClass } from '../button.tsx';
import { Icon } from '../icon.tsx';

export const useProviderName = (): string | undefined => useRouter().options.context.providerName;

/** Google's mark is shown for Google alone; other providers get a key icon. */
export const ProviderMark = ({ name }: { readonly name: string }) =>
  name === 'Google' ? <img src={googleMark} alt="" className="size-5 shrink-0" /> : <Icon name="key" />;

interface ProviderLinkProps {
  /** Path to open after signing in. */
  readonly redirect: string | undefined;
  readonly onLeave?: () => void;
}

/** A full page load: the server redirects to the provider. */
export const ProviderLink = ({ redirect, onLeave }: ProviderLinkProps) => {
  const t = useTranslations('provider');
  const name = useProviderName();
  if (name === undefined) return null;
  return (
    <a
      href={redirect === undefined ? '/auth/google' : `/auth/google?redirect=${encodeURIComponent(redirect)}`}
      className={buttonClass('secondary', 'min-h-12 w-full py-2')}
      onClick={(event) => {
        // The second click of a double click would start a second attempt.
        if (event.detail > 1) event.preventDefault();
        else onLeave?.();
      }}
    >
      <ProviderMark name={name} />
      <span className="min-w-0 wrap-anywhere">{t('continueWith', { provider: name })}</span>
    </a>
  );
};

/** The provider link and the separator above a password form. */
export const ProviderOrForm = (props: ProviderLinkProps) => {
  const t = useTranslations('provider');
  if (useProviderName() === undefined) return null;
  return (
    <>
      <ProviderLink {...props} />
      <p className="flex items-center gap-3 text-sm text-soft">
        <span className="h-px flex-1 bg-line" />
        {t('or')}
        <span className="h-px flex-1 bg-line" />
      </p>
    </>
  );
};

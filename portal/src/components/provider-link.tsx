/** The way in by the outside provider, and its mark. There is none where the server has no provider. */
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import googleMark from '../assets/google.svg';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';

export const useProviderName = (): string | undefined => useRouter().options.context.providerName;

/** The mark belongs to one provider; another by a similar name is not to pass for it. */
export const ProviderMark = ({ name }: { readonly name: string }) =>
  name === 'Google' ? <img src={googleMark} alt="" className="size-5 shrink-0" /> : <Icon name="key" />;

interface ProviderLinkProps {
  /** Where the person goes once they are signed in. */
  readonly redirect: string | undefined;
  readonly onLeave?: () => void;
}

/** A page load: the server answers the address, at the portal's own origin, with the way to the provider. */
export const ProviderLink = ({ redirect, onLeave }: ProviderLinkProps) => {
  const t = useTranslations('provider');
  const name = useProviderName();
  if (name === undefined) return null;
  return (
    <a
      href={redirect === undefined ? '/auth/google' : `/auth/google?redirect=${encodeURIComponent(redirect)}`}
      className={buttonClass('quiet', 'min-h-12 w-full py-2')}
      onClick={(event) => {
        // The second click of a double one would begin a second attempt.
        if (event.detail > 1) event.preventDefault();
        else onLeave?.();
      }}
    >
      <ProviderMark name={name} />
      <span className="min-w-0 break-words">{t('continueWith', { provider: name })}</span>
    </a>
  );
};

/** Above a form that is the other way in. */
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

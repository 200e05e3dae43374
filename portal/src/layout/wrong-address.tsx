/**
 * A line above every page that was opened at another address than FRONTEND_URL, such as 127.0.0.1 instead of localhost:
 * the browser keeps no cookie of a sign-in there.
 */
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice.tsx';

/** @param portalOrigin as configured; empty in the development server of the portal */
export const WrongAddress = ({ portalOrigin }: { readonly portalOrigin: string }) => {
  const t = useTranslations('wrongAddress');
  const { origin, pathname, search } = window.location;
  if (portalOrigin === '' || portalOrigin === origin) return null;
  return (
    <div className="mx-auto max-w-6xl p-3">
      <Notice tone="warning" title={t('title')}>
        <p>
          {t.rich('text', {
            here: origin,
            there: portalOrigin,
            right: (text) => (
              <a href={`${portalOrigin}${pathname}${search}`} className="text-link wrap-anywhere">
                {text}
              </a>
            ),
          })}
        </p>
      </Notice>
    </div>
  );
};

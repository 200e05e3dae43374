/**
 * The signed-in part's pages, side by side below the header. What needs an organization appears with one, and what is
 * for super admins appears for them.
 */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { usePerson } from '../session/session-context.tsx';

export const navigationLinkClass =
  'flex min-h-11 items-center rounded-t-lg border-b-2 border-transparent px-2 text-[0.9375rem] font-medium text-soft transition-colors duration-150 hover:text-ink sm:px-3 data-[status=active]:border-accent data-[status=active]:text-ink';

export const Navigation = () => {
  const t = useTranslations('frame');
  const { currentMembership, isSuperAdmin } = usePerson();
  return (
    <nav aria-label={t('navigation')} className="mx-auto mt-1 flex max-w-3xl flex-wrap px-3 sm:gap-1 sm:px-5">
      <Link to="/" activeOptions={{ exact: true }} className={navigationLinkClass}>
        {t('home')}
      </Link>
      {currentMembership !== null && (
        <>
          <Link to="/members" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
            {t('members')}
          </Link>
          <Link to="/plan" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
            {t('plan')}
          </Link>
        </>
      )}
      {isSuperAdmin && (
        <>
          <Link to="/admin/super/sessions" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
            {t('sessions')}
          </Link>
          <Link to="/admin/super/mcp" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
            {t('mcp')}
          </Link>
        </>
      )}
    </nav>
  );
};

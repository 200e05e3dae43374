/** The frame of the super admins' console: its navigation, its search, and the page beside them. */
import { Link, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { DeadEnd } from '../../components/page.tsx';
import { SignedInIcon } from '../../components/signed-in-icon.tsx';
import { PageOutlet } from '../../layout/page-outlet.tsx';
import { usePerson } from '../../session/session-context.tsx';
import { SuperAdminFactor } from '../../step-up/super-admin-factor.tsx';
import { ConsoleIcon, type ConsoleIconName } from './console-icon.tsx';

export const ConsoleLayout = () => {
  const t = useTranslations('console');
  const { isSuperAdmin, needsSecondFactor } = usePerson();
  if (!isSuperAdmin) return <DeadEnd title={t('superAdminsOnly.title')} text={t('superAdminsOnly.text')} />;
  if (needsSecondFactor) return <SuperAdminFactor title={t('open')} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <div className="grid grid-cols-2 gap-3 lg:sticky lg:grid-cols-1 lg:top-6 lg:self-start">
        <Search />
        <Navigation />
      </div>
      <div className="min-w-0 space-y-8">
        <PageOutlet />
      </div>
    </div>
  );
};

const sections = [
  ['overview', '/admin/super', 'chart'],
  ['people', '/admin/super/people', 'person'],
  ['organizations', '/admin/super/organizations', 'building'],
  ['sessions', '/admin/super/sessions', 'devices'],
  ['sign-ins', '/admin/super/sign-ins', 'door'],
  ['mcp', '/admin/super/mcp', 'plug'],
] as const satisfies readonly (readonly [string, string, ConsoleIconName])[];

const linkClass =
  'flex min-h-11 items-center gap-2.5 rounded-control px-3 text-[0.9375rem] font-medium text-soft transition-colors duration-150 hover:bg-surface hover:text-ink data-[status=active]:bg-tint data-[status=active]:text-accent';

/** A column on a wide screen; on a narrow one a button that names the section opens it. */
const Navigation = () => {
  const t = useTranslations('console');
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const { pathname } = useLocation();
  const shown = sections.findLast(([, path]) => pathname.startsWith(path))?.[0];
  return (
    <nav aria-label={t('navigation')} className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        className="flex min-h-11 w-full items-center justify-between gap-2 rounded-control border border-edge/45 bg-surface px-3 text-[0.9375rem] font-medium lg:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {shown === undefined ? t('open') : t(`sections.${shown}`)}
        <SignedInIcon name="chevrons" className="size-4.5 text-soft" />
      </button>
      <ul id={listId} className={`gap-1 pt-2 lg:flex lg:flex-col lg:pt-0 ${isOpen ? 'flex flex-col' : 'hidden'}`}>
        {sections.map(([section, path, icon]) => (
          <li key={section}>
            <Link
              to={path}
              activeOptions={{ includeSearch: false, exact: section === 'overview' }}
              className={linkClass}
              onClick={() => setOpen(false)}
            >
              <ConsoleIcon name={icon} className="size-4.5" />
              {t(`sections.${section}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const SearchDialog = lazyComponent(async () => (await import('./search/search-dialog.tsx')).SearchDialog);

/** Apple's keyboards have ⌘ where others have Ctrl; the browser tells no more than the platform. */
const isApple = /mac|iphone|ipad/i.test(navigator.platform);

const Search = () => {
  const t = useTranslations('console.search');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        className="flex min-h-11 w-full items-center gap-2.5 rounded-control border border-edge/45 bg-surface px-3 text-start text-[0.9375rem] text-soft hover:border-edge hover:text-ink"
        onClick={() => setOpen(true)}
      >
        <ConsoleIcon name="search" className="size-4.5" />
        <span className="flex-1">{t('open')}</span>
        <kbd className="hidden rounded-md border border-line px-1.5 font-sans text-xs lg:block">
          {isApple ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};

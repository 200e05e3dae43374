/** The layout of the signed-in part: header with organization, sign-out and navigation, and the frame of the pages. */
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { Notice, RefusalNotice } from '../components/notice.tsx';
import { PageLoading } from '../components/page.tsx';
import { useDraftCleanup } from '../session/drafts.ts';
import { hasCode } from '../session/refusal.ts';
import { PersonProvider, usePerson, useSession, useSessionState } from '../session/session-context.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { PageFooter } from './page-footer.tsx';
import { PageOutlet } from './page-outlet.tsx';
import { Brand, HasLayoutProvider } from './public-layout.tsx';

interface SignedInLayoutProps {
  /** A page without a route of its own, such as the 404 page. */
  readonly children?: ReactNode;
}

export const SignedInLayout = ({ children }: SignedInLayoutProps) => {
  const state = useSessionState();
  // After the session has ended, no personal data stays on the screen during the redirect.
  if (state.status !== 'signedIn') return <PageLoading />;
  return (
    <PersonProvider value={state.user}>
      <HasLayoutProvider value={true}>
        <SignedInFrame>{children ?? <PageOutlet />}</SignedInFrame>
      </HasLayoutProvider>
    </PersonProvider>
  );
};

const wideColumn = 'mx-auto max-w-7xl';

/** The column of a page: the console's tables are wide. */
const useColumnClass = (): string =>
  useLocation().pathname.startsWith('/admin/super') ? wideColumn : 'mx-auto max-w-3xl';

const SignedInFrame = ({ children }: { readonly children: ReactNode }) => {
  useDraftCleanup();
  const t = useTranslations('frame');
  const session = useSession();
  const content = useRef<HTMLElement>(null);
  const signOut = useMutation({ mutationFn: session.signOut });
  const switching = useMutation({ mutationFn: session.switchOrganization });
  const column = useColumnClass();
  useResetOnNavigation(signOut);
  useResetOnNavigation(switching);
  return (
    <div className="isolate min-h-dvh">
      <header className="border-b border-line bg-surface">
        <SkipToContent content={content} />
        <div className={`flex items-center gap-3 px-5 pt-3 sm:gap-4 sm:px-8 ${column}`}>
          <Link to="/" className="block max-w-[40%] shrink-0 rounded-lg">
            <Brand isShort />
          </Link>
          <div className="min-w-0 flex-1">
            <OrganizationSwitcher
              busy={switching.isPending}
              onOpen={switching.reset}
              onSwitch={(organizationId) => !switching.isPending && switching.mutate(organizationId)}
            />
          </div>
          <Button variant="secondary" className="shrink-0" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('signOut')}
          </Button>
        </div>
        <SignedInAs />
        <Navigation />
      </header>
      <main
        ref={content}
        tabIndex={-1}
        className={`space-y-8 px-5 pt-8 pb-8 outline-none sm:px-8 ${column === wideColumn ? '' : 'sm:pt-12'} ${column}`}
      >
        {signOut.isError && <SignOutProblem error={signOut.error} />}
        {switching.isError && <SwitchProblem error={switching.error} />}
        <SwitchAnnouncement isDone={switching.isSuccess} />
        <PasswordQuestion />
        <RequiredSecondFactor />
        {children}
      </main>
      <PageFooter className={`px-5 pb-20 sm:px-8 ${column}`} />
      <StepUpQuestion />
    </div>
  );
};

const PasswordReview = lazyComponent(async () => (await import('./password-review.tsx')).PasswordReview);

/** Asks whether the person set the password of the account. It stays for the result of the answer. */
const PasswordQuestion = () => {
  const { hasPasswordToReview } = usePerson();
  const [isAsked, setAsked] = useState(hasPasswordToReview);
  if (hasPasswordToReview && !isAsked) setAsked(true);
  if (!isAsked) return null;
  return (
    <Suspense>
      <PasswordReview />
    </Suspense>
  );
};

const StepUpDialog = lazyComponent(async () => (await import('../step-up/step-up-dialog.tsx')).StepUpDialog);

/** Asks for a proof when a request of any page needs one. */
const StepUpQuestion = () => {
  const { stepUp } = useSession();
  const need = useSyncExternalStore(stepUp.subscribe, stepUp.need);
  if (need === undefined) return null;
  return (
    <Suspense>
      <StepUpDialog key={need} need={need} onSettled={stepUp.settle} />
    </Suspense>
  );
};

const SecondFactorNeeded = lazyComponent(
  async () => (await import('../step-up/second-factor-needed.tsx')).SecondFactorNeeded,
);

/** On every page, because none of the organization's works meanwhile. */
const RequiredSecondFactor = () => {
  const { currentMembership } = usePerson();
  if (currentMembership?.needsSecondFactor !== true) return null;
  return (
    <Suspense>
      <SecondFactorNeeded organization={currentMembership.organization.name} />
    </Suspense>
  );
};

/** Clears a failed mutation on the next navigation and when the browser is online again. */
const useResetOnNavigation = ({ isError, reset }: { readonly isError: boolean; readonly reset: () => void }): void => {
  const router = useRouter();
  useEffect(() => {
    if (!isError) return;
    window.addEventListener('online', reset);
    const stop = router.subscribe('onBeforeNavigate', reset);
    return () => {
      window.removeEventListener('online', reset);
      stop();
    };
  }, [isError, reset, router]);
};

/** The page reports the lost connection; this notice adds only what it means for the sign-out. */
const SignOutProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('frame.notSignedOut');
  if (!hasCode(error, 'OFFLINE')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="error" title={t('title')}>
      <p>{t('text')}</p>
    </Notice>
  );
};

/** Shows the account: browsers are shared, and a person may have several accounts. */
const SignedInAs = () => {
  const t = useTranslations('frame');
  const { email } = usePerson();
  return (
    <p className={`mt-1.5 px-5 text-sm wrap-anywhere text-soft sm:px-8 ${useColumnClass()}`} title={email}>
      {t('signedInAs', { email })}
    </p>
  );
};

/** Announces the new organization to screen readers. */
const SwitchAnnouncement = ({ isDone }: { readonly isDone: boolean }) => {
  const t = useTranslations('switcher');
  const { currentMembership } = usePerson();
  return (
    <p role="status" className="sr-only">
      {isDone && currentMembership !== null && t('switched', { name: currentMembership.organization.name })}
    </p>
  );
};

const SwitchProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('switcher');
  const { currentMembership } = usePerson();
  return (
    <RefusalNotice error={error}>
      {currentMembership !== null && <p>{t('notSwitched', { name: currentMembership.organization.name })}</p>}
    </RefusalNotice>
  );
};

const SkipToContent = ({ content }: { readonly content: RefObject<HTMLElement | null> }) => {
  const t = useTranslations('frame');
  return (
    <button
      type="button"
      className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:start-3 focus:z-20 focus:rounded-control focus:bg-surface focus:px-4 focus:py-3 focus:font-semibold"
      onClick={() => content.current?.focus()}
    >
      {t('skip')}
    </button>
  );
};

export const navigationLinkClass =
  'flex min-h-11 items-center rounded-t-lg border-b-2 border-transparent px-2 text-[0.9375rem] font-medium text-soft transition-colors duration-150 hover:text-ink sm:px-3 data-[status=active]:border-accent data-[status=active]:text-ink';

/** As the router marks a link to the current page, and to one below it. */
const currentLink = { 'aria-current': 'page', 'data-status': 'active' } as const;

/** Links to the pages that the person can use: some need an active organization, some a super admin. */
const Navigation = () => {
  const t = useTranslations('frame');
  const { currentMembership, isSuperAdmin } = usePerson();
  // The members page links to the other pages of the organization, whose addresses do not begin with its own.
  const isOfOrganization = useLocation().pathname.startsWith('/organization/');
  return (
    <nav aria-label={t('navigation')} className={`mt-1 flex flex-wrap px-3 sm:gap-1 sm:px-5 ${useColumnClass()}`}>
      <Link to="/" activeOptions={{ exact: true }} className={navigationLinkClass}>
        {t('home')}
      </Link>
      <Link to="/account" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
        {t('account')}
      </Link>
      {currentMembership !== null && (
        <>
          <Link
            to="/members"
            activeOptions={{ includeSearch: false }}
            className={navigationLinkClass}
            {...(isOfOrganization && currentLink)}
          >
            {t('members')}
          </Link>
          <Link to="/plan" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
            {t('plan')}
          </Link>
        </>
      )}
      {isSuperAdmin && (
        <Link to="/admin/super" activeOptions={{ includeSearch: false }} className={navigationLinkClass}>
          {t('console')}
        </Link>
      )}
    </nav>
  );
};

/**
 * The consent banner below every page, in a React root of its own, so that its failures cannot affect the page. Loaded
 * after the first page has rendered.
 */
import { type RefObject, StrictMode, useLayoutEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { RefusalNotice } from '../components/notice.tsx';
import { LanguageProvider } from '../languages/language-provider.tsx';
import { onPageRestore } from '../page-restore.ts';
import { handoffProblem, isCompletingHandoff, type Session } from '../session/session.ts';
import { SessionProvider, useSessionState } from '../session/session-context.tsx';
import {
  type Consent,
  type ConsentAnswer,
  type ConsentState,
  sharedConsent,
  useConsentAnswer,
  useConsentState,
} from './consent.ts';

export const showConsent = async (session: Session): Promise<void> => {
  const container = document.getElementById('consent');
  if (container === null) return;
  await handoffSettled(session);
  const consent = sharedConsent(session);
  void consent.open();
  // A page in the bfcache receives no events of other tabs.
  onPageRestore(() => void consent.refetch());
  createRoot(container).render(
    <StrictMode>
      <LanguageProvider>
        <SessionProvider value={session}>
          <ConsentRoot consent={consent} />
        </SessionProvider>
      </LanguageProvider>
    </StrictMode>,
  );
};

/** There is one banner, and the ids of `useId` are unique within a React root only. */
const headingId = 'consent-heading';

/** Resolves when no external sign-in is pending in this tab: the exchange sends its request first. */
const handoffSettled = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (isCompletingHandoff(session) || handoffProblem(session) !== undefined) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = session.subscribe(check);
    check();
  });

/**
 * The banner until it is answered; then, for visitors, a button that reopens it. Signed-in people have PrivacySection.
 */
const ConsentRoot = ({ consent }: { readonly consent: Consent }) => {
  const t = useTranslations('consent');
  const state = useConsentState(consent);
  const isSignedIn = useSessionState().status === 'signedIn';
  const [isReopened, setReopened] = useState(false);
  const consentAnswer = useConsentAnswer(consent, () => setReopened(false));
  const changeButton = useRef<HTMLButtonElement>(null);

  const reopen = () => {
    consentAnswer.reset();
    setReopened(true);
  };
  if (state.decision === undefined) return null;
  const isAnswered = state.decision.analyticsConsent !== null;
  const isAsking = !isAnswered || isReopened;
  return (
    <>
      {isAsking && (
        <ConsentBanner
          state={state}
          consentAnswer={consentAnswer}
          onClose={isReopened && isAnswered ? () => setReopened(false) : undefined}
          focusAfter={changeButton}
        />
      )}
      {!isAsking && !isSignedIn && (
        <section aria-label={t('change')} className="pointer-events-none -mt-14 flex h-14 items-center px-5 sm:px-10">
          <button
            ref={changeButton}
            type="button"
            className="pointer-events-auto min-h-11 rounded text-sm text-soft hover:text-ink"
            onClick={reopen}
          >
            {t('change')}
          </button>
        </section>
      )}
      <p role="status" className="sr-only">
        {consentAnswer.change !== undefined && t(`recorded.${consentAnswer.change}`)}
      </p>
    </>
  );
};

interface ConsentBannerProps {
  readonly state: ConsentState;
  readonly consentAnswer: ConsentAnswer;
  /** Closes the reopened banner and keeps the answer. */
  readonly onClose: (() => void) | undefined;
  /** Receives the focus when the banner closes while focused; the page's heading otherwise. */
  readonly focusAfter: RefObject<HTMLElement | null>;
}

/**
 * Two answers of the same look and size, neither preselected. The banner never takes the focus by itself, and is at the
 * end of the page, in the room that every page leaves there: it covers nothing.
 */
const ConsentBanner = ({ state, consentAnswer, onClose, focusAfter }: ConsentBannerProps) => {
  const t = useTranslations('consent');
  const common = useTranslations('common');
  const region = useRef<HTMLElement>(null);
  useBannerFocus(region, onClose !== undefined, focusAfter);
  const { problem, answer } = consentAnswer;
  const { recording } = state;
  const present = state.decision?.analyticsConsent ?? undefined;
  return (
    <div className="pointer-events-none relative -mt-8 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] lg:-mt-20 print:hidden">
      <section
        ref={region}
        tabIndex={-1}
        aria-labelledby={headingId}
        className="settle pointer-events-auto mx-auto max-w-6xl space-y-3 rounded-card border border-edge/45 bg-surface px-4 py-2.5 shadow-[0_0_1.75rem_rgb(0_0_0/0.16)] outline-none"
      >
        {problem !== undefined && (
          <RefusalNotice error={problem}>
            <p>{t('notRecorded')}</p>
          </RefusalNotice>
        )}
        <div className="flex flex-col gap-3 lg:flex-row lg:items-center lg:gap-6">
          <div className="min-w-0 flex-1 text-sm">
            <h2 id={headingId} className="inline font-semibold">
              {t('title')}
            </h2>{' '}
            <p className="inline text-soft">
              {t('text')} {present !== undefined && t(present ? 'now.allowed' : 'now.declined')}
            </p>
          </div>
          <div className="grid shrink-0 auto-cols-fr grid-flow-col gap-3">
            <Button variant="secondary" busy={recording === false} onClick={() => answer(false)}>
              {t('decline')}
            </Button>
            <Button variant="secondary" busy={recording === true} onClick={() => answer(true)}>
              {t('allow')}
            </Button>
            {onClose !== undefined && (
              <button type="button" className="text-link min-h-11 px-2 text-[0.9375rem]" onClick={onClose}>
                {common('close')}
              </button>
            )}
          </div>
        </div>
      </section>
    </div>
  );
};

type ElementRef = RefObject<HTMLElement | null>;

/** Moves the focus into a reopened banner, and out of it when it closes. */
const useBannerFocus = (region: ElementRef, isWanted: boolean, after: ElementRef): void => {
  useLayoutEffect(() => {
    const element = region.current;
    if (isWanted) element?.focus({ preventScroll: true });
    return () => {
      if (!element?.contains(document.activeElement)) return;
      // After the commit: the banner is unmounted, and the button that reopens it may be mounted.
      queueMicrotask(() => {
        if (!element.isConnected) (after.current ?? document.querySelector('h1'))?.focus({ preventScroll: true });
      });
    };
  }, [region, isWanted, after]);
};

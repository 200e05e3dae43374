/**
 * The consent banner below every page, in a React root of its own, so that its failures cannot affect the page. Loaded after
 * the first page has rendered.
 */
import { type RefObject, StrictMode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider, useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { RefusalNotice } from '../components/notice.tsx';
import { consent as words } from '../messages/consent.ts';
import { messages } from '../messages/index.ts';
import { onPageRestore } from '../page-restore.ts';
import type { Session } from '../session/session.ts';
import { SessionProvider, useSessionState } from '../session/session-context.tsx';
import { isFinishing, unfinishedBy } from '../session/session-store.ts';
import {
  type Answering,
  type Consent,
  type ConsentParts,
  type ConsentState,
  consentOfThisTab,
  useAnswering,
  useConsentState,
} from './consent.ts';

export const showConsent = async (session: Session, parts: ConsentParts): Promise<void> => {
  const place = document.getElementById('consent');
  if (place === null) return;
  await handoffEnded(session);
  const consent = consentOfThisTab(parts);
  void consent.open();
  // A page that the browser kept whole and shows again has missed what other tabs said meanwhile.
  onPageRestore(() => void consent.ask());
  createRoot(place).render(
    <StrictMode>
      <IntlProvider locale="en" messages={{ ...messages, consent: words }}>
        <SessionProvider value={session}>
          <ConsentCorner consent={consent} />
        </SessionProvider>
      </IntlProvider>
    </StrictMode>,
  );
};

/** Nothing is asked while somebody who has come back from the outside provider is not signed in yet. */
const handoffEnded = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (isFinishing(session.state()) || unfinishedBy(session.state()) !== undefined) return;
      leave();
      resolve();
    };
    const leave = session.subscribe(look);
    look();
  });

const ConsentCorner = ({ consent }: { readonly consent: Consent }) => {
  const t = useTranslations('consent');
  const state = useConsentState(consent);
  const isIn = useSessionState().kind === 'in';
  const [isReopened, setReopened] = useState(false);
  const answering = useAnswering(consent, () => setReopened(false));
  const wayBack = useRef<HTMLButtonElement>(null);

  const reopen = () => {
    answering.forget();
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
          answering={answering}
          onClose={isReopened && isAnswered ? () => setReopened(false) : undefined}
          focusAfter={wayBack}
        />
      )}
      {!isAsking && !isIn && (
        <footer className="pointer-events-none -mt-14 flex h-14 items-center px-5 sm:px-10">
          <button
            ref={wayBack}
            type="button"
            className="pointer-events-auto min-h-11 rounded text-sm text-soft hover:text-ink"
            onClick={reopen}
          >
            {t('change')}
          </button>
        </footer>
      )}
      <p role="status" className="sr-only">
        {answering.change !== undefined && t(`recorded.${answering.change}`)}
      </p>
    </>
  );
};

interface ConsentBannerProps {
  readonly state: ConsentState;
  readonly answering: Answering;
  /** For who has opened it again: leaves the answer as it is. */
  readonly onClose: (() => void) | undefined;
  /** Takes the focus when the banner goes with it; where there is none, the page's heading does. */
  readonly focusAfter: RefObject<HTMLElement | null>;
}

const ConsentBanner = ({ state, answering, onClose, focusAfter }: ConsentBannerProps) => {
  const t = useTranslations('consent');
  const common = useTranslations('common');
  const headingId = useId();
  const place = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  useReservedRoom(place);
  useFocus(region, onClose !== undefined, focusAfter);
  const { problem, answer } = answering;
  const { recording } = state;
  const present = state.decision?.analyticsConsent ?? undefined;
  return (
    // Where the window is so low that it would hide most of the page, it stands at the end of the page instead.
    <div
      ref={place}
      className="pointer-events-none sticky bottom-0 -mt-8 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] lg:-mt-20 print:hidden [@media(max-height:30rem)]:static"
    >
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
            <Button look="quiet" busy={recording === false} onClick={() => answer(false)}>
              {t('decline')}
            </Button>
            <Button look="quiet" busy={recording === true} onClick={() => answer(true)}>
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

/** Whatever the keyboard reaches is scrolled to where the banner does not cover it (WCAG 2.4.11). */
const useReservedRoom = (place: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const reserve = () => {
      const isCovering = getComputedStyle(element).position === 'sticky';
      style.scrollPaddingBottom = isCovering ? `${element.offsetHeight}px` : '';
    };
    const observer = new ResizeObserver(reserve);
    observer.observe(element);
    // The height of the window decides whether it covers anything, and need not change its own size.
    window.addEventListener('resize', reserve);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', reserve);
      style.scrollPaddingBottom = '';
    };
  }, [place]);
};

type ElementRef = RefObject<HTMLElement | null>;

/** Takes the focus only from who has opened the banner, and hands it on when it goes. */
const useFocus = (region: ElementRef, isWanted: boolean, after: ElementRef): void => {
  useLayoutEffect(() => {
    const element = region.current;
    if (isWanted) element?.focus({ preventScroll: true });
    return () => {
      if (!element?.contains(document.activeElement)) return;
      // Once the page is as it will be: with the banner gone, and perhaps a button to open it again.
      queueMicrotask(() => {
        if (!element.isConnected) (after.current ?? document.querySelector('h1'))?.focus({ preventScroll: true });
      });
    };
  }, [region, isWanted, after]);
};

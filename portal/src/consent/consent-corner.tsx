/**
 * What stands below every page of an installation that has analytics: the question until it is answered, and then, for
 * who is not signed in, the way back to it. Who is signed in finds that on the start page.
 */
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessionState } from '../session/session-context.tsx';
import type { Consent } from './consent.ts';
import { ConsentBanner } from './consent-banner.tsx';
import { useAnswering, useConsentState } from './use-consent.ts';

export const ConsentCorner = ({ consent }: { readonly consent: Consent }) => {
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

/** The decision about analytics as React components see it: one for the tab, so that no two places disagree. */
import { useState, useSyncExternalStore } from 'react';
import { openSessionChannel } from '../session/channel.ts';
import { type Change, type Consent, type ConsentParts, type ConsentState, createConsent } from './consent.ts';

let consent: Consent | undefined;

export const consentOfThisTab = (parts: ConsentParts): Consent => {
  consent ??= createConsent({ ...parts, channel: openSessionChannel('gatehouse-consent') });
  return consent;
};

export const useConsentState = ({ subscribe, state }: Consent): ConsentState => useSyncExternalStore(subscribe, state);

interface Outcome {
  readonly change?: Change;
  readonly problem?: unknown;
}

export interface Answering extends Outcome {
  /** Gives an answer, unless one is on its way. */
  readonly answer: (analytics: boolean) => void;
  /** Forgets how the last answer ended. */
  readonly forget: () => void;
}

/** The answers that are given in one place, and how the last of them ended. */
export const useAnswering = (consent: Consent, onRecorded?: () => void): Answering => {
  const [outcome, setOutcome] = useState<Outcome>({});
  const forget = () => setOutcome({});
  const record = async (analytics: boolean) => {
    try {
      setOutcome({ change: await consent.record(analytics) });
      onRecorded?.();
    } catch (problem) {
      setOutcome({ problem });
    }
  };
  const answer = (analytics: boolean) => {
    if (consent.state().recording !== undefined) return;
    forget();
    void record(analytics);
  };
  return { ...outcome, answer, forget };
};
